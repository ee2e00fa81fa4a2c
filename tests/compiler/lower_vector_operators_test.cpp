// SPDX-License-Identifier: Apache-2.0
// Depthwise convolutions, pooling, elementwise operators and tables as instructions of the vector
// unit.
#include <gtest/gtest.h>

#include "compiler/quantise/quantization.h"
#include "lowered.h"

namespace tpu::compiler {
namespace {

// Five channels are two blocks of four lanes; two taps.
TEST(LowerDepthwise, PacksWeightsByBlockAndTap) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.shape = {1, 3, 4, 5}, .zero_point = 2});
  const ir::TensorId w =
      source.Add({.name = "w",
                  .shape = {1, 1, 2, 5},
                  .data = std::vector<std::int8_t>{1, 2, 3, 4, 5, 11, 12, 13, 14, 15}});
  const ir::TensorId b = source.Add({.name = "b",
                                     .type = ElementType::kInt32,
                                     .shape = {5},
                                     .data = std::vector<std::int32_t>{10, 20, 30, 40, 50}});
  const ir::TensorId y = source.Add({.shape = {1, 3, 3, 5}, .zero_point = -4});
  source.Append("depthwise", ir::DepthwiseConv2D{.activation = ir::Activation::kRelu}, {x, w, b},
                y);
  const Lowered lowered = source.Lower();
  EXPECT_EQ(lowered.Constant(0).bytes, (std::vector<std::uint8_t>{1, 2, 3, 4, 11, 12, 13, 14,  //
                                                                  5, 0, 0, 0, 15, 0, 0, 0}));
  for (std::size_t c = 0; c < 5; ++c) {
    EXPECT_EQ(lowered.BiasOf(1, c), 10 * (static_cast<std::int32_t>(c) + 1));
  }
  const auto vector = lowered.At<isa::Vector>(0);
  EXPECT_EQ(vector.map, isa::VectorMap::kMultiply);
  EXPECT_EQ(vector.reduce, isa::VectorReduce::kSum);
  EXPECT_EQ(vector.requant, isa::VectorRequant::kDouble);
  EXPECT_EQ(vector.n_kh, 1U);
  EXPECT_EQ(vector.n_kw, 2U);
  EXPECT_EQ(vector.a_zero, 2);
  EXPECT_EQ(vector.o_zero, -4);
  EXPECT_EQ(vector.lo, -4) << "the output's zero";
  EXPECT_EQ(vector.hi, 127);
}

TEST(LowerDepthwise, SeveralOutputsOfAnInputGoToTheArray) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.shape = {1, 3, 3, 2}});
  const ir::TensorId w = source.Add(
      {.name = "w", .shape = {1, 1, 1, 4}, .data = std::vector<std::int8_t>{1, 2, 3, 4}});
  const ir::TensorId y = source.Add({.shape = {1, 3, 3, 4}});
  source.Append("depthwise", ir::DepthwiseConv2D{}, {x, w}, y);
  EXPECT_EQ(source.Lower().All<isa::Matmul>().size(), 1U);
}

TEST(LowerDepthwise, RefusesOtherNumbersOfChannels) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.shape = {1, 3, 3, 2}});
  const ir::TensorId w =
      source.Add({.name = "w", .shape = {1, 1, 1, 3}, .data = std::vector<std::int8_t>{1, 2, 3}});
  source.Append("depthwise", ir::DepthwiseConv2D{}, {x, w}, source.Add({.shape = {1, 3, 3, 3}}));
  ExpectError([&] { return source.Lower(); },
              "weights w must have 3 channels, a multiple of the input's 2");
}

// 2 x 2 windows over 3 x 3 pixels with one more row and column at the end.
PlacedGraph Pooling(ir::PoolKind kind) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.name = "x", .shape = {1, 3, 3, 4}});
  const ir::TensorId y = source.Add({.name = "y", .shape = {1, 2, 2, 4}});
  source.Append("pool",
                ir::Pool2D{.kind = kind,
                           .filter = {.h = 2, .w = 2},
                           .stride = {.h = 2, .w = 2},
                           .padding = {.bottom = 1, .right = 1}},
                {x}, y);
  return source;
}

