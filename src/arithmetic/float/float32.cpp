// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/float/float32.h"

#include <limits>

namespace tpu::arithmetic {
namespace {

/// Orders numbers as integers do, -0 below +0. Not for NaN.
std::int32_t OrderOf(float x) {
  const auto bits = std::bit_cast<std::int32_t>(x);
  return bits < 0 ? bits ^ std::numeric_limits<std::int32_t>::max() : bits;
}

template <typename Integer>
Integer IntegerOfFloat(float x) {
  using Limits = std::numeric_limits<Integer>;
  if (std::isnan(x)) return 0;
  // Exact in a double. The host's rounding mode is to nearest even.
  const double rounded = std::nearbyint(double{Canonical(x)});
  if (rounded >= Limits::max()) return Limits::max();
  if (rounded <= Limits::min()) return Limits::min();
  return static_cast<Integer>(rounded);
}

}  // namespace

float Maximum(float a, float b) {
  a = Canonical(a);
  b = Canonical(b);
  if (std::isnan(a) || std::isnan(b)) return FloatOf(kFloatNan);
  return OrderOf(a) > OrderOf(b) ? a : b;
}

float Minimum(float a, float b) {
  a = Canonical(a);
  b = Canonical(b);
  if (std::isnan(a) || std::isnan(b)) return FloatOf(kFloatNan);
  return OrderOf(a) < OrderOf(b) ? a : b;
}

std::uint16_t Bf16OfFloat(float x) {
  const std::uint32_t bits = FloatBits(Canonical(x));
  if ((bits & ~kFloatSign) > kFloatInfinity) return kFloatNan >> 16;
  // A carry out of the significand counts the exponent up, to infinity at the last.
  const std::uint32_t odd = (bits >> 16) & 1;
  return static_cast<std::uint16_t>((bits + 0x7FFF + odd) >> 16);
}

float FloatOfInt32(std::int32_t x) { return static_cast<float>(x); }

std::int32_t Int32OfFloat(float x) { return IntegerOfFloat<std::int32_t>(x); }
std::int8_t Int8OfFloat(float x) { return IntegerOfFloat<std::int8_t>(x); }

}  // namespace tpu::arithmetic
