// SPDX-License-Identifier: Apache-2.0
// Which legal operators each operator becomes.
#include "compiler/legalise/legalise.h"

#include <gtest/gtest.h>

#include <numeric>

#include "lowered.h"

namespace tpu::compiler {
namespace {

using Int8s = std::vector<std::int8_t>;

// The legal graph of a graph of one operator.
ir::Graph LegalOf(PlacedGraph& source, const isa::HardwareConfig& config = {}) {
  return Legalise(source.graph(), config, Rounding::kDouble);
}

template <typename Op>
const Op& As(const ir::Graph& graph, std::size_t op) {
  return std::get<Op>(graph.operators.at(op).attributes);
}

std::string Names(const ir::Graph& graph) {
  std::string names;
  for (const ir::Operator& op : graph.operators) {
    if (!names.empty()) names += ' ';
    names += ir::OperatorName(op.attributes);
  }
  return names;
}

TEST(Legalise, KeepsTensorsAndSaysWhatAnOperatorStandsFor) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.name = "x", .shape = {1, 4}});
  const ir::TensorId y = source.Add({.name = "y", .shape = {1, 4}});
  source.Append("relu", ir::Unary{.kind = ir::UnaryKind::kRelu}, {x}, y);
  source.graph().inputs = {x};
  source.graph().outputs = {y};
  const ir::Graph legal = LegalOf(source);
  EXPECT_EQ(legal.inputs, std::vector<ir::TensorId>{x});
  EXPECT_EQ(legal.outputs, std::vector<ir::TensorId>{y});
  EXPECT_EQ(legal.tensors.size(), 2U);
  ASSERT_EQ(legal.operators.size(), 1U);
  const ir::Operator& op = legal.operators[0];
  EXPECT_EQ(op.name, "relu");
  EXPECT_EQ(op.origin, "RELU");
  EXPECT_EQ(op.inputs, std::vector<ir::TensorId>{x});
  EXPECT_EQ(op.outputs, std::vector<ir::TensorId>{y});
  // Scale 1, zero point 0: the table of max(q, 0).
  for (int q = -128; q < 128; ++q) {
    EXPECT_EQ(As<ir::Lookup>(legal, 0).table.at(static_cast<std::uint8_t>(q)), std::max(q, 0));
  }
}

// Two groups of one input and two outputs each.
TEST(Legalise, AGroupedConvolutionIsADenseOneWithZeros) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.shape = {1, 3, 3, 2}});
  const ir::TensorId w =
      source.Add({.name = "w", .shape = {4, 1, 2, 1}, .data = Int8s{1, 2, 3, 4, 5, 6, 7, 8}});
  const ir::TensorId y = source.Add({.shape = {1, 3, 2, 4}});
  source.Append("conv", ir::Conv2D{}, {x, w}, y);
  const ir::Graph legal = LegalOf(source);
  ASSERT_EQ(Names(legal), "CONV_2D");
  const ir::Operator& op = legal.operators[0];
  EXPECT_EQ(op.macs, 3U * 2 * 4 * 2) << "zeros are no work of the network";
  const ir::Tensor& dense = legal.tensors[op.inputs.at(1)];
  EXPECT_EQ(dense.shape, (ir::Shape{4, 1, 2, 2}));
  EXPECT_EQ(std::get<Int8s>(dense.data),
            (Int8s{1, 0, 2, 0, /**/ 3, 0, 4, 0, /**/ 0, 5, 0, 6, /**/ 0, 7, 0, 8}));
}

