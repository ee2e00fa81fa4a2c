// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/float/float_functions.h"

#include <cmath>
#include <cstddef>

#include "arithmetic/float/float32.h"
#include "arithmetic/float/float_tables.h"

namespace tpu::arithmetic {
namespace {

constexpr int kBias = 127;
constexpr int kMantissaBits = 23;
constexpr std::uint32_t kMantissa = 0x007FFFFF;

constexpr std::uint32_t kLn2 = 0x3F317218;
constexpr std::uint32_t kStepsPerE = 0x42B8AA3B;     // 64 / ln 2
constexpr std::uint32_t kMinusStep = 0xBC317218;     // -(ln 2) / 64
constexpr std::uint32_t kMinusStepLow = 0x2E02E308;  // what rounding took from it
constexpr std::uint32_t kIntegers = 0x4B400000;  // 1.5 * 2^23: here fp32 numbers are integers apart

const float kInfinity = FloatOf(kFloatInfinity);
const float kNan = FloatOf(kFloatNan);

std::uint32_t Magnitude(float x) { return FloatBits(x) & ~kFloatSign; }
bool IsNegative(float x) { return (FloatBits(x) & kFloatSign) != 0; }
int ExponentField(float x) { return static_cast<int>(Magnitude(x) >> kMantissaBits); }
bool IsNan(float x) { return Magnitude(x) > kFloatInfinity; }

float WithSignOf(float magnitude, float sign) {
  return FloatOf(FloatBits(magnitude) | (FloatBits(sign) & kFloatSign));
}

/// `x` without the mantissa bits below its first `bits`.
float Truncated(float x, int bits) { return FloatOf(FloatBits(x) & ~(kMantissa >> bits)); }

/// The first `bits` bits of the mantissa.
int MantissaIndex(float x, int bits) {
  return static_cast<int>((FloatBits(x) & kMantissa) >> (kMantissaBits - bits));
}

/// The mantissa of `x` with exponent 2^exponent.
float Significand(float x, int exponent) {
  return FloatOf((static_cast<std::uint32_t>(kBias + exponent) << kMantissaBits) |
                 (FloatBits(x) & kMantissa));
}

const std::array<std::uint32_t, 4>& Entry(int entry) {
  return kFloatEntries.at(static_cast<std::size_t>(entry));
}

float Polynomial(int entry, float t) {
  const auto& c = Entry(entry);
  float p = Fma(FloatOf(c[2]), t, FloatOf(c[3]));
  p = Fma(FloatOf(c[1]), t, p);
  return Fma(FloatOf(c[0]), t, p);
}

/// `p` times 2^k, for `p` that is neither zero nor infinite.
float Scale(float p, int k) {
  const int exponent = ExponentField(p) + k;
  if (exponent >= 255) return WithSignOf(kInfinity, p);
  if (exponent <= 0) return WithSignOf(0.0F, p);
  return WithSignOf(Significand(p, exponent - kBias), p);
}

/// For magnitudes below 128.
float ExpOfSmall(float x) {
  const float shifted = Fma(FloatOf(kIntegers), x, FloatOf(kStepsPerE));
  const auto n = static_cast<std::int32_t>(FloatBits(shifted) - kIntegers);
  const float steps = Subtract(shifted, FloatOf(kIntegers));
  float r = Fma(x, steps, FloatOf(kMinusStep));
  r = Fma(r, steps, FloatOf(kMinusStepLow));
  // The polynomial's c1 is c0 here: the entry's c1 is the lower part of c0.
  const auto& c = Entry(kExpEntry + (n & 63));
  float p = Fma(FloatOf(c[2]), r, FloatOf(c[3]));
  p = Fma(FloatOf(c[0]), r, p);
  p = Fma(FloatOf(c[1]), r, p);
  return Scale(Add(FloatOf(c[0]), p), n >> 6);
}

bool IsAtLeast128(float x) { return ExponentField(x) >= kBias + 7; }

}  // namespace

float Exp(float x) {
  x = Canonical(x);
  if (IsNan(x)) return x;
  if (IsAtLeast128(x)) return IsNegative(x) ? 0.0F : kInfinity;
  return ExpOfSmall(x);
}

float Log(float x) {
  x = Canonical(x);
  if (IsNan(x)) return x;
  if (Magnitude(x) == 0) return -kInfinity;
  if (IsNegative(x)) return kNan;
  if (Magnitude(x) == kFloatInfinity) return x;
  const int i = MantissaIndex(x, 7);
  // From 181/128 on, halves: so the logarithm of the significand stays close to zero.
  const bool halve = i >= 53;
  const float m = Significand(x, halve ? -1 : 0);
  float edge = Truncated(m, 7);
  if (halve) edge = FloatOf(FloatBits(edge) + (1U << (kMantissaBits - 7)));
  const float p = Polynomial(kLogEntry + i, Subtract(m, edge));
  const int k = ExponentField(x) - kBias + (halve ? 1 : 0);
  return Fma(p, static_cast<float>(k), FloatOf(kLn2));
}

float Reciprocal(float x) {
  x = Canonical(x);
  if (IsNan(x)) return x;
  if (Magnitude(x) == 0) return WithSignOf(kInfinity, x);
  if (Magnitude(x) == kFloatInfinity) return WithSignOf(0.0F, x);
  const float m = Significand(x, 0);
  const float p = Polynomial(kReciprocalEntry + MantissaIndex(x, 6), Subtract(m, Truncated(m, 6)));
  return WithSignOf(Scale(p, kBias - ExponentField(x)), x);
}

float ReciprocalSquareRoot(float x) {
  x = Canonical(x);
  if (IsNan(x)) return x;
  if (Magnitude(x) == 0) return WithSignOf(kInfinity, x);
  if (IsNegative(x)) return kNan;
  if (Magnitude(x) == kFloatInfinity) return 0.0F;
  const int exponent = ExponentField(x) - kBias;
  const int odd = exponent & 1;
  const float m = Significand(x, odd);
  const float p =
      Polynomial(kRsqrtEntry + (32 * odd) + MantissaIndex(x, 5), Subtract(m, Truncated(m, 5)));
  return Scale(p, -(exponent - odd) / 2);
}

float Logistic(float x) {
  x = Canonical(x);
  if (IsNan(x)) return x;
  const float z = IsAtLeast128(x) ? 0.0F : ExpOfSmall(FloatOf(FloatBits(x) | kFloatSign));
  // Between 0 and 1. The whole multiples of 1/32 are the edges of the segments.
  const int i = static_cast<int>(z * 32);
  const float edge = static_cast<float>(i) / 32;
  const float q = Polynomial(kLogisticEntry + i, Subtract(z, edge));
  return IsNegative(x) ? Fma(z, z, q) : Add(1.0F, q);
}

float Tanh(float x) {
  x = Canonical(x);
  if (IsNan(x)) return x;
  if (Magnitude(x) >= FloatBits(16.0F)) return WithSignOf(1.0F, x);
  if (Magnitude(x) < FloatBits(0.5F)) {
    const float y = Multiply(x, x);
    // Below 1/16, 1/8, 3/16 and 1/4.
    const int i = static_cast<int>(y * 16);
    const float edge = static_cast<float>(i) / 16;
    return Fma(x, x, Polynomial(kTanhEntry + 120 + i, Subtract(y, edge)));
  }
  struct Binade {
    int bits;
    int first;
  };
  constexpr std::array<Binade, 5> kBinades{{{4, 0}, {5, 16}, {5, 48}, {5, 80}, {3, 112}}};
  const float y = FloatOf(Magnitude(x));
  const auto& binade = kBinades.at(static_cast<std::size_t>(ExponentField(x) - kBias + 1));
  const int i = kTanhEntry + binade.first + MantissaIndex(y, binade.bits);
  return WithSignOf(Polynomial(i, Subtract(y, Truncated(y, binade.bits))), x);
}

}  // namespace tpu::arithmetic
