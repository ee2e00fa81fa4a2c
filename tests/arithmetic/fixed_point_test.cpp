// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/fixed_point.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace tpu::arithmetic {
namespace {

constexpr std::int32_t kOne = std::numeric_limits<std::int32_t>::max();

double Real(std::int32_t x, int fraction_bits) { return std::ldexp(x, -fraction_bits); }

// What the exponential's series leaves out.
constexpr double kPrecision = 2.5e-7;

TEST(ExpOfNegative, FollowsTheExponential) {
  for (const int integer_bits : {0, 4, 5}) {
    const int fraction_bits = 31 - integer_bits;
    for (std::int64_t x = 0; x > std::numeric_limits<std::int32_t>::min(); x -= 7'654'321) {
      const auto fixed = static_cast<std::int32_t>(x);
      EXPECT_NEAR(Real(ExpOfNegative(fixed, integer_bits), 31),
                  std::exp(Real(fixed, fraction_bits)), kPrecision)
          << x << " with " << integer_bits << " integer bits";
    }
  }
  EXPECT_EQ(ExpOfNegative(0, 5), kOne);
}

TEST(OneOverOnePlus, FollowsTheReciprocal) {
  for (std::int64_t x = 0; x <= kOne; x += 7'654'321) {
    const auto fixed = static_cast<std::int32_t>(x);
    EXPECT_NEAR(Real(OneOverOnePlus(fixed), 31), 1 / (1 + Real(fixed, 31)), kPrecision) << x;
    EXPECT_NEAR(Real(OneMinusOverOnePlus(fixed), 31), (1 - Real(fixed, 31)) / (1 + Real(fixed, 31)),
                kPrecision)
        << x;
  }
}

// The following numbers come from an independent integer program (Python), written from the
// definitions of gemmlowp's fixed-point functions.
TEST(ExpOfNegative, IsExact) {
  struct Case {
    std::int32_t x, q0, q4, q5;  // exp(x) for x with 0, 4 and 5 integer bits
  };
  constexpr std::array kCases = {
      Case{-1, 2147483155, 2147483140, 2147483124},
      Case{-1234567, 2146248955, 2127820810, 2108338452},
      Case{-123456789, 2027508506, 855963115, 341177383},
      Case{-987654321, 1355790146, 1368142, 872},
      Case{std::numeric_limits<std::int32_t>::min(), 790015308, 242, 0},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(ExpOfNegative(c.x, 0), c.q0) << c.x;
    EXPECT_EQ(ExpOfNegative(c.x, 4), c.q4) << c.x;
    EXPECT_EQ(ExpOfNegative(c.x, 5), c.q5) << c.x;
  }
}

TEST(OneOverOnePlus, IsExact) {
  struct Case {
    std::int32_t x, reciprocal, ratio;  // 1 / (1 + x), (1 - x) / (1 + x)
  };
  constexpr std::array kCases = {
      Case{0, kOne, kOne},
      Case{1234567, 2146249788, 2145015928},
      Case{123456789, 2030738432, 1913993216},
      Case{1 << 30, 1431655762, 715827876},
      Case{1987654321, 1115243566, 83003484},
      Case{kOne, 1073741820, -8},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(OneOverOnePlus(c.x), c.reciprocal) << c.x;
    EXPECT_EQ(OneMinusOverOnePlus(c.x), c.ratio) << c.x;
  }
}

TEST(InverseSquareRoot, FollowsTheRealOne) {
  for (std::int64_t x = 1; x < kOne; x += 1 + x / 7) {
    const Multiplier root = InverseSquareRoot(static_cast<std::int32_t>(x));
    const double real = 1 / std::sqrt(static_cast<double>(x));
    EXPECT_NEAR(std::ldexp(Real(root.multiplier, 31), root.shift), real, real * 2e-6) << x;
  }
  EXPECT_EQ(InverseSquareRoot(0), InverseSquareRoot(1));
}

}  // namespace
}  // namespace tpu::arithmetic
