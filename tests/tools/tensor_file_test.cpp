// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/tensor_file.h"

#include <gtest/gtest.h>

#include <array>

#include "tools/format.h"

namespace tpu::tools {
namespace {

constexpr std::array kTypes = {ElementType::kInt8,  ElementType::kUint8, ElementType::kInt16,
                               ElementType::kInt32, ElementType::kInt64, ElementType::kFloat32};

TEST(TensorFile, RoundTripOfEveryType) {
  for (const ElementType type : kTypes) {
    SCOPED_TRACE(ElementTypeName(type));
    const executable::TensorBinding tensor = {.name = "t", .shape = {2, 3}, .type = type};
    std::mt19937_64 rng(7);
    const Bytes values = runtime::RandomTensor(tensor, rng);
    EXPECT_EQ(values.size(), static_cast<std::size_t>(6 * ElementBytes(type)));
    const std::string path =
        testing::TempDir() + "/tensor_" + std::string(ElementTypeName(type)) + ".npy";
    WriteTensor(path, tensor, values);
    EXPECT_EQ(ReadTensor(path, tensor), values);
  }
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
