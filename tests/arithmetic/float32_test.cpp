// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/float/float32.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "tests/arithmetic/float_oracle.h"
#include "tests/seeds.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tpu::arithmetic {
namespace {

/// Both signs of: zero, subnormal, smallest, around 1, odd and even, largest, infinite, NaN.
std::vector<float> SpecialValues() {
  std::vector<float> values;
  for (const std::uint32_t bits :
       {0x00000000U, 0x00000001U, 0x00400000U, 0x007FFFFFU, 0x00800000U, 0x00800001U, 0x00FFFFFFU,
        0x01000000U, 0x0C000000U, 0x0C800000U, 0x1F800000U, 0x1FFFFFFFU, 0x20000000U, 0x33000000U,
        0x33800000U, 0x33800001U, 0x34000000U, 0x3EFFFFFFU, 0x3F000000U, 0x3F7FFFFFU, 0x3F800000U,
        0x3F800001U, 0x3F800002U, 0x3FC00000U, 0x40000000U, 0x4B000000U, 0x4B7FFFFFU, 0x4B800000U,
        0x5F7FFFFFU, 0x5F800000U, 0x7E800000U, 0x7EFFFFFFU, 0x7F000000U, 0x7F7FFFFEU, 0x7F7FFFFFU,
        0x7F800000U, 0x7F800001U, 0x7FC00000U, 0x7FFFFFFFU}) {
    values.push_back(FloatOf(bits));
    values.push_back(FloatOf(bits | kFloatSign));
  }
  return values;
}

void ExpectFma(float s, float a, float b) {
  const float expected = float_oracle::Fma(s, a, b);
  const float got = Fma(s, a, b);
  ASSERT_TRUE(float_oracle::Same(got, expected))
      << std::hexfloat << s << " + " << a << " * " << b << " = " << expected << ", got " << got;
}

TEST(Float32Fma, SpecialValuesCrossed) {
  const auto values = SpecialValues();
  for (const float s : values) {
    for (const float a : values) {
      for (const float b : values) ExpectFma(s, a, b);
    }
  }
}

TEST(Float32Fma, RandomTriples) {
  for (const unsigned seed : Seeds(4)) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    for (int i = 0; i < 1000000; ++i) {
      const auto t = float_oracle::RandomTriple(random);
      ExpectFma(t.s, t.a, t.b);
      if (HasFatalFailure()) return;
    }
  }
}

