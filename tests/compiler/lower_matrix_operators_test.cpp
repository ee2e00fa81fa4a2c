// SPDX-License-Identifier: Apache-2.0
// Convolutions and matrix products as jobs of the array.
#include "compiler/lower/lower_matrix_operators.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lowered.h"

namespace tpu::compiler {
namespace {

using Int8s = std::vector<std::int8_t>;
using Int32s = std::vector<std::int32_t>;

// A 3 x 2 window over 9 x 9 pixels, strides 2 and 1, a row of padding above.
PlacedGraph Windowed() {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.name = "x", .shape = {1, 9, 9, 4}});
  const ir::TensorId w = source.Add({.name = "w", .shape = {4, 3, 2, 4}, .data = Int8s(96, 1)});
  source.Append("conv", ir::Conv2D{.stride = {.h = 2, .w = 1}, .padding = {.top = 1}}, {x, w},
                source.Add({.name = "y", .shape = {1, 4, 8, 4}}));
  return source;
}

WindowPair WindowsOf(const PlacedGraph& source, ir::Extent filter, ir::Extent stride,
                     ir::Extent dilation) {
  return MakeWindows(source.Context(), filter, stride, dilation, {.top = 1});
}

TEST(MakeWindows, SaysHowEachAxisIsWalked) {
  const PlacedGraph source = Windowed();
  const WindowPair windows = WindowsOf(source, {.h = 3, .w = 2}, {.h = 2, .w = 1}, {});
  EXPECT_EQ(windows.y.size, 3);
  EXPECT_EQ(windows.y.stride, 2);
  EXPECT_EQ(windows.y.dilation, 1);
  EXPECT_EQ(windows.y.pad, 1);
  EXPECT_EQ(windows.y.input, 9);
  EXPECT_EQ(windows.x.size, 2);
  EXPECT_EQ(windows.x.stride, 1);
  EXPECT_EQ(windows.x.pad, 0);
}

TEST(MakeWindows, RefusesWhatNoInstructionCanSay) {
  const PlacedGraph source = Windowed();
  ExpectError([&] { return WindowsOf(source, {.h = 0, .w = 2}, {}, {}); }, "the filter is empty");
  ExpectError([&] { return WindowsOf(source, {.h = 3, .w = 2}, {.h = 256, .w = 1}, {}); },
              "strides must lie between 1 and 255");
  ExpectError([&] { return WindowsOf(source, {.h = 3, .w = 2}, {}, {.h = 1, .w = 0}); },
              "dilations must lie between 1 and 255");
  // Stride 1: (9 + 1 - 3) / 1 + 1 rows.
  ExpectError([&] { return WindowsOf(source, {.h = 3, .w = 2}, {}, {}); },
              "output y must have 1 images of 8 x 8 pixels");
}

TEST(LowerConv2D, FoldsTheInputsZeroPointIntoTheBias) {
  PlacedGraph source;
  const ir::TensorId x =
      source.Add({.name = "x", .shape = {1, 2, 2, 4}, .scale = 0.5F, .zero_point = 5});
  const ir::TensorId w = source.Add({.name = "w",
                                     .shape = {2, 1, 1, 4},
                                     .scale = 0.5F,
                                     .data = Int8s{1, 2, 3, 4, -1, -1, -1, -1}});
  const ir::TensorId b = source.Add(
      {.name = "b", .type = ElementType::kInt32, .shape = {2}, .data = Int32s{100, 200}});
  const ir::TensorId y = source.Add({.name = "y", .shape = {1, 2, 2, 2}, .zero_point = -6});
  source.Append("conv", ir::Conv2D{.activation = ir::Activation::kRelu6}, {x, w, b}, y);
  const Lowered lowered = source.Lower();
  EXPECT_EQ(lowered.BiasOf(1, 0), 100 - 5 * 10);
  EXPECT_EQ(lowered.BiasOf(1, 1), 200 + 5 * 4);
  EXPECT_EQ(lowered.MultiplierOf(1, 0), 1 << 30) << "0.5 * 0.5 / 1";
  EXPECT_EQ(lowered.At<isa::Matmul>(0).zero_point, 5);
  const auto drain = lowered.At<isa::Vector>(0);
  EXPECT_EQ(drain.o_zero, -6);
  EXPECT_EQ(drain.lo, -6);
  EXPECT_EQ(drain.hi, 0) << "6 / 1 above zero";
}

TEST(LowerConv2D, RefusesWeightsOfOtherChannels) {
  PlacedGraph source = Windowed();
  source.graph().tensors[1].shape = {4, 3, 2, 2};
  ExpectError([&] { return source.Lower(); }, "weights w have 2 input channels and x has 4");
  source.graph().tensors[1].shape = {2, 3, 2, 4};
  ExpectError([&] { return source.Lower(); }, "output y must have 2 channels");
  source.graph().tensors[1].shape = {96};
  ExpectError([&] { return source.Lower(); }, "weights w must have 4 dimensions");
}