// y[o] = sum of x[i] * w[o - 2 i], o = 0 .. 4: the turned kernel over x0 0 x1, two pixels around.
TEST(Legalise, ATransposedConvolutionSpreadsItsInputAndTurnsItsKernel) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.shape = {1, 1, 2, 1}, .zero_point = 9});
  const ir::TensorId w = source.Add({.name = "w", .shape = {1, 1, 3, 1}, .data = Int8s{1, 2, 3}});
  const ir::TensorId y = source.Add({.shape = {1, 1, 5, 1}});
  source.Append("transposed", ir::TransposeConv{.stride = {.h = 1, .w = 2}, .padding = {}}, {x, w},
                y);
  const ir::Graph legal = LegalOf(source);
  ASSERT_EQ(Names(legal), "MOVE CONV_2D");
  const ir::Tensor& spread = legal.tensors[legal.operators[0].outputs[0]];
  EXPECT_EQ(spread.shape, (ir::Shape{1, 1, 3, 1}));
  const ir::Tensor& fill = legal.tensors[legal.operators[0].inputs.at(1)];
  for (const std::int8_t value : std::get<Int8s>(fill.data)) EXPECT_EQ(value, 9);
  const ir::Operator& conv = legal.operators[1];
  EXPECT_EQ(std::get<Int8s>(legal.tensors[conv.inputs.at(1)].data), (Int8s{3, 2, 1}));
  EXPECT_EQ(conv.macs, 2U * 3);
  const ir::Padding& padding = As<ir::Conv2D>(legal, 1).padding;
  EXPECT_EQ(padding.top, 0);
  EXPECT_EQ(padding.bottom, 0);
  EXPECT_EQ(padding.left, 2);
  EXPECT_EQ(padding.right, 2);
}

TEST(Legalise, AMeanOverTheImageIsOneWindow) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.shape = {1, 5, 4, 8}});
  const ir::TensorId y = source.Add({.shape = {1, 8}});
  source.Append("mean", ir::Reduce{.axes = {1, 2}}, {x}, y);
  const ir::Graph legal = LegalOf(source);
  ASSERT_EQ(Names(legal), "MEAN RESHAPE");
  EXPECT_EQ(As<ir::Reduce>(legal, 0).axes, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(legal.tensors[legal.operators[0].outputs[0]].shape, (ir::Shape{1, 1, 1, 8}));
}

// The window of 20 pixels would take more than a quarter of the buffer.
TEST(Legalise, AMeanOverMoreThanTheBufferHoldsIsASumOfRows) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.shape = {1, 5, 4, 8}});
  const ir::TensorId y = source.Add({.shape = {1, 8}});
  source.Append("mean", ir::Reduce{.axes = {1, 2}}, {x}, y);
  const ir::Graph legal = LegalOf(source, {.ub_rows = 79});
  ASSERT_EQ(Names(legal), "MOVE RESHAPE MEAN RESHAPE");
  EXPECT_EQ(legal.tensors[legal.operators[0].outputs[0]].shape, (ir::Shape{1, 8, 5, 4}));
  EXPECT_EQ(legal.tensors[legal.operators[2].inputs[0]].shape, (ir::Shape{8, 20}));
  EXPECT_EQ(As<ir::Reduce>(legal, 2).axes, (std::vector<std::int64_t>{1}));
}

TEST(Legalise, AMeanOfSingleElementsIsATable) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.shape = {1, 1, 1, 8}});
  const ir::TensorId y = source.Add({.shape = {1, 8}});
  source.Append("mean", ir::Reduce{.axes = {1, 2}}, {x}, y);
  EXPECT_EQ(Names(LegalOf(source)), "RESHAPE LOOKUP");
}

TEST(Legalise, ABinaryOperatorWithAUniformConstantIsATable) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.shape = {2, 3}});
  const ir::TensorId c = source.Add({.shape = {1, 3}, .data = Int8s{7, 7, 7}});
  const ir::TensorId y = source.Add({.shape = {2, 3}});
  source.Append("max", ir::Binary{.kind = ir::BinaryKind::kMaximum}, {c, x}, y);
  const ir::Graph legal = LegalOf(source);
  ASSERT_EQ(Names(legal), "LOOKUP");
  EXPECT_EQ(legal.operators[0].inputs, std::vector<ir::TensorId>{x});
  EXPECT_EQ(As<ir::Lookup>(legal, 0).table[6], 7);
  EXPECT_EQ(As<ir::Lookup>(legal, 0).table[8], 8);
}