// Around the smallest normal number: what counts as subnormal is decided after rounding.
TEST(Float32Fma, FlushesAfterRounding) {
  const float smallest = 0x1p-126F;
  // A quarter of a unit below it rounds to it, three quarters round to a subnormal number.
  EXPECT_EQ(Fma(smallest, -0x1p-76F, 0x1p-76F), smallest);
  EXPECT_EQ(FloatBits(Fma(smallest, -0x3p-76F, 0x1p-76F)), 0U);
  EXPECT_EQ(FloatBits(Fma(-smallest, 0x3p-76F, 0x1p-76F)), kFloatSign);
  for (const unsigned seed : Seeds(2)) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    for (int i = 0; i < 500000; ++i) {
      const std::uint64_t bits = random();
      const float s = FloatOf(0x00800000U + static_cast<std::uint32_t>(bits & 3));
      const float a = FloatOf(0x1F800000U + static_cast<std::uint32_t>(bits >> 8 & 0x1FFFFFF));
      const float b = FloatOf(0xA0000000U - static_cast<std::uint32_t>(bits >> 40 & 0x0FFFFFF));
      ExpectFma(s, a, b);
      ExpectFma(0.0F, a, b);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Float32, AddSubtractMultiplyAreTheHosts) {
  for (const float a : SpecialValues()) {
    for (const float b : SpecialValues()) {
      const auto host = [](float x) { return float_oracle::Flushed(x); };
      const auto expect = [&](float got, float exact, const char* what) {
        const float expected = std::isnan(exact) ? FloatOf(kFloatNan) : exact;
        EXPECT_TRUE(float_oracle::Same(got, expected))
            << std::hexfloat << a << what << b << " = " << expected << ", got " << got;
      };
      // Sums are never inexact and subnormal.
      expect(Add(a, b), host(host(a) + host(b)), " + ");
      expect(Subtract(a, b), host(host(a) - host(b)), " - ");
      const double product = double{host(a)} * double{host(b)};
      const auto rounded = static_cast<float>(product);
      const bool flush = std::abs(product) < 0x1.ffffffp-127;
      expect(Multiply(a, b), flush ? std::copysign(0.0F, rounded) : rounded, " * ");
    }
  }
}

TEST(Float32, MaximumAndMinimum) {
  for (const float a : SpecialValues()) {
    for (const float b : SpecialValues()) {
      float high = float_oracle::Flushed(a);
      float low = float_oracle::Flushed(b);
      if (high < low || (high == 0 && low == 0 && std::signbit(high))) std::swap(high, low);
      if (std::isnan(a) || std::isnan(b)) high = low = FloatOf(kFloatNan);
      EXPECT_TRUE(float_oracle::Same(Maximum(a, b), high)) << a << ", " << b;
      EXPECT_TRUE(float_oracle::Same(Minimum(a, b), low)) << a << ", " << b;
    }
  }
}

TEST(Float32, EveryBf16ToFloatAndBack) {
  for (std::uint32_t x = 0; x <= 0xFFFF; ++x) {
    const float wide = FloatOfBf16(static_cast<std::uint16_t>(x));
    const std::uint32_t magnitude = x & 0x7FFF;
    const std::uint32_t expected = magnitude > 0x7F80 ? 0x7FC0 : magnitude < 0x80 ? x & 0x8000 : x;
    EXPECT_EQ(FloatBits(wide), expected << 16);
    EXPECT_EQ(Bf16OfFloat(wide), expected);
  }
}

// Every bf16 number and what lies between it and the next.
TEST(Float32, FloatToBf16RoundsToNearestEven) {
  for (std::uint32_t x = 0x0080; x < 0x7F80; ++x) {
    for (const std::uint32_t low : {0U, 1U, 0x7FFFU, 0x8000U, 0x8001U, 0xFFFFU}) {
      const std::uint32_t up = low > 0x8000 || (low == 0x8000 && x % 2 == 1) ? 1 : 0;
      EXPECT_EQ(Bf16OfFloat(FloatOf(x << 16 | low)), x + up);
      EXPECT_EQ(Bf16OfFloat(FloatOf(kFloatSign | x << 16 | low)), 0x8000 + x + up);
    }
  }
  // Subnormal as fp32: flushed before it is rounded.
  EXPECT_EQ(Bf16OfFloat(FloatOf(0x007FFFFF)), 0);
  EXPECT_EQ(Bf16OfFloat(FloatOf(0xFFFFFFFF)), 0x7FC0);
}

TEST(Float32, IntegerOfFloatRoundsToNearestEvenAndSaturates) {
  for (int x = -300; x <= 300; ++x) {
    const auto whole = static_cast<float>(x);
    const auto clamp = [](int value) { return std::min(127, std::max(-128, value)); };
    EXPECT_EQ(Int8OfFloat(whole), clamp(x));
    EXPECT_EQ(Int8OfFloat(whole + 0.5F), clamp(x % 2 == 0 ? x : x + 1));
    EXPECT_EQ(Int8OfFloat(std::nextafter(whole + 0.5F, 1e9F)), clamp(x + 1));
    EXPECT_EQ(Int8OfFloat(std::nextafter(whole + 0.5F, -1e9F)), clamp(x));
    EXPECT_EQ(Int32OfFloat(whole + 0.5F), x % 2 == 0 ? x : x + 1);
  }
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
  EXPECT_EQ(Int32OfFloat(kInfinity), kMost);
  EXPECT_EQ(Int32OfFloat(-kInfinity), kLeast);
  EXPECT_EQ(Int32OfFloat(0x1p31F), kMost);
  EXPECT_EQ(Int32OfFloat(-0x1p31F), kLeast);
  EXPECT_EQ(Int32OfFloat(0x1.fffffep30F), 0x7FFFFF80);
  EXPECT_EQ(Int32OfFloat(FloatOf(kFloatNan)), 0);
  EXPECT_EQ(Int32OfFloat(FloatOf(0xFF800001)), 0);
  EXPECT_EQ(Int8OfFloat(FloatOf(kFloatNan)), 0);
  EXPECT_EQ(Int8OfFloat(kInfinity), 127);
  EXPECT_EQ(Int8OfFloat(-1e30F), -128);
}

TEST(Float32, FloatOfIntegerRoundsToNearestEven) {
  for (int x = -128; x < 128; ++x) EXPECT_EQ(FloatOfInt32(x), static_cast<float>(x));
  EXPECT_EQ(FloatBits(FloatOfInt32(0)), 0U);
  EXPECT_EQ(FloatOfInt32(0x01000001), 0x1p24F);
  EXPECT_EQ(FloatOfInt32(0x01000003), 0x1.000004p24F);
  EXPECT_EQ(FloatOfInt32(-0x01000003), -0x1.000004p24F);
  EXPECT_EQ(FloatOfInt32(std::numeric_limits<std::int32_t>::max()), 0x1p31F);
  EXPECT_EQ(FloatOfInt32(std::numeric_limits<std::int32_t>::min()), -0x1p31F);
}

#if defined(__x86_64__)
/// s + a * b of bf16 a and b by VDPBF16PS, whose other products are zero.
__attribute__((target("avx512bf16,avx512vl"))) float DotProduct(float s, std::uint16_t a,
                                                                std::uint16_t b) {
  const __m128i wide_a = _mm_set1_epi32(a);
  const __m128i wide_b = _mm_set1_epi32(b);
  const __m128 sum = _mm_dpbf16_ps(_mm_set1_ps(s), std::bit_cast<__m128bh>(wide_a),
                                   std::bit_cast<__m128bh>(wide_b));
  return _mm_cvtss_f32(sum);
}

TEST(Float32Fma, EqualsTheProcessorsBf16Product) {
  if (__builtin_cpu_supports("avx512bf16") == 0 || __builtin_cpu_supports("avx512vl") == 0) {
    GTEST_SKIP() << "this processor has no VDPBF16PS";
  }
  std::vector<std::uint16_t> special;
  for (const float x : SpecialValues())
    special.push_back(static_cast<std::uint16_t>(FloatBits(x) >> 16));
  const auto expect = [](float s, std::uint16_t a, std::uint16_t b) {
    const float got = Fma(s, FloatOfBf16(a), FloatOfBf16(b));
    const float expected = DotProduct(s, a, b);
    // The payload of a NaN and the sign of an exact zero are not the instruction's to say.
    if (std::isnan(expected) || expected == 0) {
      ASSERT_TRUE(std::isnan(expected) ? std::isnan(got) : got == 0) << s << " " << a << " " << b;
    } else {
      ASSERT_EQ(FloatBits(got), FloatBits(expected)) << std::hexfloat << s << " " << a << " " << b;
    }
  };
  for (const float s : SpecialValues()) {
    for (const std::uint16_t a : special) {
      for (const std::uint16_t b : special) expect(s, a, b);
    }
  }
  for (const unsigned seed : Seeds(4)) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    for (int i = 0; i < 1000000 && !HasFatalFailure(); ++i) {
      const auto t = float_oracle::RandomTriple(random);
      expect(t.s, static_cast<std::uint16_t>(FloatBits(t.a) >> 16),
             static_cast<std::uint16_t>(FloatBits(t.b) >> 16));
    }
  }
}
#endif

}  // namespace
}  // namespace tpu::arithmetic