TEST(LowerConv2D, RoundsOnceOrTwice) {
  const PlacedGraph source = Windowed();
  EXPECT_EQ(source.Lower(Rounding::kDouble).At<isa::Vector>(0).requant,
            isa::VectorRequant::kDouble);
  EXPECT_EQ(source.Lower(Rounding::kSingle).At<isa::Vector>(0).requant,
            isa::VectorRequant::kSingle);
}

// Twelve values are two rows of six.
PlacedGraph Product(std::int64_t inputs, ir::Shape output) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.name = "x", .shape = {3, 4}});
  const ir::TensorId w = source.Add(
      {.name = "w", .shape = {2, inputs}, .data = Int8s(static_cast<std::size_t>(2 * inputs), 1)});
  source.Append("product", ir::FullyConnected{}, {x, w},
                source.Add({.name = "y", .shape = std::move(output)}));
  return source;
}

TEST(LowerFullyConnected, TakesItsInputAsRows) {
  const Lowered lowered = Product(6, {2, 2}).Lower();
  ASSERT_EQ(lowered.All<isa::Matmul>().size(), 1U);
  const auto matmul = lowered.At<isa::Matmul>(0);
  EXPECT_EQ(matmul.n_oh * matmul.n_ow, 2U);
  EXPECT_EQ(matmul.n_cb, 2U) << "six values in blocks of four";
  EXPECT_EQ(lowered.At<isa::Weights>(0).tiles, 2U);
}

TEST(LowerFullyConnected, RefusesRowsThatDoNotDivide) {
  ExpectError(
      [] {
        return Product(5, {2, 2}).Lower();
      },
      "input x cannot be cut into rows of 5 values");
  ExpectError([] { return Product(6, {2, 3}).Lower(); }, "output y must have 2 x 2 values");
}

// Two products of a 5 x 6 matrix and a 6 x 9 one, or a 9 x 6 one `transposed`, on four lanes.
Lowered Products(bool transposed, std::uint32_t buffer_rows) {
  PlacedGraph source;
  const auto tensor = [&](std::string name, ir::Shape shape) {
    return source.Add(
        {.name = std::move(name), .type = ElementType::kBfloat16, .shape = std::move(shape)});
  };
  const ir::TensorId a = tensor("a", {2, 1, 5, 6});
  const ir::TensorId b = tensor("b", transposed ? ir::Shape{2, 1, 9, 6} : ir::Shape{2, 1, 6, 9});
  source.Append("product", ir::MatMul{.transposed = transposed}, {a, b}, tensor("y", {2, 1, 5, 9}));
  isa::HardwareConfig config = FourLanes();
  config.bf16 = 1;
  config.ub_rows = buffer_rows;
  return source.Lower(config);
}

TEST(LowerMatMul, BringsTheWholeMatrixFromTheBuffer) {
  const Lowered lowered = Products(false, 1024);
  EXPECT_TRUE(lowered.All<isa::Weights>().empty());
  const auto weights = lowered.At<isa::UbWeights>(0);
  EXPECT_EQ(weights.n_ob, 3U);
  EXPECT_EQ(weights.n_cb, 2U);
  EXPECT_EQ(weights.row_bound, 6U);
  EXPECT_EQ(weights.s_row, 2) << "a row of bfloat16 has two rows of the buffer";
  EXPECT_EQ(weights.s_cb, 4 * 2);
  EXPECT_EQ(weights.s_ob, 6 * 2);
  EXPECT_EQ(weights.along_cb, 1U);
  EXPECT_EQ(weights.along_ob, 0U);
  EXPECT_EQ(weights.transpose, 0U);
  EXPECT_NE(lowered.All<isa::UbWeights>().back().row, weights.row)
      << "the next matrix is loaded beside";
}

TEST(LowerMatMul, TransposesOnTheWay) {
  const auto weights = Products(true, 1024).At<isa::UbWeights>(0);
  EXPECT_EQ(weights.n_ob, 3U);
  EXPECT_EQ(weights.n_cb, 2U);
  EXPECT_EQ(weights.row_bound, 9U);
  EXPECT_EQ(weights.s_ob, 4 * 2);
  EXPECT_EQ(weights.s_cb, 9 * 2);
  EXPECT_EQ(weights.along_cb, 0U);
  EXPECT_EQ(weights.along_ob, 1U);
  EXPECT_EQ(weights.transpose, 1U);
}

// Two matrices have 72 rows; the parts' buffers have an eighth of 128 rows each.
TEST(LowerMatMul, BringsPartsOfAMatrixThatIsTooLarge) {
  for (const bool transposed : {false, true}) {
    const Lowered lowered = Products(transposed, 128);
    std::uint64_t tiles = 0;
    for (const isa::UbWeights& weights : lowered.All<isa::UbWeights>()) {
      EXPECT_LE(weights.n_ob * weights.n_cb, 2U);
      tiles += weights.n_ob * weights.n_cb;
    }
    EXPECT_EQ(tiles % (2U * 3 * 2), 0U);
    EXPECT_EQ(lowered.All<isa::UbWeights>().size(), lowered.All<isa::Matmul>().size());
  }
}