TEST(LowerPool, AMaximumIsNotRescaled) {
  const Lowered lowered = Pooling(ir::PoolKind::kMax).Lower();
  const auto vector = lowered.At<isa::Vector>(0);
  EXPECT_EQ(vector.reduce, isa::VectorReduce::kMaximum);
  EXPECT_EQ(vector.requant, isa::VectorRequant::kNone);
  EXPECT_EQ(vector.n_kh, 2U);
  EXPECT_EQ(vector.n_kw, 2U);
  EXPECT_EQ(vector.a_oh, 2 * 3) << "two image rows of three pixels";
  EXPECT_EQ(vector.a_ow, 2);
}

// The windows have four, two, two and one pixels.
TEST(LowerPool, AnAverageDividesByThePixelsInsideTheImage) {
  const Lowered lowered = Pooling(ir::PoolKind::kAverage).Lower();
  const auto vectors = lowered.All<isa::Vector>();
  ASSERT_EQ(vectors.size(), 4U);
  const std::vector<std::int32_t> taps = {4, 2, 2, 1};
  for (std::size_t i = 0; i < 4; ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(vectors[i].requant, isa::VectorRequant::kDivide);
    const std::size_t lane = std::size_t{vectors[i].param_row} * 4;
    EXPECT_EQ(lowered.BiasOf(0, lane), taps[i] / 2) << "half of the divisor";
    EXPECT_EQ(lowered.MultiplierOf(0, lane), AverageDivider(taps[i]).multiplier.multiplier);
  }
}

TEST(LowerPool, RefusesAWindowInThePaddingAndAnotherScale) {
  PlacedGraph padded;
  const ir::TensorId x = padded.Add({.name = "x", .shape = {1, 2, 2, 4}});
  const ir::Pool2D pool = {.stride = {}, .padding = {.top = 1}};
  padded.Append("pool", pool, {x}, padded.Add({.name = "y", .shape = {1, 3, 2, 4}}));
  ExpectError([&] { return padded.Lower(); },
              "pool (MAX_POOL_2D): a window lies wholly in the padding");
  PlacedGraph scaled = Pooling(ir::PoolKind::kMax);
  scaled.graph().tensors[0].scale = 0.5F;
  ExpectError([&] { return scaled.Lower(); },
              "input x and output y must have the same scale and zero point");
}

// 22 elements: five rows of four bytes and two bytes.
PlacedGraph OfTwo(ir::Attributes attributes, float first_scale, float second_scale) {
  PlacedGraph source;
  const ir::TensorId a =
      source.Add({.name = "a", .shape = {2, 11}, .scale = first_scale, .zero_point = 1});
  const ir::TensorId b =
      source.Add({.name = "b", .shape = {2, 11}, .scale = second_scale, .zero_point = 2});
  const ir::TensorId y = source.Add({.name = "y", .shape = {2, 11}, .zero_point = 3});
  source.Append("op", std::move(attributes), {a, b}, y);
  return source;
}

// The instruction of the whole rows, and where they come from.
struct BinaryLowered {
  isa::Vector vector;
  std::uint64_t first_operand = 0;

  explicit BinaryLowered(const PlacedGraph& source) {
    const Lowered lowered = source.Lower();
    vector = lowered.At<isa::Vector>(0);
    for (const isa::Load& load : lowered.All<isa::Load>()) {
      const bool rows = load.destination == isa::LoadDestination::kUnifiedBuffer;
      if (rows && static_cast<std::int32_t>(load.row) == vector.a_row) {
        first_operand = load.dram_addr;
        break;
      }
    }
  }
};

TEST(LowerBinary, AddShiftsTheOperandOfTheLargerScale) {
  const BinaryLowered first(OfTwo(ir::Binary{.kind = ir::BinaryKind::kAdd}, 2.0F, 1.0F));
  EXPECT_EQ(first.vector.map, isa::VectorMap::kAdd);
  EXPECT_EQ(first.first_operand, PlacedGraph::TensorAddress(0));
  EXPECT_EQ(first.vector.a_zero, 1);
  EXPECT_EQ(first.vector.b_zero, 2);
  EXPECT_EQ(first.vector.o_zero, 3);
  // 1 / (2 * 2) as 2^30 * 2^(-1 - 31).
  EXPECT_EQ(first.vector.pre_mult, 1 << 30);
  EXPECT_EQ(first.vector.pre_shift, 1U);
  const BinaryLowered second(OfTwo(ir::Binary{.kind = ir::BinaryKind::kAdd}, 1.0F, 2.0F));
  EXPECT_EQ(second.first_operand, PlacedGraph::TensorAddress(1));
  EXPECT_EQ(second.vector.a_zero, 2);
  EXPECT_EQ(second.vector.b_zero, 1);
}

