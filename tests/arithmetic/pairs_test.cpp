// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tpu::arithmetic {
namespace {

// The nearest int8.
int Nearest(double value) { return static_cast<int>(std::clamp(std::round(value), -128.0, 127.0)); }

TEST(SquaredDifference, IsNearTheRealOne) {
  for (const Rounding rounding : {Rounding::kDouble, Rounding::kSingle}) {
    const SquaredDifference difference({0.03F, 5}, {0.05F, -3}, {0.5F, -128}, rounding);
    for (int a = -128; a < 128; ++a) {
      for (int b = -128; b < 128; ++b) {
        const double d = 0.03 * (a - 5) - 0.05 * (b + 3);
        EXPECT_NEAR(int{difference(a, b)}, Nearest(d * d / 0.5 - 128), 1) << a << " " << b;
      }
    }
  }
}

TEST(Quotient, IsNearTheRealOne) {
  for (const Rounding rounding : {Rounding::kDouble, Rounding::kSingle}) {
    // A factor of 3000: no shift goes beyond 31 bits.
    const Quotient quotient({1.0F, 5}, {0.5F, -3}, {1.0F / 1500, 7}, rounding);
    for (int a = -128; a < 128; ++a) {
      for (int b = -128; b < 128; ++b) {
        if (b == -3) continue;
        const double real = (a - 5) / (0.5 * (b + 3)) * 1500 + 7;
        EXPECT_NEAR(int{quotient(a, b)}, Nearest(real), 1) << a << " " << b;
      }
    }
  }
}

TEST(Quotient, ByZeroIsTheLargestOfItsSign) {
  const Quotient quotient({1.0F, 5}, {1.0F, -3}, {1.0F, 7}, Rounding::kDouble);
  EXPECT_EQ(quotient(6, -3), 127);
  EXPECT_EQ(quotient(4, -3), -128);
  EXPECT_EQ(quotient(5, -3), 7);
}

// With a factor of 1/128, TensorFlow Lite Micro (tflite-micro 0.dev20261009205824, on x86) divides
// 0 and 1 by 1 with shifts of 38 and 37 bits, that is of 6 and 5, which leaves 1 and far too much.
TEST(Quotient, ShiftsByMoreThanAWordWrap) {
  const Quotient quotient({0.5F, 0}, {0.5F, 0}, {128.0F, 0}, Rounding::kDouble);
  EXPECT_EQ(quotient(0, 1), 1);
  EXPECT_EQ(quotient(1, 1), 127);
  const Quotient once({0.5F, 0}, {0.5F, 0}, {128.0F, 0}, Rounding::kSingle);
  EXPECT_EQ(once(0, 1), 0);
  EXPECT_EQ(once(1, 1), 0);
}

}  // namespace
}  // namespace tpu::arithmetic