// Two products of 5 x 6 matrices of int8 and 6 x 9 ones in tiles, on four lanes.
PlacedGraph TiledProducts(std::int32_t zero_a, std::int32_t zero_b) {
  PlacedGraph source;
  const ir::TensorId a =
      source.Add({.name = "a", .shape = {2, 1, 5, 6}, .scale = 0.5F, .zero_point = zero_a});
  const ir::TensorId b =
      source.Add({.name = "b", .shape = {2 * 3, 1, 8, 4}, .scale = 0.5F, .zero_point = zero_b});
  source.Append("product", ir::MatMul{.tiled = true}, {a, b},
                source.Add({.name = "y", .shape = {2, 1, 5, 9}}));
  return source;
}

TEST(LowerMatMul, TakesTilesFromMemory) {
  const Lowered lowered = TiledProducts(0, 0).Lower();
  std::uint64_t next = PlacedGraph::TensorAddress(1);
  for (const isa::Weights& weights : lowered.All<isa::Weights>()) {
    EXPECT_EQ(weights.dram_addr, next) << "one behind the other";
    next += weights.tiles * 16;
  }
  EXPECT_EQ(next, PlacedGraph::TensorAddress(1) + 2 * 3 * 2 * 16);
  for (const isa::Vector& drain : lowered.All<isa::Vector>()) EXPECT_EQ(drain.n_kh, 1U);
}

// A product with tiles of -3, whose sums the drains add to those of each block.
TEST(LowerMatMul, SumsRowsForTheZeroPointOfTheSecondFactor) {
  const Lowered lowered = TiledProducts(0, 3).Lower();
  const executable::Segment& tiles = lowered.Constant(0);
  EXPECT_EQ(tiles.bytes, [] {
    std::vector<std::uint8_t> expected(32, 0);
    std::fill_n(expected.begin(), 6 * 4, std::uint8_t{0xFD});
    return expected;
  }());
  EXPECT_EQ(lowered.At<isa::Weights>(0).dram_addr, tiles.address);
  const auto sums = lowered.At<isa::Matmul>(0);
  EXPECT_EQ(sums.n_ob, 1U);
  for (const isa::Vector& drain : lowered.All<isa::Vector>()) {
    EXPECT_EQ(drain.n_cb, 1U);
    EXPECT_EQ(drain.n_kh, 2U);
    EXPECT_EQ(drain.a_row + drain.a_kh, drain.a_row < 1024 ? 0 : 1024);
  }
}

TEST(LowerMatMul, MinusTheLeastZeroPointIsTwoWeights) {
  const executable::Segment tiles = TiledProducts(0, -128).Lower().Constant(0);
  ASSERT_EQ(tiles.bytes.size(), 2U * 32);
  EXPECT_EQ(tiles.bytes[0], 64);
  EXPECT_EQ(tiles.bytes[32], 64);
}

// The biases are written before each image's parameters are loaded.
TEST(LowerMatMul, SumsColumnsForTheZeroPointOfTheFirstFactor) {
  const Lowered lowered = TiledProducts(-5, 3).Lower();
  const auto stores = lowered.All<isa::Store>();
  const std::uint64_t entry = 9 * 4;
  const std::uint64_t entries = stores.at(0).dram_addr;
  EXPECT_EQ(stores.at(0).rows, 2U * 3);
  EXPECT_EQ(stores.at(0).row_bytes, 4U * 4);
  EXPECT_EQ(stores.at(0).row_stride, entry);
  std::vector<std::uint64_t> loaded;
  for (const isa::Load& load : lowered.All<isa::Load>()) {
    if (load.destination == isa::LoadDestination::kParameters) loaded.push_back(load.dram_addr);
  }
  EXPECT_NE(std::find(loaded.begin(), loaded.end(), entries), loaded.end());
  EXPECT_NE(std::find(loaded.begin(), loaded.end(), entries + 3 * entry), loaded.end());
}

// Two inputs with two outputs each: outputs 0 and 1 see input 0, outputs 2 and 3 see input 1.
TEST(LowerDepthwiseAsDense, WeightsOfOtherInputsAreZero) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.shape = {1, 2, 2, 2}});
  const ir::TensorId w =
      source.Add({.name = "w", .shape = {1, 1, 1, 4}, .data = Int8s{1, 2, 3, 4}});
  source.Append("depthwise", ir::DepthwiseConv2D{}, {x, w}, source.Add({.shape = {1, 2, 2, 4}}));
  const Lowered lowered = source.Lower();
  // Rows are input lanes, columns outputs.
  EXPECT_EQ(lowered.Constant(0).bytes,
            (std::vector<std::uint8_t>{1, 2, 0, 0, 0, 0, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace tpu::compiler
