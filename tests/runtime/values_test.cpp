// SPDX-License-Identifier: Apache-2.0
#include "runtime/values.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tpu::runtime {
namespace {

TEST(Values, AtRandomAreRepeatableAndSpread) {
  const executable::TensorBinding tensor = {.name = "t", .shape = {1000}};
  std::mt19937_64 a(1);
  std::mt19937_64 b(1);
  const Bytes values = RandomTensor(tensor, a);
  EXPECT_EQ(values, RandomTensor(tensor, b));
  EXPECT_NE(values, RandomTensor(tensor, b));
  const executable::TensorBinding reals = {
      .name = "t", .shape = {100}, .type = ElementType::kFloat32};
  const Bytes floats = RandomTensor(reals, a);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_LE(std::abs(ElementOf(reals, floats, i)), 1.0);
  const executable::TensorBinding halves = {
      .name = "t", .shape = {100}, .type = ElementType::kBfloat16};
  const Bytes bfloats = RandomTensor(halves, a);
  EXPECT_NE(ElementOf(halves, bfloats, 0), ElementOf(halves, bfloats, 1));
  for (std::size_t i = 0; i < 100; ++i) EXPECT_LE(std::abs(ElementOf(halves, bfloats, i)), 1.0);
}

TEST(Values, FirstDifferenceIsNamed) {
  const executable::TensorBinding tensor = {
      .name = "y", .shape = {1, 2, 3}, .type = ElementType::kInt16};
  const Bytes zeros(12, 0);
  EXPECT_FALSE(FirstDifference(tensor, zeros, zeros));
  Bytes other = zeros;
  other[9] = 1;  // The upper half of element 4.
  EXPECT_EQ(FirstDifference(tensor, zeros, other), "y[0,1,1]: got 256, expected 0");
  const executable::TensorBinding halves = {
      .name = "z", .shape = {6}, .type = ElementType::kBfloat16};
  other[8] = 0x80;
  other[9] = 0x3F;
  EXPECT_EQ(FirstDifference(halves, zeros, other), "z[4]: got 1, expected 0");
}

TEST(Values, IntegersStandForRealNumbers) {
  const executable::TensorBinding tensor = {
      .name = "y", .shape = {3}, .scale = 0.5F, .zero_point = 3};
  EXPECT_EQ(RealValues(tensor, BytesOf({{{-5, 3, 4}}}).at(0)),
            (std::vector<double>{-4.0, 0.0, 0.5}));
}

TEST(Values, TheFirstOfTheLargestIsFound) {
  const executable::TensorBinding tensor = {.name = "y", .shape = {4}};
  EXPECT_EQ(LargestOf(tensor, BytesOf({{{-5, 3, -128, 3}}}).at(0)), 1U);
  const executable::TensorBinding bytes = {.name = "y", .shape = {4}, .type = ElementType::kUint8};
  EXPECT_EQ(LargestOf(bytes, {1, 200, 255, 3}), 2U);
}

}  // namespace
}  // namespace tpu::runtime