TEST(LowerBinary, SubKnowsWhichOperandWasTurned) {
  const ir::Binary sub = {.kind = ir::BinaryKind::kSub};
  EXPECT_EQ(BinaryLowered(OfTwo(sub, 2.0F, 1.0F)).vector.map, isa::VectorMap::kSubtract);
  EXPECT_EQ(BinaryLowered(OfTwo(sub, 1.0F, 2.0F)).vector.map, isa::VectorMap::kReverseSubtract);
}

TEST(LowerBinary, MulMultiplies) {
  const PlacedGraph source = OfTwo(ir::Binary{.kind = ir::BinaryKind::kMul}, 0.5F, 0.5F);
  EXPECT_EQ(BinaryLowered(source).vector.map, isa::VectorMap::kMultiply);
  EXPECT_EQ(source.Lower().MultiplierOf(0, 3), 1 << 30) << "0.5 * 0.5 / 1, in every lane";
}

TEST(LowerBinary, MaximumAndMinimumTakeRawValues) {
  PlacedGraph source = OfTwo(ir::Binary{.kind = ir::BinaryKind::kMaximum}, 1.0F, 1.0F);
  ExpectError([&] { return source.Lower(); }, "a, b and y must have the same scale and zero point");
  for (ir::Tensor& tensor : source.graph().tensors) tensor.zero_point = 5;
  const isa::Vector vector = BinaryLowered(source).vector;
  EXPECT_EQ(vector.map, isa::VectorMap::kMaximum);
  EXPECT_EQ(vector.requant, isa::VectorRequant::kNone);
  EXPECT_EQ(vector.a_zero, 0);
  EXPECT_EQ(vector.b_zero, 0);
  EXPECT_EQ(vector.o_zero, 0);
  source.graph().operators[0].attributes = ir::Binary{.kind = ir::BinaryKind::kMinimum};
  EXPECT_EQ(BinaryLowered(source).vector.map, isa::VectorMap::kMinimum);
}

TEST(LowerBinary, RefusesOtherShapes) {
  PlacedGraph source = OfTwo(ir::Binary{}, 1.0F, 1.0F);
  source.graph().tensors[1].shape = {2, 10};
  ExpectError([&] { return source.Lower(); }, "b does not go with y element by element");
}

TEST(LowerLookup, ElementsAreRowsOfBytesAndARest) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.shape = {2, 11}});
  const ir::TensorId y = source.Add({.shape = {2, 11}});
  ir::Lookup lookup;
  lookup.table[1] = -1;
  source.Append("table", lookup, {x}, y);
  const Lowered lowered = source.Lower();
  const auto vectors = lowered.All<isa::Vector>();
  const auto stores = lowered.All<isa::Store>();
  ASSERT_EQ(vectors.size(), 2U);
  ASSERT_EQ(stores.size(), 2U);
  EXPECT_EQ(vectors[0].n_cb * vectors[0].n_oh * vectors[0].n_ow, 5U);
  EXPECT_EQ(vectors[1].n_cb * vectors[1].n_oh * vectors[1].n_ow, 1U);
  EXPECT_EQ(vectors[0].lut_enable, 1U);
  EXPECT_EQ(vectors[0].lo, -128);
  EXPECT_EQ(vectors[0].hi, 127);
  EXPECT_EQ(stores[0].dram_addr, PlacedGraph::TensorAddress(y));
  EXPECT_EQ(stores[0].row_bytes, 20U);
  EXPECT_EQ(stores[1].dram_addr, PlacedGraph::TensorAddress(y) + 20);
  EXPECT_EQ(stores[1].row_bytes, 2U);
  for (const executable::Segment& constant : lowered.Network().constants) {
    if (constant.bytes.size() == 256) EXPECT_EQ(constant.bytes[1], 255);
  }
}

}  // namespace
}  // namespace tpu::compiler
