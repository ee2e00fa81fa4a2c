// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/float/float_functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "arithmetic/float/float32.h"
#include "tests/arithmetic/float_error.h"

namespace tpu::arithmetic {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

void ExpectBits(float got, float expected) {
  EXPECT_EQ(FloatBits(got), FloatBits(expected)) << got << " instead of " << expected;
}

class FloatFunctionTest : public testing::TestWithParam<float_error::Function> {};

TEST_P(FloatFunctionTest, IsWithinTwoUlp) {
  float_error::Worst worst;
  // No multiple of a power of two: all low bits occur in every binade.
  float_error::Measure(GetParam(), 0, std::uint64_t{1} << 32, 1009, worst);
  // All of the numbers beside 1, where the logarithm is small.
  float_error::Measure(GetParam(), 0x3F7C0000, 0x3F840000, 1, worst);
  EXPECT_EQ(worst.wrong, 0) << FloatOf(worst.wrong_input);
  EXPECT_LE(worst.ulp, 2) << FloatOf(worst.input);
  // Else nothing was measured.
  EXPECT_GT(worst.ulp, 0.4);
}

TEST_P(FloatFunctionTest, MakesTheOneNanOfEveryNan) {
  for (const std::uint32_t nan :
       {0x7F800001U, 0x7FFFFFFFU, 0xFF800001U, 0xFFC00000U, 0x7FA00000U}) {
    EXPECT_EQ(FloatBits(GetParam().machine(FloatOf(nan))), kFloatNan);
  }
}

TEST_P(FloatFunctionTest, TakesSubnormalNumbersForZero) {
  for (const std::uint32_t sign : {0U, kFloatSign}) {
    ExpectBits(GetParam().machine(FloatOf(sign | 0x007FFFFF)), GetParam().machine(FloatOf(sign)));
  }
}

INSTANTIATE_TEST_SUITE_P(, FloatFunctionTest, testing::ValuesIn(float_error::kFunctions),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(FloatFunctions, SpecialValues) {
  const float nan = FloatOf(kFloatNan);
  ExpectBits(Exp(0.0F), 1);
  ExpectBits(Exp(-0.0F), 1);
  ExpectBits(Exp(kInfinity), kInfinity);
  ExpectBits(Exp(-kInfinity), 0);
  ExpectBits(Exp(89), kInfinity);
  ExpectBits(Exp(-88), 0);
  ExpectBits(Log(1), 0);
  ExpectBits(Log(0.0F), -kInfinity);
  ExpectBits(Log(-0.0F), -kInfinity);
  ExpectBits(Log(-1), nan);
  ExpectBits(Log(-kInfinity), nan);
  ExpectBits(Log(kInfinity), kInfinity);
  ExpectBits(Reciprocal(0.0F), kInfinity);
  ExpectBits(Reciprocal(-0.0F), -kInfinity);
  ExpectBits(Reciprocal(kInfinity), 0.0F);
  ExpectBits(Reciprocal(-kInfinity), -0.0F);
  ExpectBits(Reciprocal(-0x1p-3F), -8);
  ExpectBits(Reciprocal(0x1p126F), 0x1p-126F);
  ExpectBits(Reciprocal(-0x1.000002p126F), -0.0F);
  ExpectBits(ReciprocalSquareRoot(0.0F), kInfinity);
  ExpectBits(ReciprocalSquareRoot(-0.0F), -kInfinity);
  ExpectBits(ReciprocalSquareRoot(-1), nan);
  ExpectBits(ReciprocalSquareRoot(-kInfinity), nan);
  ExpectBits(ReciprocalSquareRoot(kInfinity), 0);
  ExpectBits(ReciprocalSquareRoot(0x1p-126F), 0x1p63F);
  ExpectBits(Tanh(-0.0F), -0.0F);
  ExpectBits(Tanh(0x1p-126F), 0x1p-126F);
  ExpectBits(Tanh(-kInfinity), -1);
  ExpectBits(Tanh(12), 1);
  ExpectBits(Logistic(0.0F), 0.5F);
  ExpectBits(Logistic(-0.0F), 0.5F);
  ExpectBits(Logistic(kInfinity), 1);
  ExpectBits(Logistic(-kInfinity), 0);
  ExpectBits(Logistic(-1000), 0);
  ExpectBits(Logistic(20), 1);
}

}  // namespace
}  // namespace tpu::arithmetic
