// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/tensor_file.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tools/format.h"

namespace tpu::tools {
namespace {

constexpr std::array kTypes = {isa::ElementType::kInt8,  isa::ElementType::kUint8,
                               isa::ElementType::kInt16, isa::ElementType::kInt32,
                               isa::ElementType::kInt64, isa::ElementType::kFloat32};

TEST(TensorFile, RoundTripOfEveryType) {
  for (const isa::ElementType type : kTypes) {
    SCOPED_TRACE(isa::ElementTypeName(type));
    const isa::TensorBinding tensor = {.name = "t", .shape = {2, 3}, .type = type};
    std::mt19937_64 rng(7);
    const Bytes values = RandomTensor(tensor, rng);
    EXPECT_EQ(values.size(), static_cast<std::size_t>(6 * isa::ElementBytes(type)));
    const std::string path =
        testing::TempDir() + "/tensor_" + std::string(isa::ElementTypeName(type)) + ".npy";
    WriteTensor(path, tensor, values);
    EXPECT_EQ(ReadTensor(path, tensor), values);
  }
}

TEST(TensorFile, RandomValuesAreRepeatableAndSpread) {
  const isa::TensorBinding tensor = {.name = "t", .shape = {1000}};
  std::mt19937_64 a(1);
  std::mt19937_64 b(1);
  const Bytes values = RandomTensor(tensor, a);
  EXPECT_EQ(values, RandomTensor(tensor, b));
  EXPECT_NE(values, RandomTensor(tensor, b));
  const isa::TensorBinding reals = {
      .name = "t", .shape = {100}, .type = isa::ElementType::kFloat32};
  const Bytes floats = RandomTensor(reals, a);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_LE(std::abs(ElementOf(reals, floats, i)), 1.0);
}

TEST(TensorFile, FirstDifference) {
  const isa::TensorBinding tensor = {
      .name = "y", .shape = {1, 2, 3}, .type = isa::ElementType::kInt16};
  const Bytes zeros(12, 0);
  EXPECT_FALSE(FirstDifference(tensor, zeros, zeros));
  Bytes other = zeros;
  other[9] = 1;  // The upper half of element 4.
  EXPECT_EQ(FirstDifference(tensor, zeros, other), "y[0,1,1]: got 256, expected 0");
}

TEST(Format, Numbers) {
  EXPECT_EQ(Grouped(1234567), "1,234,567");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(0), "");
  EXPECT_EQ(Percent(0.1234), "12.3 %");
  EXPECT_EQ(ShapeText(std::vector<std::int64_t>{1, 2, 3}), "1x2x3");
}

}  // namespace
}  // namespace tpu::tools
