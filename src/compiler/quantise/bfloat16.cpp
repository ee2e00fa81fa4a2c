// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantise/bfloat16.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tpu::compiler {

Bfloat16 ToBfloat16(float value) {
  if (std::isnan(value)) return {0x7FC0};
  if (std::abs(value) < std::numeric_limits<float>::min()) value = std::copysign(0.0F, value);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t half = 0x7FFF + (bits >> 16 & 1);  // A carry out of the fraction is right.
  return {static_cast<std::uint16_t>((bits + half) >> 16)};
}

float ToFloat(Bfloat16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

}  // namespace tpu::compiler
