// SPDX-License-Identifier: Apache-2.0
// Entries of the parameter memory, byte by byte: docs/isa.md, "LOAD" to the parameter memory.
#include "compiler/program/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tpu::compiler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(PackParameters, PutsBiasesBeforeMultipliersBeforeShifts) {
  const std::vector<LaneParameters> lanes = {
      {.bias = 0x04030201, .multiplier = {.multiplier = 0x14131211, .shift = 7}},
      {.bias = -1, .multiplier = {.multiplier = 0x24232221, .shift = -2}}};
  EXPECT_THAT(PackParameters(lanes, {.n = 2}),
              ElementsAre(1, 2, 3, 4, 0xFF, 0xFF, 0xFF, 0xFF,              //
                          0x11, 0x12, 0x13, 0x14, 0x21, 0x22, 0x23, 0x24,  //
                          7, 0xFE));
}

TEST(PackParameters, FillsTheLastEntryWithWhatNoLaneHas) {
  const std::vector<LaneParameters> lanes = {
      {.bias = 1, .multiplier = {.multiplier = 2, .shift = 3}},
      {.bias = 4, .multiplier = {.multiplier = 5, .shift = 6}},
      {.bias = 7, .multiplier = {.multiplier = 8, .shift = 9}}};
  const std::vector<std::uint8_t> bytes = PackParameters(lanes, {.n = 2});
  ASSERT_EQ(bytes.size(), 2U * 18U);
  EXPECT_THAT(std::vector(bytes.begin() + 18, bytes.end()),
              ElementsAre(7, 0, 0, 0, 0, 0, 0, 0,  //
                          8, 0, 0, 0, 0, 0, 0, 0, 9, 0));
}

TEST(PackParameters, HasNothingForNoLanes) { EXPECT_THAT(PackParameters({}, {.n = 4}), IsEmpty()); }

std::vector<isa::Bias> BiasesOf(const std::vector<LaneParameters>& lanes) {
  std::vector<isa::Bias> biases;
  for (const LaneParameters& lane : lanes) biases.push_back(lane.bias);
  return biases;
}

// Five channels in blocks of four.
TEST(InPieces, HasTheEntriesOfABlocksPiecesSideBySide) {
  std::vector<LaneParameters> lanes;
  for (const isa::Bias bias : {1, 2, 3, 4, 5}) lanes.push_back({.bias = bias});
  EXPECT_THAT(BiasesOf(InPieces(lanes, 2, {.n = 4})),
              ElementsAre(1, 2, 1, 2, /**/ 3, 4, 3, 4, /**/ 5, 0, 5, 0, /**/ 0, 0, 0, 0));
}

}  // namespace
}  // namespace tpu::compiler
