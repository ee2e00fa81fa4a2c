// SPDX-License-Identifier: Apache-2.0
#include "frontends/onnx/wire.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error.h"

namespace tpu::onnx {
namespace {

constexpr unsigned kMostVarintBits = 64;

// Reads a variable-length integer and moves behind it. None: it ends behind the bytes, or is longer
// than 64 bits.
std::optional<std::uint64_t> ReadVarint(std::span<const std::uint8_t> bytes,
                                        std::size_t& position) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < kMostVarintBits && position < bytes.size(); shift += 7) {
    const std::uint8_t byte = bytes[position++];
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  return std::nullopt;
}

template <typename T>
T LittleEndian(std::span<const std::uint8_t> bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

}  // namespace

void Field::Fail(std::string_view reason) const {
  throw Error::Format("damaged at byte {}: field {} of {} {}", offset_, number_, message_, reason);
}

void Field::RequireKind(Kind kind) const {
  if (kind_ != kind) Fail("has another type than ONNX says");
}

std::int64_t Field::Integer() const {
  RequireKind(Kind::kVarint);
  return static_cast<std::int64_t>(value_);
}

float Field::Float() const {
  RequireKind(Kind::kFixed32);
  return std::bit_cast<float>(static_cast<std::uint32_t>(value_));
}

std::span<const std::uint8_t> Field::Bytes() const {
  RequireKind(Kind::kBytes);
  return bytes_;
}

std::string Field::Name() const {
  const std::span<const std::uint8_t> bytes = Bytes();
  constexpr std::uint8_t kFirstPrinted = 0x20;
  if (std::ranges::any_of(bytes, [](std::uint8_t c) { return c < kFirstPrinted; })) {
    Fail("is no name: it has a control character");
  }
  return {bytes.begin(), bytes.end()};
}

void Field::AppendIntegers(std::vector<std::int64_t>& list) const {
  if (kind_ != Kind::kBytes) {
    list.push_back(Integer());
    return;
  }
  for (std::size_t position = 0; position < bytes_.size();) {
    const std::optional<std::uint64_t> value = ReadVarint(bytes_, position);
    if (!value) Fail("ends within an integer");
    list.push_back(static_cast<std::int64_t>(*value));
  }
}

void Field::AppendFloats(std::vector<float>& list) const {
  if (kind_ != Kind::kBytes) {
    list.push_back(Float());
    return;
  }
  if (bytes_.size() % sizeof(float) != 0) Fail("ends within a number");
  for (std::size_t i = 0; i < bytes_.size(); i += sizeof(float)) {
    list.push_back(LittleEndian<float>(bytes_.subspan(i)));
  }
}

Message::Message(std::span<const std::uint8_t> file, std::string_view name)
    : bytes_(file), name_(name) {}

Message::Message(const Field& field, std::string_view name)
    : bytes_(field.Bytes()), begin_(field.contents_), name_(name) {}

void Message::Fail(std::string_view reason) const {
  throw Error::Format("damaged at byte {}: {} in {}", begin_ + position_, reason, name_);
}

std::uint64_t Message::Varint() {
  const std::optional<std::uint64_t> value = ReadVarint(bytes_, position_);
  if (!value) Fail("no integer ends");
  return *value;
}

std::optional<Field> Message::Next() {
  if (position_ == bytes_.size()) return std::nullopt;
  Field field;
  field.offset_ = begin_ + position_;
  field.message_ = name_;
  const std::uint64_t key = Varint();
  if (key >> 3 == 0 || key >> 32 != 0) Fail("a field has no valid number");
  field.number_ = static_cast<std::uint32_t>(key >> 3);
  field.kind_ = static_cast<Field::Kind>(key & 7);
  const auto take = [&](std::uint64_t length) {
    if (length > bytes_.size() - position_) field.Fail("ends behind its message");
    const auto size = static_cast<std::size_t>(length);
    const std::span<const std::uint8_t> taken = bytes_.subspan(position_, size);
    position_ += size;
    return taken;
  };
  switch (field.kind_) {
    case Field::Kind::kVarint:
      field.value_ = Varint();
      return field;
    case Field::Kind::kFixed64:
      field.value_ = LittleEndian<std::uint64_t>(take(sizeof(std::uint64_t)));
      return field;
    case Field::Kind::kFixed32:
      field.value_ = LittleEndian<std::uint32_t>(take(sizeof(std::uint32_t)));
      return field;
    case Field::Kind::kBytes:
      field.bytes_ = take(Varint());
      field.contents_ = begin_ + position_ - field.bytes_.size();
      return field;
  }
  field.Fail("has a kind that no reader knows");
}

}  // namespace tpu::onnx
