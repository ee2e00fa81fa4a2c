// SPDX-License-Identifier: Apache-2.0
// Code for elements of several types.
#pragma once

#include <cstdint>

#include "base/error.h"
#include "tpu/tensor.h"

namespace tpu::host_kernels {

/// Calls function(T{}) with the C++ type of an integer element type; bool is uint8.
template <typename Function>
void WithInteger(ElementType type, Function function) {
  switch (type) {
    case ElementType::kInt8:
      return function(std::int8_t{});
    case ElementType::kUint8:
    case ElementType::kBool:
      return function(std::uint8_t{});
    case ElementType::kInt16:
      return function(std::int16_t{});
    case ElementType::kInt32:
      return function(std::int32_t{});
    case ElementType::kInt64:
      return function(std::int64_t{});
    case ElementType::kUint32:
      return function(std::uint32_t{});
    case ElementType::kUint64:
      return function(std::uint64_t{});
    case ElementType::kFloat32:
    case ElementType::kBfloat16:
      break;
  }
  throw Error::Format("{} is no integer type", ElementTypeName(type));
}

/// The same with float32.
template <typename Function>
void WithNumber(ElementType type, Function function) {
  if (type == ElementType::kFloat32) return function(float{});
  WithInteger(type, function);
}

}  // namespace tpu::host_kernels
