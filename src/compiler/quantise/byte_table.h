// SPDX-License-Identifier: Apache-2.0
// How tables of 256 bytes are made.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "ir/graph.h"

namespace tpu::compiler {

/// Least and greatest integer of a type of one byte.
struct Limits {
  std::int32_t lo = -128;
  std::int32_t hi = 127;
};

inline Limits LimitsOf(const ir::Tensor& tensor) {
  if (tensor.type == ElementType::kUint8) return {.lo = 0, .hi = 255};
  return {};
}

inline std::int32_t Saturate(std::int64_t value, Limits limits) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, limits.lo, limits.hi));
}

/// `function` from a raw value of `input` to one of `output`, which may be out of range.
template <typename Function>
ir::Lookup MakeTable(const ir::Tensor& input, const ir::Tensor& output, Function function) {
  ir::Lookup lookup;
  for (std::size_t byte = 0; byte < lookup.table.size(); ++byte) {
    const std::int32_t q = input.type == ElementType::kUint8
                               ? static_cast<std::int32_t>(byte)
                               : static_cast<std::int8_t>(static_cast<std::uint8_t>(byte));
    const std::int32_t value = Saturate(function(q), LimitsOf(output));
    lookup.table[byte] = static_cast<std::int8_t>(static_cast<std::uint8_t>(value));
  }
  return lookup;
}

/// How many steps of the output a step of the input is.
inline double Ratio(const ir::Tensor& input, const ir::Tensor& output) {
  return static_cast<double>(input.scale) / static_cast<double>(output.scale);
}

}  // namespace tpu::compiler
