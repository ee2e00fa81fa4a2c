// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite's multiplications by quantised multipliers, written from its published formulas
// and apart from the golden model's: what tests of int16 expect.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace tpu::tflite_rounding {

/// The doubled high half of a product, ties towards plus infinity.
constexpr std::int32_t DoublingHighMul(std::int32_t a, std::int32_t b) {
  constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();
  if (a == kMin && b == kMin) return std::numeric_limits<std::int32_t>::max();
  const std::int64_t product = std::int64_t{a} * b;
  const std::int64_t nudge = product >= 0 ? 1LL << 30 : 1 - (1LL << 30);
  // Truncation of the nudged product.
  return static_cast<std::int32_t>((product + nudge) / (1LL << 31));
}

/// Division by a power of two, ties away from zero.
constexpr std::int32_t DivideByPowerOfTwo(std::int32_t x, int exponent) {
  const std::int32_t mask = static_cast<std::int32_t>((1LL << exponent) - 1);
  const std::int32_t remainder = x & mask;
  const std::int32_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return (x >> exponent) + (remainder > threshold ? 1 : 0);
}

/// In two roundings, the default. The shift is positive to the left.
constexpr std::int32_t MultiplyDouble(std::int32_t x, std::int32_t multiplier, int shift) {
  const auto shifted =
      static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << std::max(shift, 0));
  return DivideByPowerOfTwo(DoublingHighMul(shifted, multiplier), std::max(-shift, 0));
}

/// In one rounding, as with TFLITE_SINGLE_ROUNDING.
constexpr std::int32_t MultiplySingle(std::int32_t x, std::int32_t multiplier, int shift) {
  const int total = 31 - shift;
  return static_cast<std::int32_t>((std::int64_t{x} * multiplier + (1LL << (total - 1))) >> total);
}

/// The multiplier of 15 bits for a sum of 64 bits, and the multiplication by the multiplier of 31
/// bits that the model has.
constexpr std::int32_t ReducedMultiplier(std::int32_t multiplier) {
  return multiplier < 0x7FFF0000 ? (multiplier + (1 << 15)) >> 16 : 0x7FFF;
}
constexpr std::int32_t MultiplyWide(std::int64_t x, std::int32_t multiplier, int shift) {
  const int total = 15 - shift;
  return static_cast<std::int32_t>((x * ReducedMultiplier(multiplier) + (1LL << (total - 1))) >>
                                   total);
}

}  // namespace tpu::tflite_rounding
