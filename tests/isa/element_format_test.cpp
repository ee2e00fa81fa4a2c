// SPDX-License-Identifier: Apache-2.0
// Sizes of the machine's numbers, as docs/isa.md says them.
#include "isa/element_format.h"

#include <gtest/gtest.h>

namespace tpu::isa {
namespace {

TEST(ElementFormat, SaysNameAndBytes) {
  EXPECT_EQ(kFormatOf<std::int16_t>.Name(), "int16");
  EXPECT_EQ(kFormatOf<std::int16_t>.Bytes(), 2);
  EXPECT_EQ(kFormatOf<std::int16_t>.BytesOf(5), 10);
  EXPECT_EQ(ElementFormat{ElementType::kFloat32}, kFormatOf<float>);
  EXPECT_NE(kFormatOf<float>, kFormatOf<std::int32_t>);
}

TEST(ElementFormat, ARowHoldsFewerElementsOfMoreBytes) {
  const HardwareConfig config = {.n = 16};
  EXPECT_EQ(RowBytes(config), 16);
  EXPECT_EQ(kFormatOf<std::int8_t>.ElementsOfRow(config), 16);
  EXPECT_EQ(kFormatOf<std::int16_t>.ElementsOfRow(config), 8);
  EXPECT_EQ(kFormatOf<float>.ElementsOfRow(config), 4);
}

TEST(ElementFormat, TheMachineComputesWithInt8AndAddsInInt32) {
  EXPECT_EQ(kActivationFormat.Name(), "int8");
  EXPECT_EQ(kWeightFormat.Name(), "int8");
  EXPECT_EQ(kSumFormat.Name(), "int32");
  EXPECT_EQ(kBiasFormat, kSumFormat) << "a bias is added to a sum";
  EXPECT_EQ(kTableBytes, 256);
}

// The public header says these sizes to users, who do not see formats.
TEST(ElementFormat, TilesAndParameterEntriesAreMadeOfElements) {
  for (const std::uint32_t n : {4U, 16U, 128U}) {
    const HardwareConfig config = {.n = n};
    EXPECT_EQ(config.TileBytes(), kWeightFormat.BytesOf(std::int64_t{n} * n));
    EXPECT_EQ(config.ParamEntryBytes(), kLaneParameterBytes * n);
  }
}

}  // namespace
}  // namespace tpu::isa
