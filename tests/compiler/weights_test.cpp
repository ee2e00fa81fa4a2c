// SPDX-License-Identifier: Apache-2.0
// Weights in the order of the array, by hand.
#include "compiler/lower/weights.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace tpu::compiler {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Three outputs of three inputs: 1 2 3, 4 5 6, 7 8 9.
constexpr std::array<std::int8_t, 9> kNine = {1, 2, 3, 4, 5, 6, 7, 8, 9};
constexpr DenseWeights kThreeByThree = {.values = kNine, .oc = 3, .kh = 1, .kw = 1, .ic = 3};

ConvTiling OneGroup(std::vector<ir::Range> first_parts) {
  ConvTiling tiling;
  tiling.output_blocks = {{.begin = 0, .end = 2}};
  tiling.input_blocks = {{.begin = 0, .end = 2}};
  tiling.kernel_rows = {{.begin = 0, .end = 1}};
  tiling.first_parts = std::move(first_parts);
  return tiling;
}

// Rows are input lanes, columns output lanes; missing lanes are zero.
TEST(PackWeights, OutputBlocksAroundInputBlocks) {
  EXPECT_EQ(PackWeights(kThreeByThree, OneGroup({{.begin = 0, .end = 2}}), false, 2),
            (Bytes{1, 4, 2, 5, /**/ 3, 6, 0, 0, /**/ 7, 0, 8, 0, /**/ 9, 0, 0, 0}));
}

TEST(PackWeights, ThePartsOfTheFirstInputAreAroundItsOutputBlocks) {
  EXPECT_EQ(PackWeights(kThreeByThree, OneGroup({{.begin = 0, .end = 1}, {.begin = 1, .end = 2}}),
                        false, 2),
            (Bytes{1, 4, 2, 5, /**/ 7, 0, 8, 0, /**/ 3, 6, 0, 0, /**/ 9, 0, 0, 0}));
}

