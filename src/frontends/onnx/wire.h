// SPDX-License-Identifier: Apache-2.0
// Protocol Buffers' wire format: messages as lists of numbered fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tpu::onnx {

/// One field of a message. Its methods give its contents as the type that the schema says, and
/// throw tpu::Error naming the field and its place in the file when the file has another type.
class Field {
 public:
  enum class Kind : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

  [[nodiscard]] std::uint32_t Number() const { return number_; }
  [[nodiscard]] std::int64_t Integer() const;
  [[nodiscard]] float Float() const;
  /// A name: without control characters, so that messages have one line.
  [[nodiscard]] std::string Name() const;
  [[nodiscard]] std::span<const std::uint8_t> Bytes() const;
  /// A repeated field comes as one packed list or as many fields: appends what this one has.
  void AppendIntegers(std::vector<std::int64_t>& list) const;
  void AppendFloats(std::vector<float>& list) const;
  /// Throws naming the field, for contents that mean nothing.
  [[noreturn]] void Fail(std::string_view reason) const;

 private:
  friend class Message;
  void RequireKind(Kind kind) const;

  std::uint32_t number_ = 0;
  Kind kind_ = Kind::kVarint;
  std::uint64_t value_ = 0;
  std::span<const std::uint8_t> bytes_;
  std::size_t offset_ = 0;    // In the file.
  std::size_t contents_ = 0;  // The place of `bytes_` in the file.
  std::string_view message_;  // The name of the message that has the field.
};

/// A message, read field by field. Every length is checked before it is used.
class Message {
 public:
  /// A whole file. `name` is the message's name, which has to live as long as the reader.
  Message(std::span<const std::uint8_t> file, std::string_view name);
  /// A message inside of another one.
  Message(const Field& field, std::string_view name);

  /// The next field; none behind the last one. Throws tpu::Error for what is no field.
  std::optional<Field> Next();

 private:
  std::uint64_t Varint();
  [[noreturn]] void Fail(std::string_view reason) const;

  std::span<const std::uint8_t> bytes_;
  std::size_t begin_ = 0;  // Of `bytes_` in the file.
  std::size_t position_ = 0;
  std::string_view name_;
};

}  // namespace tpu::onnx