// The legal graph of x + operand.
ir::Graph SumOf(ir::Shape shape, ir::Tensor operand, ir::BinaryKind kind = ir::BinaryKind::kAdd) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.shape = shape});
  const ir::TensorId b = source.Add(std::move(operand));
  const ir::TensorId y = source.Add({.shape = std::move(shape)});
  source.Append("sum", ir::Binary{.kind = kind}, {b, x}, y);
  return LegalOf(source);
}

// The shape of operand number `index` of the graph's ADD.
ir::Shape OperandShape(const ir::Graph& graph, std::size_t index) {
  for (const ir::Operator& op : graph.operators) {
    if (std::holds_alternative<ir::Binary>(op.attributes)) {
      return graph.tensors[op.inputs.at(index)].shape;
    }
  }
  return {};
}

TEST(Legalise, AnOperandIsRepeatedForPixels) {
  const ir::Graph row = SumOf({2, 5, 3}, {.shape = {3}});
  EXPECT_EQ(Names(row), "RESHAPE RESHAPE ADD RESHAPE");
  EXPECT_EQ(OperandShape(row, 0), (ir::Shape{1, 1, 10, 3}));
  EXPECT_EQ(OperandShape(row, 1), (ir::Shape{1, 1, 1, 3}));
  const ir::Graph image = SumOf({2, 4, 5, 3}, {.shape = {2, 1, 5, 3}});
  EXPECT_EQ(OperandShape(image, 0), (ir::Shape{2, 4, 5, 3}));
  EXPECT_EQ(OperandShape(image, 1), (ir::Shape{2, 1, 5, 3}));
  const ir::Graph batch = SumOf({2, 4, 5, 3}, {.shape = {4, 5, 3}});
  EXPECT_EQ(OperandShape(batch, 0), (ir::Shape{1, 2, 20, 3}));
  EXPECT_EQ(OperandShape(batch, 1), (ir::Shape{1, 1, 20, 3}));
}

TEST(Legalise, AChannelIsRepeatedWhenCompilingOrByAProductWithOnes) {
  for (const bool constant : {true, false}) {
    SCOPED_TRACE(constant);
    ir::Tensor column = {.shape = {2, 1}};
    if (constant) column.data = Int8s{1, 2};
    const ir::Graph legal = SumOf({2, 3}, column);
    ASSERT_EQ(Names(legal), constant ? "ADD" : "FULLY_CONNECTED ADD");
    const ir::Tensor& repeated = legal.tensors[legal.operators.back().inputs.at(1)];
    EXPECT_EQ(repeated.shape, (ir::Shape{2, 3}));
    if (constant) EXPECT_EQ(std::get<Int8s>(repeated.data), (Int8s{1, 1, 1, 2, 2, 2}));
  }
  const ir::Graph product = SumOf({2, 3}, {.shape = {2, 1}, .scale = 0.3F, .zero_point = 9});
  const ir::Operator& op = product.operators.at(0);
  EXPECT_EQ(op.macs, 0U) << "no work of the network";
  EXPECT_EQ(std::get<Int8s>(product.tensors[op.inputs.at(1)].data), (Int8s{1, 1, 1}));
  EXPECT_EQ(product.tensors[op.outputs[0]].scale, 0.3F);
  EXPECT_EQ(product.tensors[op.outputs[0]].zero_point, 9);
}

TEST(Legalise, OtherTensorsThatRepeatAreCopied) {
  EXPECT_EQ(Names(SumOf({2, 2, 3}, {.shape = {2, 1, 1}})), "MOVE ADD");
  EXPECT_EQ(Names(SumOf({2, 3}, {.shape = {3}}, ir::BinaryKind::kSub)), "MOVE SUB")
      << "the first operand is repeated";
}