// Three columns of two channels are six lanes: four and two.
TEST(PackWeights, ThinColumnsShareLanes) {
  ConvTiling tiling = OneGroup({{.begin = 0, .end = 1}});
  tiling.output_blocks = tiling.input_blocks = {{.begin = 0, .end = 1}};
  const DenseWeights row = {
      .values = std::span(kNine).first(6), .oc = 1, .kh = 1, .kw = 3, .ic = 2};
  EXPECT_EQ(PackWeights(row, tiling, true, 4),
            (Bytes{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0,  //
                   5, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(FoldZeroPoint, SubtractsTheSumOfTheChannelsWeights) {
  constexpr std::array<std::int8_t, 4> kValues = {1, 2, 3, -4};
  const DenseWeights weights = {.values = kValues, .oc = 2, .kh = 1, .kw = 1, .ic = 2};
  constexpr std::array<std::int32_t, 2> kBias = {10, 20};
  EXPECT_EQ(FoldZeroPoint(weights, kBias, 5), (std::vector<std::int32_t>{-5, 25}));
  EXPECT_EQ(FoldZeroPoint(weights, {}, 5), (std::vector<std::int32_t>{-15, 5}));
}

TEST(FoldZeroPoint, WrapsAsTheAccumulatorsDo) {
  constexpr std::array<std::int8_t, 1> kOne = {1};
  constexpr std::array<std::int32_t, 1> kLeast = {std::numeric_limits<std::int32_t>::min()};
  EXPECT_EQ(FoldZeroPoint({.values = kOne, .oc = 1, .kh = 1, .kw = 1, .ic = 1}, kLeast, 1),
            (std::vector<std::int32_t>{std::numeric_limits<std::int32_t>::max()}));
}

// Two inputs, two outputs of each, two taps.
TEST(ExpandDepthwise, EachOutputSeesItsInputAlone) {
  constexpr std::array<std::int8_t, 8> kValues = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(ExpandDepthwise(kValues, 2, 4, 2, [](std::int64_t o) { return o / 2; }),
            (std::vector<std::int8_t>{1, 0, 5, 0, 2, 0, 6, 0, 0, 3, 0, 7, 0, 4, 0, 8}));
}

// Three columns of four channels: output o has 10 o + 1, 10 o + 2, 10 o + 3. The lanes are two
// pixels, or two outputs, of two channels.
TEST(PackBlockWeights, TwoOutputsShareTheColumnsThatTheyNeed) {
  std::vector<std::int8_t> values(std::size_t{4} * 3 * 4, 0);
  for (std::size_t o = 0; o < 4; ++o) {
    for (std::size_t column = 0; column < 3; ++column) {
      values[(o * 3 + column) * 4 + o] = static_cast<std::int8_t>(10 * o + column + 1);
    }
  }
  const DenseWeights weights = {
      .values = std::span<const std::int8_t>(values), .oc = 4, .kh = 1, .kw = 3, .ic = 4};
  ConvTiling tiling = OneGroup({{.begin = 0, .end = 1}});
  tiling.output_blocks = tiling.input_blocks = {{.begin = 0, .end = 1}};
  EXPECT_EQ(PackBlockWeights(weights, {.block = kPair, .y = {}, .x = {.size = 3}}, tiling, 4),
            (Bytes{1,  0, 0,  0, 0, 11, 0, 0,  2,  0, 1,  0, 0, 12, 0, 11,  //
                   3,  0, 2,  0, 0, 13, 0, 12, 0,  0, 3,  0, 0, 0,  0, 13,  //
                   21, 0, 0,  0, 0, 31, 0, 0,  22, 0, 21, 0, 0, 32, 0, 31,  //
                   23, 0, 22, 0, 0, 33, 0, 32, 0,  0, 23, 0, 0, 0,  0, 33}));
}

// Outputs that start two columns apart need five: the sixth one has no weights.
TEST(PackBlockWeights, ColumnsThatNoOutputNeedsHaveNoWeights) {
  constexpr std::array<std::int8_t, 12> kValues = {1, 0, 2, 0, 3, 0, 0, 4, 0, 5, 0, 6};
  const DenseWeights weights = {.values = kValues, .oc = 2, .kh = 1, .kw = 3, .ic = 2};
  ConvTiling tiling = OneGroup({{.begin = 0, .end = 1}});
  tiling.output_blocks = tiling.input_blocks = {{.begin = 0, .end = 1}};
  EXPECT_EQ(PackBlockWeights(weights, {.block = kPair, .y = {}, .x = {.size = 3, .stride = 2}},
                             tiling, 2),
            (Bytes{1, 0, 2, 0, /**/ 3, 1, 0, 2, /**/ 0, 3, 0, 0,  //
                   4, 0, 5, 0, /**/ 6, 4, 0, 5, /**/ 0, 6, 0, 0}));
}

// Two channels of a block of four: output o has 10 o + 1 to 10 o + 9. The input lanes are pixels of
// one channel, column by column; the output lanes are outputs, row by row.
TEST(PackBlockWeights, FourOutputsShareTheirPixels) {
  std::vector<std::int8_t> values(std::size_t{2} * 9 * 4, 0);
  for (std::size_t o = 0; o < 2; ++o) {
    for (std::size_t tap = 0; tap < 9; ++tap) {
      values[(o * 9 + tap) * 4 + o] = static_cast<std::int8_t>(10 * o + tap + 1);
    }
  }
  const DenseWeights weights = {
      .values = std::span<const std::int8_t>(values), .oc = 2, .kh = 3, .kw = 3, .ic = 4};
  ConvTiling tiling;
  tiling.output_blocks = tiling.input_blocks = {{.begin = 0, .end = 1}};
  tiling.kernel_rows = {{.begin = 0, .end = 2}};
  Bytes expected = {1, 0, 0, 0, 4, 0, 1, 0, 2, 1, 0, 0, 5, 4, 2, 1,  //
                    3, 2, 0, 0, 6, 5, 3, 2, 0, 3, 0, 0, 0, 6, 0, 3,  //
                    7, 0, 4, 0, 0, 0, 7, 0, 8, 7, 5, 4, 0, 0, 8, 7,  //
                    9, 8, 6, 5, 0, 0, 9, 8, 0, 9, 0, 6, 0, 0, 0, 9};
  for (std::size_t i = 0; i < 4U * 16; ++i) {
    expected.push_back(expected[i] == 0 ? 0 : static_cast<std::uint8_t>(expected[i] + 10));
  }
  expected.resize(std::size_t{4} * 4 * 16, 0);
  EXPECT_EQ(
      PackBlockWeights(weights, {.block = kSquare, .y = {.size = 3}, .x = {.size = 3}}, tiling, 4),
      expected);
}

}  // namespace
}  // namespace tpu::compiler
