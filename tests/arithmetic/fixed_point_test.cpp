#include "arithmetic/fixed_point.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace tpu::arithmetic