TEST(Legalise, APreluOfSeveralSlopesAddsItsTwoSides) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.shape = {1, 2}, .zero_point = 5});
  const ir::TensorId slopes = source.Add({.shape = {2}, .data = Int8s{1, 2}});
  const ir::TensorId y = source.Add({.shape = {1, 2}, .zero_point = 5});
  source.Append("prelu", ir::Prelu{}, {x, slopes}, y);
  const ir::Graph legal = LegalOf(source);
  ASSERT_EQ(Names(legal), "LOOKUP LOOKUP RESHAPE MUL ADD");
  // Zero point 5: one side keeps what is above, the other one what is below.
  EXPECT_EQ(As<ir::Lookup>(legal, 0).table[3], 5);
  EXPECT_EQ(As<ir::Lookup>(legal, 0).table[9], 9);
  EXPECT_EQ(As<ir::Lookup>(legal, 1).table[3], 3);
  EXPECT_EQ(As<ir::Lookup>(legal, 1).table[9], 5);
  EXPECT_EQ(legal.operators[4].inputs, (std::vector<ir::TensorId>{legal.operators[0].outputs[0],
                                                                  legal.operators[3].outputs[0]}));
}

TEST(Legalise, APadMovesItsInputIntoTheFill) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.type = ElementType::kInt16, .shape = {2, 2}});
  const ir::TensorId y = source.Add({.type = ElementType::kInt16, .shape = {2, 5}});
  source.Append("pad", ir::Pad{.before = {0, 1}, .after = {0, 2}, .fill = -300}, {x}, y);
  const ir::Graph legal = LegalOf(source);
  ASSERT_EQ(Names(legal), "MOVE");
  const ir::Tensor& fill = legal.tensors[legal.operators[0].inputs.at(1)];
  for (const auto value : std::get<std::vector<std::int16_t>>(fill.data)) EXPECT_EQ(value, -300);
  const ir::Move::Copy& image = As<ir::Move>(legal, 0).copies.back();
  EXPECT_EQ(image.input, 0U);
  EXPECT_EQ(image.from, 0);
  EXPECT_EQ(image.to, 1);
}

TEST(Legalise, PartsOfASplitAreMovesAndAWholeIsAReshape) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.shape = {2, 5}});
  const ir::TensorId a = source.Add({.shape = {2, 2}});
  const ir::TensorId b = source.Add({.shape = {2, 3}});
  source.Append("split", ir::SplitAxis{.axis = 1}, {x}, a).outputs = {a, b};
  const ir::Graph legal = LegalOf(source);
  ASSERT_EQ(Names(legal), "MOVE MOVE");
  EXPECT_EQ(As<ir::Move>(legal, 0).copies.at(0).from, 0);
  EXPECT_EQ(As<ir::Move>(legal, 1).copies.at(0).from, 2) << "behind the first output";
  EXPECT_EQ(legal.operators[1].outputs, std::vector<ir::TensorId>{b});

  PlacedGraph whole;
  const ir::TensorId from = whole.Add({.shape = {1, 6}});
  const ir::TensorId to = whole.Add({.shape = {6, 1}});
  whole.Append("transpose", ir::Transpose{.permutation = {1, 0}}, {from}, to);
  EXPECT_EQ(Names(LegalOf(whole)), "RESHAPE");
}

ir::Graph ResizedToWidth(std::int64_t width) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.shape = {1, 2, 2, 3}});
  const ir::TensorId y = source.Add({.shape = {1, 2, width, 3}});
  source.Append("resize", ir::Resize{.kind = ir::ResizeKind::kBilinear}, {x}, y);
  return LegalOf(source);
}

