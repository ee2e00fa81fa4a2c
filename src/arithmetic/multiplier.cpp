// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/multiplier.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tpu::arithmetic {

Multiplier QuantizeMultiplier(double factor, Rounding rounding) {
  if (factor == 0.0) return {};
  int shift = 0;
  const double mantissa = std::frexp(factor, &shift);
  auto multiplier = static_cast<std::int64_t>(std::round(mantissa * 2147483648.0));
  if (multiplier == std::int64_t{1} << 31) {
    multiplier /= 2;
    ++shift;
  }
  if (shift < -31) return {};
  if (rounding == Rounding::kSingle && shift > 30) {
    return {.multiplier = std::numeric_limits<std::int32_t>::max(), .shift = 30};
  }
  return {.multiplier = static_cast<std::int32_t>(multiplier), .shift = shift};
}

std::int32_t RoundingDoublingHighMultiply(std::int32_t a, std::int32_t b) {
  if (a == b && a == std::numeric_limits<std::int32_t>::min()) {
    return std::numeric_limits<std::int32_t>::max();
  }
  const std::int64_t product = std::int64_t{a} * b;
  return static_cast<std::int32_t>((product + (std::int64_t{1} << 30)) >> 31);
}

std::int32_t RoundingDivideByPowerOfTwo(std::int32_t x, int exponent) {
  if (exponent == 0) return x;
  const std::int64_t half = std::int64_t{1} << (exponent - 1);
  return static_cast<std::int32_t>((x + half - (x < 0 ? 1 : 0)) >> exponent);
}

std::int32_t Multiply(std::int32_t x, const Multiplier& factor, Rounding rounding) {
  if (rounding == Rounding::kSingle) {
    const int right = 31 - factor.shift;
    const std::int64_t product = std::int64_t{x} * factor.multiplier;
    return static_cast<std::int32_t>((product + (std::int64_t{1} << (right - 1))) >> right);
  }
  const auto shifted =
      static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << std::max(factor.shift, 0));
  return RoundingDivideByPowerOfTwo(RoundingDoublingHighMultiply(shifted, factor.multiplier),
                                    std::max(-factor.shift, 0));
}

std::int32_t ReducedMultiplier(const Multiplier& factor) {
  constexpr std::int32_t kLargest = 0x7FFF;
  constexpr int kDropped = 16;
  if (factor.multiplier >= kLargest << kDropped) return kLargest;
  return (factor.multiplier + (1 << (kDropped - 1))) >> kDropped;
}

std::int32_t MultiplyWide(std::int64_t x, const Multiplier& factor) {
  const int right = 15 - factor.shift;
  const std::int64_t half = std::int64_t{1} << (right - 1);
  return static_cast<std::int32_t>((x * ReducedMultiplier(factor) + half) >> right);
}

}  // namespace tpu::arithmetic
