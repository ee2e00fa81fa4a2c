// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/pairs.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

#include "arithmetic/fixed_point.h"
#include "arithmetic/saturate.h"

namespace tpu::arithmetic {
namespace {

constexpr int kBits = 31;  // Of a number beside its sign.

}  // namespace

SquaredDifferenceFactors::SquaredDifferenceFactors(float first_scale, float second_scale,
                                                   float output_scale, int fraction_bits,
                                                   Rounding rounding) {
  const double twice = 2.0 * static_cast<double>(std::max(first_scale, second_scale));
  first = QuantizeMultiplier(static_cast<double>(first_scale) / twice, rounding);
  second = QuantizeMultiplier(static_cast<double>(second_scale) / twice, rounding);
  const float unit = static_cast<float>(1 << (2 * fraction_bits)) * output_scale;
  output = QuantizeMultiplier(twice * twice / static_cast<double>(unit), rounding);
}

SquaredDifference::SquaredDifference(const Quantisation& first, const Quantisation& second,
                                     const Quantisation& output, Rounding rounding)
    : first_(first),
      second_(second),
      output_(output),
      rounding_(rounding),
      factors_(first.scale, second.scale, output.scale, kDifferenceBits, rounding) {}

std::int8_t SquaredDifference::operator()(std::int32_t first, std::int32_t second) const {
  const auto scaled = [&](std::int32_t value, const Multiplier& factor) {
    return Multiply(value * (1 << kDifferenceBits), factor, rounding_);
  };
  const std::int32_t difference = scaled(first - first_.zero_point, factors_.first) -
                                  scaled(second - second_.zero_point, factors_.second);
  return SaturateToInt8(
      std::int64_t{Multiply(difference * difference, factors_.output, rounding_)} +
      output_.zero_point);
}

ComparedValue::ComparedValue(const Quantisation& quantisation, Rounding rounding)
    : zero_point_(quantisation.zero_point),
      rounding_(rounding),
      factor_(QuantizeMultiplier(static_cast<double>(quantisation.scale), rounding)) {}

std::int32_t ComparedValue::operator()(std::int32_t value) const {
  constexpr std::int32_t kUnits = 256;
  return Multiply((value - zero_point_) * kUnits, factor_, rounding_);
}

Quotient::Quotient(const Quantisation& first, const Quantisation& second,
                   const Quantisation& output, Rounding rounding)
    : first_(first), second_(second), output_(output), rounding_(rounding) {
  // TensorFlow Lite computes this factor in float32.
  const float factor = first.scale / (second.scale * output.scale);
  factor_ = QuantizeMultiplier(static_cast<double>(factor), rounding);
}

std::int8_t Quotient::operator()(std::int32_t first, std::int32_t second) const {
  std::int32_t dividend = first - first_.zero_point;
  std::int32_t divisor = second - second_.zero_point;
  if (divisor == 0) return DividedByZero(dividend);
  if (divisor < 0) {
    dividend = -dividend;
    divisor = -divisor;
  }
  const int above = std::countl_zero(static_cast<std::uint32_t>(divisor));
  const auto fraction = static_cast<std::int32_t>((static_cast<std::uint32_t>(divisor) << above) -
                                                  (std::uint32_t{1} << kBits));
  const std::int32_t reciprocal = OneOverOnePlus(fraction);
  // The dividend is shifted as far to the left as there is room.
  const auto magnitude = static_cast<std::uint32_t>(dividend < 0 ? ~dividend : dividend);
  const int room = std::countl_zero(magnitude) - 1;
  const bool exact = rounding_ == Rounding::kSingle && room == kBits;  // No bits fall out.
  const std::int32_t quotient =
      exact ? dividend * reciprocal
            : Multiply(dividend, {.multiplier = reciprocal, .shift = room}, rounding_);
  const int shift = factor_.shift - (kBits - above) - room;
  return SaturateToInt8(std::int64_t{Scaled(quotient, shift)} + output_.zero_point);
}

std::int32_t Quotient::Scaled(std::int32_t quotient, int shift) const {
  if (shift >= -kBits) {
    return Multiply(quotient, {.multiplier = factor_.multiplier, .shift = shift}, rounding_);
  }
  if (rounding_ == Rounding::kSingle) return 0;
  // A mask of the bits that fall out, made in 64 bits, and a shift of 32 bits: both wrap.
  const std::int32_t high = RoundingDoublingHighMultiply(quotient, factor_.multiplier);
  const int right = -shift % (2 * (kBits + 1));
  if (right <= kBits) return RoundingDivideByPowerOfTwo(high, right);
  return (high >> (right - kBits - 1)) + (high >= 0 ? 1 : 0);
}

std::int8_t Quotient::DividedByZero(std::int32_t dividend) const {
  if (dividend == 0) return SaturateToInt8(output_.zero_point);
  return dividend < 0 ? std::numeric_limits<std::int8_t>::min()
                      : std::numeric_limits<std::int8_t>::max();
}

}  // namespace tpu::arithmetic