// Twice the width: even columns are the input's, odd ones the mean of two.
TEST(Legalise, ABilinearResizeByAWholeFactorIsAConvolutionForEachPhase) {
  const ir::Graph legal = ResizedToWidth(4);
  ASSERT_EQ(Names(legal), "MOVE DEPTHWISE_CONV_2D DEPTHWISE_CONV_2D MOVE");
  EXPECT_EQ(legal.tensors[legal.operators[0].outputs[0]].shape, (ir::Shape{1, 4, 4, 3}));
  const ir::Tensor& even = legal.tensors[legal.operators[1].inputs.at(1)];
  EXPECT_EQ(std::get<Int8s>(even.data), (Int8s{2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(even.scale, 0.5F);
  const ir::Tensor& odd = legal.tensors[legal.operators[2].inputs.at(1)];
  EXPECT_EQ(std::get<Int8s>(odd.data), (Int8s{2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(odd.scale, 0.25F);
}

TEST(Legalise, OtherBilinearResizesAreTheHosts) {
  const ir::Graph legal = ResizedToWidth(3);
  ASSERT_EQ(Names(legal), "RESIZE_BILINEAR");
  EXPECT_TRUE(RunsOnHost(legal.operators[0]));
}

TEST(Legalise, AnErrorNamesTheOperatorAndTheTensor) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.name = "x", .type = ElementType::kInt16, .shape = {1, 4}});
  const ir::TensorId y = source.Add({.name = "y", .shape = {1, 4}});
  source.Append("act", ir::Unary{.kind = ir::UnaryKind::kTanh}, {x}, y);
  ExpectError([&] { return LegalOf(source); },
              "act (TANH): tensor y must be int16 as x is, not int8");
}

// A product of two [2, 3, 6] x [2, 6, 5], on four lanes.
ir::Graph LegalProducts(bool transposed, bool constant, std::uint32_t bf16) {
  PlacedGraph source;
  const ir::TensorId a = source.Add({.name = "a", .shape = {2, 3, 6}});
  ir::Tensor b = {.name = "b", .shape = {2, 6, 5}, .scale = 0.5F, .zero_point = 7};
  if (transposed) b.shape = {2, 5, 6};
  if (constant) {
    Int8s values(60);
    std::iota(values.begin(), values.end(), std::int8_t{0});
    b.data = values;
  }
  const ir::TensorId y = source.Add({.name = "y", .shape = {2, 3, 5}});
  source.Append("product", ir::BatchMatMul{.transposed = {false, transposed}},
                {a, source.Add(std::move(b))}, y);
  return LegalOf(source, {.n = 4, .bf16 = bf16});
}

TEST(Legalise, TheSecondFactorOfAProductBecomesTiles) {
  for (const bool transposed : {false, true}) {
    const ir::Graph legal = LegalProducts(transposed, false, 0);
    ASSERT_EQ(Names(legal), "RESHAPE MOVE MATMUL RESHAPE");
    EXPECT_TRUE(As<ir::MatMul>(legal, 2).tiled);
    EXPECT_FALSE(As<ir::MatMul>(legal, 2).transposed);
    EXPECT_EQ(legal.operators[2].macs, 2U * 3 * 6 * 5);
    const ir::Tensor& tiles = legal.tensors[legal.operators[2].inputs.at(1)];
    EXPECT_EQ(tiles.shape, (ir::Shape{4, 1, 8, 4})) << "two blocks of columns, rows rounded up";
    EXPECT_EQ(tiles.zero_point, 7);
    EXPECT_EQ(As<ir::Move>(legal, 1).copies.size(), 5U) << "whole blocks, what is left, zeros";
  }
}

TEST(Legalise, MatricesOfOneBlockOfColumnsAreTilesAsTheyLie) {
  PlacedGraph source;
  const ir::TensorId a = source.Add({.name = "a", .shape = {2, 3, 8}});
  const ir::TensorId b = source.Add({.name = "b", .shape = {2, 8, 4}});
  source.Append("product", ir::BatchMatMul{}, {a, b},
                source.Add({.name = "y", .shape = {2, 3, 4}}));
  EXPECT_EQ(Names(LegalOf(source, {.n = 4})), "RESHAPE RESHAPE MATMUL RESHAPE");
}

TEST(Legalise, AConstantSecondFactorIsTilesAlready) {
  for (const std::uint32_t bf16 : {0U, 1U}) {
    for (const bool transposed : {false, true}) {
      const ir::Graph legal = LegalProducts(transposed, true, bf16);
      ASSERT_EQ(Names(legal), "RESHAPE MATMUL RESHAPE");
      EXPECT_TRUE(As<ir::MatMul>(legal, 1).tiled);
      const auto& tiles = std::get<Int8s>(legal.tensors[legal.operators[1].inputs.at(1)].data);
      // Tile 3 has rows 4 to 7 of the last column.
      const std::size_t row = transposed ? 1 : 5;
      EXPECT_EQ(tiles[3 * 16], static_cast<std::int8_t>(transposed ? 4 * 6 + 4 : 4 * row + 4));
      EXPECT_EQ(tiles[3 * 16 + 4], tiles[3 * 16] + static_cast<int>(row));
      EXPECT_EQ(tiles[3 * 16 + 8], 0);
      EXPECT_EQ(tiles[3 * 16 + 1], 0);
    }
  }
}

TEST(Legalise, MachinesWithBf16TakeTheSecondFactorAsItLies) {
  const ir::Graph legal = LegalProducts(true, false, 1);
  ASSERT_EQ(Names(legal), "RESHAPE RESHAPE MATMUL RESHAPE");
  EXPECT_TRUE(As<ir::MatMul>(legal, 2).transposed);
  EXPECT_FALSE(As<ir::MatMul>(legal, 2).tiled);
}

// An operator of two inputs [2, 3] and [3], int8.
ir::Graph LegalPair(const ir::Attributes& attributes, bool uniform,
                    const isa::HardwareConfig& config = {}) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.name = "x", .shape = {2, 3}, .scale = 0.5F});
  ir::Tensor second = {.name = "second", .shape = {3}, .scale = 0.25F};
  second.data = uniform ? Int8s{2, 2, 2} : Int8s{1, 2, 3};
  source.Append("pair", attributes, {x, source.Add(std::move(second))},
                source.Add({.name = "y", .shape = {2, 3}, .scale = 0.5F}));
  return LegalOf(source, config);
}

