// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/multiplier.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace tpu::arithmetic {
namespace {

constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();

TEST(QuantizeMultiplier, NormalisesToThirtyOneBits) {
  EXPECT_EQ(QuantizeMultiplier(0.0, Rounding::kDouble), Multiplier{});
  EXPECT_EQ(QuantizeMultiplier(1.0, Rounding::kDouble), (Multiplier{1 << 30, 1}));
  EXPECT_EQ(QuantizeMultiplier(0.25, Rounding::kDouble), (Multiplier{1 << 30, -1}));
  // Rounds up to the next power of two.
  EXPECT_EQ(QuantizeMultiplier(std::nextafter(1.0, 0.0), Rounding::kDouble),
            (Multiplier{1 << 30, 1}));
  // Too small to make any difference.
  EXPECT_EQ(QuantizeMultiplier(std::ldexp(1.0, -33), Rounding::kDouble), Multiplier{});
}

TEST(Multiply, RoundsTwiceOrOnce) {
  const Multiplier quarter = {.multiplier = 1 << 30, .shift = -1};
  constexpr std::array kDouble = {-2, -1, -1, -1, -1, 0, 0, 1, 1, 1, 1, 2, 2};
  constexpr std::array kSingle = {-1, -1, -1, -1, 0, 0, 0, 0, 1, 1, 1, 1, 2};
  for (std::int32_t x = -6; x <= 6; ++x) {
    const auto i = static_cast<std::size_t>(x + 6);
    EXPECT_EQ(Multiply(x, quarter, Rounding::kDouble), kDouble.at(i)) << x;
    EXPECT_EQ(Multiply(x, quarter, Rounding::kSingle), kSingle.at(i)) << x;
  }
}

TEST(Multiply, IsWithinOneOfTheRealProduct) {
  constexpr std::uint32_t kSeed = 1;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  for (int i = 0; i < 10000; ++i) {
    const auto x = std::uniform_int_distribution<std::int32_t>(-(1 << 24), 1 << 24)(random);
    const double factor = std::ldexp(std::uniform_real_distribution<double>(0.5, 1.0)(random),
                                     std::uniform_int_distribution<int>(-31, 6)(random));
    for (const Rounding rounding : {Rounding::kDouble, Rounding::kSingle}) {
      const Multiplier multiplier = QuantizeMultiplier(factor, rounding);
      EXPECT_NEAR(Multiply(x, multiplier, rounding), x * factor, 1.01) << x << " * " << factor;
    }
  }
}

TEST(RoundingDoublingHighMultiply, RoundsHalvesUpAndSaturates) {
  EXPECT_EQ(RoundingDoublingHighMultiply(1, 1 << 30), 1);
  EXPECT_EQ(RoundingDoublingHighMultiply(-1, 1 << 30), 0);
  EXPECT_EQ(RoundingDoublingHighMultiply(kMin, kMin), kMax);
  EXPECT_EQ(RoundingDoublingHighMultiply(kMin, kMax), -kMax);
}

TEST(RoundingDivideByPowerOfTwo, RoundsHalvesAwayFromZero) {
  EXPECT_EQ(RoundingDivideByPowerOfTwo(3, 1), 2);
  EXPECT_EQ(RoundingDivideByPowerOfTwo(-3, 1), -2);
  EXPECT_EQ(RoundingDivideByPowerOfTwo(-5, 2), -1);
  EXPECT_EQ(RoundingDivideByPowerOfTwo(7, 0), 7);
  EXPECT_EQ(RoundingDivideByPowerOfTwo(kMin, 31), -1);
  EXPECT_EQ(RoundingDivideByPowerOfTwo(kMax, 31), 1);
}

}  // namespace
}  // namespace tpu::arithmetic
