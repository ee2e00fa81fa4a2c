// SPDX-License-Identifier: Apache-2.0
// The machine's floating-point arithmetic, to the bit: fp32 and bf16, to nearest even, subnormal
// numbers count as zero of their sign, every NaN that is made is 0x7FC00000. docs/float.md defines
// it.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace tpu::arithmetic {

inline constexpr std::uint32_t kFloatSign = 0x80000000;
inline constexpr std::uint32_t kFloatInfinity = 0x7F800000;
inline constexpr std::uint32_t kFloatNan = 0x7FC00000;

inline std::uint32_t FloatBits(float x) { return std::bit_cast<std::uint32_t>(x); }
inline float FloatOf(std::uint32_t bits) { return std::bit_cast<float>(bits); }

/// `x`, or the zero of its sign if it is subnormal, or the machine's NaN if it is any NaN.
inline float Canonical(float x) {
  const std::uint32_t magnitude = FloatBits(x) & ~kFloatSign;
  if (magnitude > kFloatInfinity) return FloatOf(kFloatNan);
  return magnitude < 0x00800000 ? FloatOf(FloatBits(x) & kFloatSign) : x;
}

/// The fp32 nearest to a double that is not the result of rounding to nearest itself (exact, or
/// rounded to odd), subnormal results flushed, NaN canonical.
inline float RoundToFloat(double x) {
  // What is smaller is subnormal even if it is rounded to 24 bits before its exponent is looked at.
  constexpr double kSmallest = 0x1.ffffffp-127;
  if (std::abs(x) < kSmallest) return FloatOf(std::signbit(x) ? kFloatSign : 0);
  return std::isnan(x) ? FloatOf(kFloatNan) : static_cast<float>(x);
}

/// s + a * b, rounded once.
inline float Fma(float s, float a, float b) {
  const double addend = Canonical(s);
  // Exact: 48 bits.
  const double product = double{Canonical(a)} * double{Canonical(b)};
  const double sum = addend + product;
  // What rounding took from the sum (Knuth's two-sum). Infinities and NaN make it NaN.
  const double part = sum - addend;
  const double error = (addend - (sum - part)) + (product - part);
  const auto bits = std::bit_cast<std::uint64_t>(sum);
  if ((error < 0 || error > 0) && (bits & 1) == 0) {
    // To odd, so that the rounding to 24 bits is the only one: one step towards the exact sum.
    const bool away = (error > 0) == (sum > 0);
    return RoundToFloat(std::bit_cast<double>(away ? bits + 1 : bits - 1));
  }
  return RoundToFloat(sum);
}

inline float Add(float a, float b) { return Fma(a, b, 1.0F); }
inline float Subtract(float a, float b) { return Fma(a, b, -1.0F); }
inline float Multiply(float a, float b) { return Fma(-0.0F, a, b); }

/// The larger and the smaller number; NaN if either is NaN; +0 is larger than -0.
float Maximum(float a, float b);
float Minimum(float a, float b);

/// bf16 is the upper half of fp32.
inline float FloatOfBf16(std::uint16_t x) {
  return Canonical(FloatOf(static_cast<std::uint32_t>(x) << 16));
}
/// To nearest even; overflow makes infinity.
std::uint16_t Bf16OfFloat(float x);

/// To nearest even.
float FloatOfInt32(std::int32_t x);
/// To nearest even, saturating; NaN makes 0.
std::int32_t Int32OfFloat(float x);
std::int8_t Int8OfFloat(float x);

}  // namespace tpu::arithmetic