// The operand of the smaller scale is brought to the larger one before it is repeated.
TEST(Legalise, SquaredDifferencesAreOperationsOnIntegers) {
  const ir::Graph legal = LegalPair(ir::SquaredDifference{}, false);
  ASSERT_EQ(Names(legal), "INTEGER_MAP RESHAPE RESHAPE INTEGER_MAP RESHAPE INTEGER_MAP");
  EXPECT_EQ(As<ir::IntegerMap>(legal, 0).constant, 128);
  EXPECT_EQ(legal.tensors[legal.operators[0].outputs[0]].Elements(), 3);
  EXPECT_EQ(As<ir::IntegerMap>(legal, 3).kind, ir::IntegerMap::Kind::kJoinNegative);
  EXPECT_EQ(legal.operators[5].inputs[0], legal.operators[5].inputs[1]);
}

TEST(Legalise, QuotientsAndSquaredDifferencesAreTablesOrTheHosts) {
  EXPECT_EQ(Names(LegalPair(ir::Divide{}, true)), "LOOKUP");
  EXPECT_EQ(Names(LegalPair(ir::SquaredDifference{}, true)), "LOOKUP");
  isa::HardwareConfig without_int16;
  without_int16.int16 = 0;
  EXPECT_EQ(Names(LegalPair(ir::SquaredDifference{}, false, without_int16)), "SQUARED_DIFFERENCE");
  EXPECT_EQ(Names(LegalPair(ir::Divide{}, false)), "DIV");
  const ir::Graph clamped = LegalPair(ir::Divide{.activation = ir::Activation::kRelu}, false);
  ASSERT_EQ(Names(clamped), "DIV LOOKUP") << "the activation is a table";
  EXPECT_EQ(As<ir::Divide>(clamped, 0).activation, ir::Activation::kNone);
  EXPECT_EQ(clamped.tensors[clamped.operators[0].inputs.at(1)].shape, (ir::Shape{3}))
      << "the host repeats what broadcasts";
}

