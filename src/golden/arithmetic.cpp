// SPDX-License-Identifier: Apache-2.0
#include "golden/arithmetic.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>

namespace tpu::golden {
namespace {

constexpr int kMinShift = -31;
constexpr int kMaxShift = 30;

/// Nearest, ties away from zero (gemmlowp RoundingDivideByPOT).
std::int64_t RoundingShiftRight(std::int64_t value, int shift) {
  if (shift == 0) return value;
  const std::int64_t half = std::int64_t{1} << (shift - 1);
  return (value + half - (value < 0 ? 1 : 0)) >> shift;
}

/// Nearest, ties to even; shift in [1, 62].
std::int64_t RoundToEven(std::int64_t value, int shift) {
  const std::int64_t floor = value >> shift;
  const std::int64_t rest = value - (floor << shift);
  const std::int64_t half = std::int64_t{1} << (shift - 1);
  return floor + (rest > half || (rest == half && (floor & 1) != 0) ? 1 : 0);
}

}  // namespace

// TensorFlow Lite's default (MultiplyByQuantizedMultiplier without TFLITE_SINGLE_ROUNDING). The
// doubled high half of the product rounds ties towards plus infinity, the shift after it rounds
// ties away from zero. A left shift comes before the multiplication and drops what leaves 32 bits.
std::int32_t RequantiseDouble(std::int32_t value, std::int32_t multiplier, int shift) {
  const std::int64_t shifted = Wrap32(std::int64_t{value} << std::max(shift, 0));
  const std::int64_t high = (shifted * multiplier + (std::int64_t{1} << 30)) >> 31;
  return Wrap32(RoundingShiftRight(high, std::max(-shift, 0)));
}

// TensorFlow Lite built with TFLITE_SINGLE_ROUNDING: ties towards plus infinity.
std::int32_t RequantiseSingle(std::int32_t value, std::int32_t multiplier, int shift) {
  const std::int64_t product = std::int64_t{value} * multiplier;
  return Wrap32((product + (std::int64_t{1} << (30 - shift))) >> (31 - shift));
}

// Truncation of the magnitude: with bias n/2 and multiplier 1/n rounded up this is division by n,
// ties away from zero, as average pooling rounds.
std::int32_t RequantiseDivide(std::int32_t value, std::int32_t bias, std::int32_t multiplier,
                              int shift) {
  const std::int64_t magnitude = Wrap32(std::abs(std::int64_t{value}) + bias);
  const std::int64_t quotient = (magnitude * multiplier) >> (31 - shift);
  return Wrap32(value < 0 ? -quotient : quotient);
}

// Plain integers in place of float32: the result does not hang on how the host rounds. Of the
// product of 24 and 31 bits 24 stay: the lowest one counts 2^30, or 2^31 where the product reaches
// 2^54.
std::int32_t RequantiseFloat(std::int32_t value, std::int32_t multiplier, int shift) {
  constexpr int kMost = 14;
  if (value == 0) return 0;
  shift = std::clamp(shift, kMinShift, kMost);
  const auto magnitude = static_cast<std::uint32_t>(value < 0 ? ~value : value);
  const int left = std::countl_zero(magnitude) - 1;
  const std::int64_t factor = RoundToEven(std::int64_t{value} * (std::int64_t{1} << left), 7);
  const std::int64_t exact = factor * multiplier;
  const int unit = std::abs(exact) >= std::int64_t{1} << 54 ? 31 : 30;
  const std::int64_t product = RoundToEven(exact, unit) * (std::int64_t{1} << unit);
  return Wrap32(RoundToEven(product, std::min(left + 24 - shift, 62)));
}

std::int32_t Requantise(isa::VectorRequant mode, std::int32_t value, std::int32_t bias,
                        std::int32_t multiplier, int shift) {
  // Parameters come from memory unchecked; the clamp only keeps the shifts below defined.
  shift = std::clamp(shift, kMinShift, kMaxShift);
  const std::int32_t biased = Wrap32(std::int64_t{value} + bias);
  switch (mode) {
    case isa::VectorRequant::kNone:
      break;
    case isa::VectorRequant::kDouble:
      return RequantiseDouble(biased, multiplier, shift);
    case isa::VectorRequant::kSingle:
      return RequantiseSingle(biased, multiplier, shift);
    case isa::VectorRequant::kDivide:
      return RequantiseDivide(value, bias, multiplier, shift);
  }
  return biased;
}

std::int32_t Premultiply(isa::VectorRequant mode, std::int32_t b, std::int32_t multiplier,
                         int right_shift) {
  constexpr int kLeftShift = 20;
  const std::int32_t value = Wrap32(std::int64_t{b} << kLeftShift);
  return mode == isa::VectorRequant::kSingle ? RequantiseSingle(value, multiplier, -right_shift)
                                             : RequantiseDouble(value, multiplier, -right_shift);
}

// TensorFlow Lite's MultiplyByQuantizedMultiplier of 64 bits, which both builds round once: ties
// towards plus infinity. The bias has 48 bits, the upper 16 above the multiplier.
std::int32_t RequantiseWide(std::int64_t value, std::int32_t bias, std::int32_t multiplier,
                            int shift) {
  constexpr int kMost = 14;
  shift = std::clamp(shift, kMinShift, kMost);
  const std::int64_t bias48 =
      std::int64_t{multiplier >> 16} * (std::int64_t{1} << 32) + static_cast<std::uint32_t>(bias);
  const std::int64_t factor = multiplier & 0x7FFF;
  const std::int64_t product = Wrap48(value + bias48) * factor;
  return Wrap32((product + (std::int64_t{1} << (14 - shift))) >> (15 - shift));
}

std::int32_t PremultiplyWide(bool single, std::int16_t b, std::int32_t multiplier,
                             int right_shift) {
  constexpr int kLeftShift = 15;
  const std::int32_t value = std::int32_t{b} * (1 << kLeftShift);
  return single ? RequantiseSingle(value, multiplier, -right_shift)
                : RequantiseDouble(value, multiplier, -right_shift);
}

}  // namespace tpu::golden
