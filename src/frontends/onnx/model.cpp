// SPDX-License-Identifier: Apache-2.0
#include "frontends/onnx/model.h"

#include <cstring>

namespace tpu::onnx {
namespace {

template <typename T, typename Result>
void Append(const std::vector<std::uint8_t>& bytes, std::vector<Result>& values) {
  for (std::size_t i = 0; i + sizeof(T) <= bytes.size(); i += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + i, sizeof(T));
    values.push_back(static_cast<Result>(value));
  }
}

template <typename Result>
std::vector<Result> ValuesOf(const Array& array) {
  std::vector<Result> values;
  switch (array.type) {
    case ElementType::kInt8:
      Append<std::int8_t>(array.bytes, values);
      break;
    case ElementType::kUint8:
    case ElementType::kBool:
      Append<std::uint8_t>(array.bytes, values);
      break;
    case ElementType::kInt16:
      Append<std::int16_t>(array.bytes, values);
      break;
    case ElementType::kInt32:
      Append<std::int32_t>(array.bytes, values);
      break;
    case ElementType::kUint32:
      Append<std::uint32_t>(array.bytes, values);
      break;
    case ElementType::kInt64:
      Append<std::int64_t>(array.bytes, values);
      break;
    case ElementType::kUint64:
      Append<std::uint64_t>(array.bytes, values);
      break;
    case ElementType::kFloat32:
      Append<float>(array.bytes, values);
      break;
    case ElementType::kBfloat16:
      break;  // No array has this type.
  }
  return values;
}

}  // namespace

std::int64_t Array::Elements() const {
  return static_cast<std::int64_t>(bytes.size()) / ElementBytes(type);
}

std::vector<std::int64_t> Array::Integers() const { return ValuesOf<std::int64_t>(*this); }

std::vector<float> Array::Floats() const { return ValuesOf<float>(*this); }

Array FloatArray(std::string name, Shape shape, const std::vector<float>& values) {
  Array array = {.name = std::move(name),
                 .type = ElementType::kFloat32,
                 .shape = std::move(shape),
                 .bytes = std::vector<std::uint8_t>(values.size() * sizeof(float))};
  if (!values.empty()) std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

Array IntegerArray(std::string name, ElementType type, Shape shape,
                   const std::vector<std::int64_t>& values) {
  Array array = {.name = std::move(name), .type = type, .shape = std::move(shape), .bytes = {}};
  const auto size = static_cast<std::size_t>(ElementBytes(type));
  for (const std::int64_t value : values) {
    for (std::size_t i = 0; i < size; ++i) {
      array.bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> 8 * i));
    }
  }
  return array;
}

}  // namespace tpu::onnx
