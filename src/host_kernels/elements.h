// SPDX-License-Identifier: Apache-2.0
// Elements of several types in byte vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "tpu/tensor.h"

namespace tpu::host_kernels {

template <typename T>
T ReadElement(const std::vector<std::uint8_t>& bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
void WriteElement(std::vector<std::uint8_t>& bytes, std::size_t index, T value) {
  std::memcpy(bytes.data() + index * sizeof(T), &value, sizeof(T));
}

/// Calls function(T{}) with the C++ type of an integer element type.
template <typename Function>
void WithInteger(ElementType type, Function function) {
  switch (type) {
    case ElementType::kInt8:
      return function(std::int8_t{});
    case ElementType::kUint8:
      return function(std::uint8_t{});
    case ElementType::kInt16:
      return function(std::int16_t{});
    case ElementType::kInt32:
      return function(std::int32_t{});
    case ElementType::kInt64:
      return function(std::int64_t{});
    default:
      throw Error::Format("{} is no integer type", ElementTypeName(type));
  }
}

}  // namespace tpu::host_kernels