// 0.5 and half of each byte.
TEST(Legalise, ComparisonsOfInt8WithAConstantAreTables) {
  const auto legal = [](bool constant_first, bool uniform) {
    PlacedGraph source;
    const ir::TensorId x = source.Add({.name = "x", .shape = {2, 3}, .scale = 0.5F});
    ir::Tensor constant = {.name = "constant", .shape = {3}, .scale = 0.25F, .zero_point = -1};
    constant.data = uniform ? Int8s{1, 1, 1} : Int8s{1, 1, 2};
    const ir::TensorId c = source.Add(std::move(constant));
    source.Append(
        "less",
        ir::HostOperator{host_operators::Comparison{.relation = host_operators::Relation::kLess}},
        constant_first ? std::vector{c, x} : std::vector{x, c},
        source.Add({.name = "y", .type = ElementType::kBool, .shape = {2, 3}}));
    return LegalOf(source);
  };
  const std::array<std::int8_t, 4> less = {1, 1, 0, 0};
  const std::array<std::int8_t, 4> greater = {0, 0, 0, 1};
  for (const bool constant_first : {false, true}) {
    const ir::Graph graph = legal(constant_first, true);
    ASSERT_EQ(Names(graph), "LOOKUP");
    for (std::size_t i = 0; i < less.size(); ++i) {
      const auto byte = static_cast<std::uint8_t>(static_cast<int>(i) - 1);
      EXPECT_EQ(As<ir::Lookup>(graph, 0).table[byte], (constant_first ? greater : less)[i]) << i;
    }
    EXPECT_EQ(Names(legal(constant_first, false)), "LESS");
  }
}

TEST(Legalise, FunctionsThatTensorFlowLiteHasOnInt8AreTables) {
  const auto legal = [](ir::FunctionKind kind) {
    PlacedGraph source;
    source.Append("function", ir::Function{.kind = kind}, {source.Add({.name = "x", .shape = {4}})},
                  source.Add({.name = "y", .shape = {4}}));
    return LegalOf(source);
  };
  EXPECT_EQ(Names(legal(ir::FunctionKind::kAbsolute)), "LOOKUP");
  EXPECT_EQ(Names(legal(ir::FunctionKind::kRsqrt)), "LOOKUP");
  ExpectError([&] { return legal(ir::FunctionKind::kExp); },
              "function (EXP): tensor y is int8, and only float32 is supported");
}

TEST(Legalise, SumsOfTensorsOfOtherScalesAreRefused) {
  PlacedGraph source;
  const ir::TensorId a = source.Add({.name = "a", .shape = {4}, .scale = 0.5F});
  const ir::TensorId b = source.Add({.name = "b", .shape = {4}, .scale = 0.25F});
  source.Append("sum", ir::AddN{}, {a, a, b}, source.Add({.name = "y", .shape = {4}}));
  ExpectError([&] { return LegalOf(source); },
              "sum (ADD_N): a and b must have the same shape, scale and zero point");
}

TEST(RunsOnHost, IsTrueOfNineOperators) {
  const auto runs = [](ir::Attributes attributes) {
    return RunsOnHost({.name = "op", .attributes = std::move(attributes)});
  };
  EXPECT_TRUE(runs(ir::Softmax{}) && runs(ir::ArgMax{}) && runs(ir::Quantize{}) &&
              runs(ir::Dequantize{}) && runs(ir::Resize{}) && runs(ir::Divide{}) &&
              runs(ir::SquaredDifference{}) && runs(ir::AddN{}) && runs(ir::L2Normalization{}));
  EXPECT_FALSE(runs(ir::Conv2D{}) || runs(ir::DepthwiseConv2D{}) || runs(ir::FullyConnected{}) ||
               runs(ir::Pool2D{}) || runs(ir::Binary{}) || runs(ir::Lookup{}) || runs(ir::Move{}) ||
               runs(ir::Reshape{}) || runs(ir::Reduce{}));
}

}  // namespace
}  // namespace tpu::compiler
