// SPDX-License-Identifier: Apache-2.0
#include "tests/arithmetic/float_oracle.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "arithmetic/float/float32.h"

namespace tpu::float_oracle {
namespace {

bool IsSubnormal(float x) { return std::fpclassify(x) == FP_SUBNORMAL; }

/// A number whose exponent makes something happen beside one of exponent `near`: close to it as
/// often as not.
float RandomFloat(std::mt19937_64& random, int near) {
  const std::uint64_t bits = random();
  const auto word = static_cast<std::uint32_t>(bits);
  const auto choice = static_cast<unsigned>(bits >> 32);
  int exponent = static_cast<int>(choice >> 8 & 0xFF);
  if ((choice & 1) != 0) exponent = near - 26 + static_cast<int>((choice >> 8 & 0xFF) % 53);
  if (exponent < 0 || exponent > 255) exponent = near;
  std::uint32_t mantissa = word & 0x7FFFFF;
  // Long runs of ones or zeros: ties, carries and cancellation.
  if ((choice & 6) == 2) mantissa &= 0x7FFFFFU << (choice >> 16 & 31) % 24;
  if ((choice & 6) == 4) mantissa |= 0x7FFFFFU >> (choice >> 16 & 31) % 24;
  return std::bit_cast<float>((word & 0x80000000U) | static_cast<std::uint32_t>(exponent) << 23 |
                              mantissa);
}

}  // namespace

float Flushed(float x) { return IsSubnormal(x) ? std::copysign(0.0F, x) : x; }

float Fma(float s, float a, float b) {
  s = Flushed(s);
  a = Flushed(a);
  b = Flushed(b);
  const float result = std::fma(a, b, s);
  if (std::isnan(result)) return std::bit_cast<float>(0x7FC00000U);
  if (result == 0 || std::abs(result) > std::numeric_limits<float>::min()) return result;
  // Is it subnormal when its exponent has no bounds? Computes it again 2^64 times as large. The
  // product or the sum cancels s, so that neither s nor the smaller factor is large.
  float& smaller = std::abs(a) < std::abs(b) ? a : b;
  smaller = std::ldexp(smaller, 64);
  const float scaled = std::fma(a, b, std::ldexp(s, 64));
  return std::abs(scaled) < std::ldexp(1.0F, -62) ? std::copysign(0.0F, result) : result;
}

bool Same(float got, float expected) {
  return std::bit_cast<std::uint32_t>(got) == std::bit_cast<std::uint32_t>(expected);
}

Triple RandomTriple(std::mt19937_64& random) {
  const auto exponent_of = [](float x) {
    return static_cast<int>(std::bit_cast<std::uint32_t>(x) >> 23 & 0xFF);
  };
  Triple t{};
  t.a = RandomFloat(random, 127);
  t.b = RandomFloat(random, 127);
  const int product = exponent_of(t.a) + exponent_of(t.b) - 127;
  t.s = RandomFloat(random, product < 0 ? 0 : product > 254 ? 254 : product);
  return t;
}

std::uint64_t CountWrong(std::uint64_t seed, std::uint64_t count, Triple& wrong) {
  std::mt19937_64 random(seed);
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Triple t = RandomTriple(random);
    if (Same(arithmetic::Fma(t.s, t.a, t.b), Fma(t.s, t.a, t.b))) continue;
    wrong = t;
    ++found;
  }
  return found;
}

}  // namespace tpu::float_oracle
