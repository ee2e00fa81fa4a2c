// SPDX-License-Identifier: Apache-2.0
// Multipliers and bounds against values worked out by hand from TensorFlow Lite's definitions.
#include "compiler/quantise/quantization.h"

#include <gtest/gtest.h>

#include "compiler/compile.h"
#include "compiler/quantise/float_rounding.h"
#include "compiler/quantise/float_sum.h"
#include "compiler/quantise/float_tables.h"

namespace tpu::compiler {
namespace {

ir::Tensor WithScale(float scale, std::int32_t zero_point = 0) {
  ir::Tensor tensor;
  tensor.scale = scale;
  tensor.zero_point = zero_point;
  return tensor;
}

ir::Tensor OfInt16(float scale) {
  ir::Tensor tensor = WithScale(scale);
  tensor.type = ElementType::kInt16;
  return tensor;
}

constexpr std::int32_t kHalf = 1 << 30;

TEST(QuantizeMultiplier, PowersOfTwo) {
  EXPECT_EQ(QuantizeMultiplier(1.0, Rounding::kDouble), (Multiplier{kHalf, 1}));
  EXPECT_EQ(QuantizeMultiplier(0.5, Rounding::kDouble), (Multiplier{kHalf, 0}));
  EXPECT_EQ(QuantizeMultiplier(0.25, Rounding::kDouble), (Multiplier{kHalf, -1}));
}

TEST(QuantizeMultiplier, ZeroAndAlmostZeroAreZero) {
  EXPECT_EQ(QuantizeMultiplier(0.0, Rounding::kDouble), (Multiplier{0, 0}));
  EXPECT_EQ(QuantizeMultiplier(1e-12, Rounding::kDouble), (Multiplier{0, 0}));
}

TEST(QuantizeMultiplier, MantissaThatRoundsUpToOneMovesTheShift) {
  EXPECT_EQ(QuantizeMultiplier(1.0 - 1e-12, Rounding::kDouble), (Multiplier{kHalf, 1}));
}

TEST(QuantizeMultiplier, SingleRoundingLimitsTheShift) {
  EXPECT_EQ(QuantizeMultiplier(1e12, Rounding::kSingle), (Multiplier{0x7FFFFFFF, 30}));
}

TEST(FloatRounding, FactorsHave24BitsAndRoundEachOperation) {
  // 0.1F is 0xCCCCCD * 2^-27.
  EXPECT_EQ(FloatMultiplier(0.1F), (Multiplier{0xCCCCCD << 7, -3}));
  const float third = 1.0F / 3.0F;
  const float factor = third * 0.7F / 0.9F;
  const auto multipliers =
      ConvMultipliers(WithScale(third), WithScale(0.7F), WithScale(0.9F), 2, Rounding::kFloat);
  EXPECT_EQ(multipliers, (std::vector<Multiplier>(2, FloatMultiplier(factor))));
  EXPECT_EQ(multipliers[0].multiplier & 0x7F, 0);
  EXPECT_EQ(MulMultiplier(WithScale(third), WithScale(0.7F), WithScale(0.9F), Rounding::kFloat),
            multipliers[0]);
  EXPECT_EQ(FullyConnectedMultipliers(WithScale(third), WithScale(0.7F), WithScale(0.9F), 2,
                                      Rounding::kFloat),
            multipliers);
  EXPECT_EQ(
      ConvMultipliers(WithScale(third), WithScale(0.7F), OfInt16(0.9F), 1, Rounding::kFloat),
      ConvMultipliers(WithScale(third), WithScale(0.7F), OfInt16(0.9F), 1, Rounding::kDouble));
}

// 6 / 4 is 1.5: away from zero in TensorFlow Lite, 2; with a zero point of 1 the even one
// of 2.5, 2.
TEST(FloatRounding, BoundsRoundWithTheirZeroPoint) {
  const ir::Tensor output = WithScale(4.0F, 1);
  EXPECT_EQ(ActivationBounds(ir::Activation::kRelu6, output), (Bounds{.lo = 1, .hi = 3}));
  EXPECT_EQ(ActivationBounds(ir::Activation::kRelu6, output, Rounding::kFloat),
            (Bounds{.lo = 1, .hi = 2}));
  EXPECT_EQ(ActivationBounds(ir::Activation::kNone, output, Rounding::kFloat), Bounds{});
}

TEST(FloatRounding, OfSomeOperatorsAlone) {
  EXPECT_EQ(RoundingOf("CONV_2D", Rounding::kFloat), Rounding::kFloat);
  EXPECT_EQ(RoundingOf("RESIZE_BILINEAR", Rounding::kFloat), Rounding::kSingle);
  EXPECT_EQ(RoundingOf("PRELU", Rounding::kFloat), Rounding::kDouble);
  EXPECT_EQ(RoundingOf("PRELU", Rounding::kSingle), Rounding::kSingle);
}

// 12.5 with a zero point of -1 is 11.5, whose even neighbour is 12; rounded before, 12 becomes 11.
TEST(FloatRounding, SquaresRoundWithTheirZeroPoint) {
  const ir::Lookup square =
      FloatSquareTable(ir::Activation::kNone, WithScale(0.5F), WithScale(32.0F, -1));
  EXPECT_EQ(square.table[40], 12);
}

// Ratios 1/2 and 1/3 become 2^20 and 699051, shifted right by 21.
TEST(FloatRounding, SumsRoundHalvesUpwards) {
  const auto sum = FloatSumOf(ir::BinaryKind::kSub, WithScale(0.5F), WithScale(1.0F / 3.0F),
                              WithScale(1.0F, 3), Rounding::kFloat);
  ASSERT_TRUE(sum);
  EXPECT_EQ((*sum)(1, 0), 4);
  EXPECT_EQ((*sum)(-1, 0), 3);
  EXPECT_EQ((*sum)(0, 2), 2);
  EXPECT_FALSE(FloatSumOf(ir::BinaryKind::kAdd, WithScale(256.0F), WithScale(1), WithScale(1),
                          Rounding::kFloat));
}

// ONNX Runtime rounds the sum of 0.5 and the zero point 3 to the even 4, and a difference without
// the zero point.
TEST(FloatRounding, SumsOfOnnxRoundHalvesToEven) {
  const auto of = [](ir::BinaryKind kind) {
    return *FloatSumOf(kind, WithScale(0.5F), WithScale(0.5F), WithScale(1.0F, 3),
                       Rounding::kOnnxRuntime);
  };
  EXPECT_EQ(of(ir::BinaryKind::kAdd)(1, 0), 4);
  EXPECT_EQ(of(ir::BinaryKind::kAdd)(3, 0), 4);
  EXPECT_EQ(of(ir::BinaryKind::kSub)(1, 0), 3);
  EXPECT_EQ(of(ir::BinaryKind::kSub)(3, 0), 5);
}

// With these scales the vector unit misses one sum of 65536 by a step unless a bias is added.
TEST(FloatRounding, SumsAreFittedToTheVectorUnit) {
  const ir::Tensor first = WithScale(0.031713095F, 73);
  const ir::Tensor second = WithScale(0.01893486F, -30);
  const ir::Tensor output = WithScale(0.0075963093F, -25);
  const auto fitted = [&](const ir::Tensor& a, const ir::Tensor& b, Rounding rounding) {
    const FloatSum sum = *FloatSumOf(ir::BinaryKind::kAdd, a, b, output, rounding);
    return VectorSumOf(ir::BinaryKind::kAdd, a, b, output, rounding, sum);
  };
  const VectorSum vector = fitted(first, second, Rounding::kFloat);
  EXPECT_EQ(vector.bias, 1);
  EXPECT_EQ(vector.rounding, Rounding::kSingle);
  EXPECT_EQ(vector.zero_point, -25);
  EXPECT_TRUE(vector.multipliers.first_is_larger);
  EXPECT_FALSE(fitted(second, first, Rounding::kFloat).multipliers.first_is_larger);
  EXPECT_EQ(fitted(output, output, Rounding::kFloat).bias, 0);
  // Of a network: two sums of opposite sign, which no bias alone moves in opposite directions.
  const ir::Tensor a = WithScale(0.24553546F, -7);
  const ir::Tensor b = WithScale(0.3608494F, -3);
  const ir::Tensor y = WithScale(0.40290648F, -1);
  const FloatSum sum = *FloatSumOf(ir::BinaryKind::kAdd, a, b, y, Rounding::kFloat);
  const VectorSum close = VectorSumOf(ir::BinaryKind::kAdd, a, b, y, Rounding::kFloat, sum);
  EXPECT_EQ(close.bias, 0);
  EXPECT_EQ(
      close.multipliers.small,
      (Multiplier{
          QuantizeMultiplier(1278027.0 / 1878242.0 / 2.0, Rounding::kSingle).multiplier - 16, -1}));
  // The zero point of -25 in units of 2^19.
  EXPECT_EQ(fitted(output, output, Rounding::kOnnxRuntime).bias, -25 * (1 << 19));
  EXPECT_EQ(fitted(output, output, Rounding::kOnnxRuntime).zero_point, 0);
}

// Factors of 1/3 are 85/256, not 85.33; -85 * 85/256 is -28.2 and 127 * 85/256 is 42.2.
TEST(FloatRounding, TablesHaveFactorsIn256ths) {
  const auto table = FloatQuantizeTable(WithScale(1.0F / 3.0F), WithScale(1.0F));
  ASSERT_TRUE(table);
  EXPECT_EQ(table->table[126], 42);
  EXPECT_EQ(table->table[256 - 126], -42);
  const auto halves = FloatQuantizeTable(WithScale(0.5F), WithScale(1.0F));
  ASSERT_TRUE(halves);
  EXPECT_EQ(halves->table[1], 1) << "halves go upwards";
  EXPECT_EQ(halves->table[255], 0);
  EXPECT_FALSE(FloatQuantizeTable(WithScale(1.0F), WithScale(300.0F)));
  const auto leaky = FloatLeakyReluTable(0.5F, WithScale(1.0F / 3.0F), WithScale(1.0F));
  ASSERT_TRUE(leaky);
  EXPECT_EQ(leaky->table[126], 42);
  EXPECT_EQ(leaky->table[256 - 126], -21);
  EXPECT_FALSE(FloatLeakyReluTable(0.001F, WithScale(1.0F), WithScale(1.0F)));
}

TEST(FloatRounding, FunctionsAreThoseOfFloat32) {
  const auto logistic =
      FloatUnaryTable(ir::UnaryKind::kLogistic, WithScale(1.0F), WithScale(1.0F / 256.0F, -128));
  ASSERT_TRUE(logistic);
  EXPECT_EQ(logistic->table[0], 0);
  EXPECT_EQ(logistic->table[1], 59);  // 187.15 - 128
  EXPECT_EQ(logistic->table[127], 127);
  EXPECT_FALSE(FloatUnaryTable(ir::UnaryKind::kRelu, WithScale(1.0F), WithScale(1.0F)));
}

// 0.5 and the zero point -3 become the even -2.
TEST(FloatRounding, MeansRoundWithTheirZeroPoint) {
  const ir::Lookup mean = FloatMeanTable(WithScale(0.5F), WithScale(1.0F, -3));
  EXPECT_EQ(mean.table[1], -2);
  EXPECT_EQ(mean.table[3], -2);
  std::int32_t zero_point = -3;
  std::int32_t bias = 10;
  MoveZeroPoint(zero_point, bias, FloatMultiplier(0.5F * (1.0F / 3.0F)));
  EXPECT_EQ(zero_point, 0);
  EXPECT_EQ(bias, 10 - 18);
  zero_point = -3;
  MoveZeroPoint(zero_point, bias, FloatMultiplier(0.7F));  // -3 / 0.7 is -4.29.
  EXPECT_EQ(zero_point, -3);
}

// 1/6 as the product of 1/2 and 1/3, each float32.
TEST(FloatRounding, MeansMultiplyByTheInverseCount) {
  EXPECT_EQ(ReduceMultiplier(ir::ReduceKind::kMean, 3, WithScale(0.5F), WithScale(1.0F),
                             Rounding::kFloat),
            FloatMultiplier(0.5F * (1.0F / 3.0F)));
}

TEST(QuantizeMultiplier, RoundsToNearest) {
  // 1/3 = 2/3 * 2^-1; 2/3 * 2^31 = 1431655765.33
  EXPECT_EQ(QuantizeMultiplier(1.0 / 3.0, Rounding::kDouble), (Multiplier{1431655765, -1}));
  // 2/3 + a little more than half a step
  EXPECT_EQ(QuantizeMultiplier(1431655765.6 / 2147483648.0, Rounding::kDouble),
            (Multiplier{1431655766, 0}));
}

TEST(ActivationBounds, AreQuantisedWithTheOutput) {
  const ir::Tensor output = WithScale(0.05F, -10);
  EXPECT_EQ(ActivationBounds(ir::Activation::kNone, output), (Bounds{-128, 127}));
  EXPECT_EQ(ActivationBounds(ir::Activation::kRelu, output), (Bounds{-10, 127}));
  EXPECT_EQ(ActivationBounds(ir::Activation::kRelu6, output), (Bounds{-10, 110}));
  EXPECT_EQ(ActivationBounds(ir::Activation::kReluN1To1, output), (Bounds{-30, 10}));
  EXPECT_EQ(ActivationBounds(ir::Activation::kRelu6, WithScale(0.01F, 0)), (Bounds{0, 127}));
  EXPECT_EQ(ActivationBounds(ir::Activation::kRelu6, WithScale(1e-38F, 0)), (Bounds{0, 127}));
}

TEST(ActivationBounds, AreWiderOnInt16) {
  EXPECT_EQ(ActivationBounds(ir::Activation::kNone, OfInt16(0.05F)), (Bounds{-32768, 32767}));
  EXPECT_EQ(ActivationBounds(ir::Activation::kRelu, OfInt16(0.05F)), (Bounds{0, 32767}));
  EXPECT_EQ(ActivationBounds(ir::Activation::kRelu6, OfInt16(0.001F)), (Bounds{0, 6000}));
  EXPECT_EQ(ActivationBounds(ir::Activation::kRelu6, OfInt16(0.0001F)), (Bounds{0, 32767}));
  EXPECT_EQ(ActivationBounds(ir::Activation::kReluN1To1, OfInt16(0.001F)), (Bounds{-1000, 1000}));
}

TEST(ReducedMultiplier, IsTheNearestOfTheUpperBits) {
  EXPECT_EQ(ReducedMultiplier({.multiplier = kHalf, .shift = 0}), 0x4000);
  EXPECT_EQ(ReducedMultiplier({.multiplier = kHalf + 0x7FFF, .shift = 0}), 0x4000);
  EXPECT_EQ(ReducedMultiplier({.multiplier = kHalf + 0x8000, .shift = 0}), 0x4001) << "halves up";
  EXPECT_EQ(ReducedMultiplier({.multiplier = 0x7FFE7FFF, .shift = 0}), 0x7FFE);
  EXPECT_EQ(ReducedMultiplier({.multiplier = 0x7FFEFFFF, .shift = 0}), 0x7FFF);
  EXPECT_EQ(ReducedMultiplier({.multiplier = 0x7FFFFFFF, .shift = 0}), 0x7FFF) << "not 0x8000";
}

// The numbers of the following tests come from exact rational arithmetic (Python's fractions) on
// the float32 and float64 values that TensorFlow Lite's kernels compute.

// The product of FULLY_CONNECTED's scales is float32 when the weights have one scale.
TEST(Multipliers, PrecisionOfTheProductDependsOnTheOperator) {
  constexpr Multiplier kExact = {1472560321, -4};
  constexpr Multiplier kProductInFloat = {1472560299, -4};
  const ir::Tensor input = WithScale(0.1F);
  ir::Tensor weights = WithScale(0.3F);
  const ir::Tensor output = WithScale(0.7F);
  EXPECT_EQ(ConvMultipliers(input, weights, output, 1, Rounding::kDouble)[0], kExact);
  EXPECT_EQ(MulMultiplier(input, weights, output, Rounding::kDouble), kExact);
  EXPECT_EQ(FullyConnectedMultipliers(input, weights, output, 2, Rounding::kDouble),
            std::vector<Multiplier>(2, kProductInFloat));
  weights.channel_scales = {0.3F, 0.5F};
  EXPECT_EQ(ConvMultipliers(input, weights, output, 2, Rounding::kDouble),
            (std::vector<Multiplier>{kExact, {1227133552, -3}}));
  EXPECT_EQ(FullyConnectedMultipliers(input, weights, output, 2, Rounding::kDouble),
            (std::vector<Multiplier>{kExact, {1227133552, -3}}));
}

TEST(Multipliers, OneChannelScaleServesAllChannels) {
  ir::Tensor weights = WithScale(9.0F);
  weights.channel_scales = {0.5F};
  const auto multipliers =
      ConvMultipliers(WithScale(1.0F), weights, WithScale(1.0F), 3, Rounding::kDouble);
  EXPECT_EQ(multipliers, (std::vector<Multiplier>(3, Multiplier{kHalf, 0})));
}

TEST(Multipliers, TheLargerSummandIsOnlyShifted) {
  const SumMultipliers sum =
      AddMultipliers(WithScale(0.25F), WithScale(1.0F), WithScale(2.0F), Rounding::kDouble);
  EXPECT_FALSE(sum.first_is_larger);
  EXPECT_EQ(sum.small, (Multiplier{kHalf, -2}));    // 0.25 / (2 * 1.0)
  EXPECT_EQ(sum.output, (Multiplier{kHalf, -19}));  // 2 / (2^20 * 2)
  EXPECT_TRUE(SubMultipliers(WithScale(1.0F), WithScale(1.0F), WithScale(1.0F), Rounding::kDouble)
                  .first_is_larger);
}

TEST(Multipliers, SubtractionRoundsEachStepToFloat) {
  const ir::Tensor a = WithScale(0.1F);
  const ir::Tensor b = WithScale(0.3F);
  const ir::Tensor output = WithScale(0.7F);
  const SumMultipliers add = AddMultipliers(a, b, output, Rounding::kDouble);
  EXPECT_EQ(add.small, (Multiplier{1431655730, -2}));
  EXPECT_EQ(add.output, (Multiplier{1840700374, -20}));
  const SumMultipliers sub = SubMultipliers(a, b, output, Rounding::kDouble);
  EXPECT_EQ(sub.small, (Multiplier{1431655680, -2}));
  EXPECT_EQ(sub.output, (Multiplier{1840700416, -20}));
}

// On int16 all factors are double, and sums have 15 bits behind the point instead of 20.
TEST(Multipliers, OfInt16AreExact) {
  const ir::Tensor a = OfInt16(0.1F);
  const ir::Tensor b = OfInt16(0.3F);
  const ir::Tensor output = OfInt16(0.7F);
  const SumMultipliers add = AddMultipliers(a, b, output, Rounding::kDouble);
  EXPECT_EQ(add.small, (Multiplier{1431655730, -2}));
  EXPECT_EQ(add.output, (Multiplier{1840700374, -15}));
  const SumMultipliers sub = SubMultipliers(a, b, output, Rounding::kDouble);
  EXPECT_EQ(sub.small, add.small);
  EXPECT_EQ(sub.output, add.output);
  EXPECT_EQ(FullyConnectedMultipliers(a, WithScale(0.3F), output, 2, Rounding::kDouble),
            std::vector<Multiplier>(2, {1472560321, -4}));
}

TEST(Multipliers, ReductionsDivideByTheirCount) {
  const auto multiplier = [](ir::ReduceKind kind, std::int64_t count) {
    return ReduceMultiplier(kind, count, WithScale(0.1F), WithScale(0.7F), Rounding::kDouble);
  };
  EXPECT_EQ(multiplier(ir::ReduceKind::kSum, 49), (Multiplier{1227133552, -2}));
  EXPECT_EQ(multiplier(ir::ReduceKind::kMean, 1), (Multiplier{1227133552, -2}));
  EXPECT_EQ(multiplier(ir::ReduceKind::kMean, 6), (Multiplier{818089034, -4}));
  EXPECT_EQ(multiplier(ir::ReduceKind::kMean, 49), (Multiplier{801393340, -7}));
  EXPECT_EQ(multiplier(ir::ReduceKind::kMean, 64), (Multiplier{1227133552, -8}));
}

TEST(AverageDivider, IsExactForEverySumOfSmallWindows) {
  for (std::int32_t taps = 1; taps <= 300; ++taps) {
    const Divider divider = AverageDivider(taps);
    ASSERT_GT(divider.multiplier.multiplier, 0) << taps;
    for (std::int64_t sum = 0; sum <= 128 * taps; ++sum) {
      const std::int64_t quotient =
          ((sum + divider.bias) * divider.multiplier.multiplier) >> (31 - divider.multiplier.shift);
      ASSERT_EQ(quotient, (sum + taps / 2) / taps) << sum << " / " << taps;
    }
  }
}

}  // namespace
}  // namespace tpu::compiler
