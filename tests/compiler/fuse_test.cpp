// SPDX-License-Identifier: Apache-2.0
// Which operators become part of their neighbours, and which must not.
#include "compiler/legalise/fuse.h"

#include <gtest/gtest.h>

#include "network.h"

namespace tpu::compiler {
namespace {

// A pad of x in front of a 1 x 1 convolution that pads once more at the top.
struct PaddedConv {
  Network network{1};
  ir::TensorId x = network.Input({1, 4, 4, 3});
  ir::TensorId padded = 0;

  explicit PaddedConv(const ir::Pad& pad, std::vector<std::int64_t> shape = {1, 8, 6, 3}) {
    padded = network.Make(pad, {x}, std::move(shape));
    network.graph().outputs = {network.Conv(padded, 8, {.h = 1, .w = 1}, {.padding = {.top = 5}})};
  }
};

// What reads as the zero point of x.
ir::Pad FramePad(std::int64_t fill) {
  return {.before = {0, 1, 2, 0}, .after = {0, 3, 0, 0}, .fill = fill};
}
std::int64_t ZeroPointOfX() {
  Network network(1);
  return network.ZeroPoint(network.Input({1, 4, 4, 3}));
}

std::size_t OperatorsAfterFusePadding(PaddedConv& conv) {
  FusePadding(conv.network.graph());
  return conv.network.graph().operators.size();
}

TEST(FusePadding, AddsToTheConvolutionsPadding) {
  PaddedConv conv(FramePad(ZeroPointOfX()));
  ASSERT_EQ(OperatorsAfterFusePadding(conv), 1U);
  const ir::Operator& op = conv.network.graph().operators[0];
  EXPECT_EQ(op.inputs[0], conv.x);
  const ir::Padding& padding = std::get<ir::Conv2D>(op.attributes).padding;
  EXPECT_EQ(padding.top, 6);
  EXPECT_EQ(padding.left, 2);
  EXPECT_EQ(padding.bottom, 3);
  EXPECT_EQ(padding.right, 0);
}

TEST(FusePadding, OtherValuesThanTheZeroPointStay) {
  PaddedConv conv(FramePad(ZeroPointOfX() == 0 ? 1 : 0));
  EXPECT_EQ(OperatorsAfterFusePadding(conv), 2U);
}

TEST(FusePadding, ChannelsStay) {
  PaddedConv conv({.before = {0, 0, 0, 1}, .after = {0, 0, 0, 0}, .fill = ZeroPointOfX()},
                  {1, 4, 4, 4});
  EXPECT_EQ(OperatorsAfterFusePadding(conv), 2U);
}

TEST(FusePadding, MoreThanAConvolutionHasStays) {
  // With the convolution's own five rows, 255 and 256.
  for (const std::int64_t rows : {250, 251}) {
    PaddedConv conv({.before = {0, rows, 0, 0}, .after = {0, 0, 0, 0}, .fill = ZeroPointOfX()},
                    {1, 4 + rows, 4, 3});
    EXPECT_EQ(OperatorsAfterFusePadding(conv), rows == 250 ? 1U : 2U);
  }
}

TEST(FusePadding, WhatCutsStays) {
  PaddedConv conv({.before = {0, -1, 0, 0}, .after = {0, 0, 0, 0}, .fill = ZeroPointOfX()},
                  {1, 3, 4, 3});
  EXPECT_EQ(OperatorsAfterFusePadding(conv), 2U);
}

TEST(FusePadding, WhatOthersSeeStays) {
  PaddedConv conv(FramePad(ZeroPointOfX()));
  conv.network.graph().outputs.push_back(conv.padded);
  EXPECT_EQ(OperatorsAfterFusePadding(conv), 2U);
}

// q + step, modulo 256.
ir::Lookup Adding(unsigned step) {
  ir::Lookup lookup;
  for (unsigned i = 0; i < 256; ++i) lookup.table[i] = static_cast<std::int8_t>(i + step);
  return lookup;
}
ir::Lookup Negating() {
  ir::Lookup lookup;
  for (unsigned i = 0; i < 256; ++i) lookup.table[i] = static_cast<std::int8_t>(0U - i);
  return lookup;
}

TEST(FuseLookups, TablesInARowBecomeOne) {
  Network network(1);
  const ir::TensorId x = network.Input({16});
  const ir::TensorId sum = network.Make(Adding(3), {x}, {16});
  const ir::TensorId y = network.Make(Negating(), {sum}, {16});
  network.graph().outputs = {y};
  FuseLookups(network.graph());
  ASSERT_EQ(network.graph().operators.size(), 1U);
  const ir::Operator& op = network.graph().operators[0];
  EXPECT_EQ(op.inputs, std::vector<ir::TensorId>{x});
  EXPECT_EQ(op.outputs, std::vector<ir::TensorId>{y});
  const auto& table = std::get<ir::Lookup>(op.attributes).table;
  for (unsigned i = 0; i < 256; ++i) {
    EXPECT_EQ(table[i], static_cast<std::int8_t>(0U - (i + 3))) << "q & 255 = " << i;
  }
}

TEST(FuseLookups, ATableBehindAConvolutionBecomesItsLastStage) {
  Network network(1);
  const ir::TensorId x = network.Input({1, 4, 4, 3});
  const ir::TensorId sum = network.Conv(x, 8, {.h = 1, .w = 1}, {});
  const ir::TensorId y = network.Make(Adding(3), {sum}, {1, 4, 4, 8});
  network.graph().outputs = {y};
  FuseLookups(network.graph());
  ASSERT_EQ(network.graph().operators.size(), 1U);
  const ir::Operator& op = network.graph().operators[0];
  EXPECT_TRUE(std::holds_alternative<ir::Conv2D>(op.attributes));
  EXPECT_EQ(op.outputs, std::vector<ir::TensorId>{y});
  ASSERT_TRUE(op.fused.has_value());
  EXPECT_EQ(op.fused->before, sum);
  EXPECT_EQ(op.fused->lookup.table, Adding(3).table);
}

TEST(FuseLookups, AResultWithOtherUsersKeepsItsTableApart) {
  Network network(1);
  const ir::TensorId x = network.Input({1, 4, 4, 3});
  const ir::TensorId sum = network.Conv(x, 8, {.h = 1, .w = 1}, {});
  network.graph().outputs = {network.Make(Adding(3), {sum}, {1, 4, 4, 8}), sum};
  FuseLookups(network.graph());
  EXPECT_EQ(network.graph().operators.size(), 2U);
}

TEST(FuseLookups, OperatorsWithoutTheVectorUnitTakeNoTable) {
  Network network(1);
  const ir::TensorId x = network.Input({4, 4});
  const ir::TensorId same = network.Shape(x, {16});
  network.graph().outputs = {network.Make(Adding(3), {same}, {16})};
  FuseLookups(network.graph());
  EXPECT_EQ(network.graph().operators.size(), 2U);
}

// bfloat16 numbers times weights, a sum, and a function of it.
struct FloatSum {
  ir::Graph graph;
  ir::TensorId sum = Add();
  ir::TensorId y = Add();

  FloatSum(ir::Attributes maker, ir::Attributes function) {
    const ir::TensorId a = Add();
    const ir::TensorId b = Add();
    graph.operators = {
        {.name = "sum", .inputs = {a, b}, .outputs = {sum}, .attributes = std::move(maker)},
        {.name = "y", .inputs = {sum}, .outputs = {y}, .attributes = std::move(function)}};
    graph.inputs = {a, b};
    graph.outputs = {y};
  }
  ir::TensorId Add() {
    return graph.AddTensor({.name = "t", .type = ElementType::kBfloat16, .shape = {4, 4}});
  }
  std::size_t OperatorsAfterFuseFunctions() {
    FuseFunctions(graph);
    return graph.operators.size();
  }
};

TEST(FuseFunctions, BecomePartOfWhatMakesTheNumbers) {
  const std::vector<ir::Attributes> makers = {ir::FullyConnected{}, ir::Conv2D{}, ir::MatMul{},
                                              ir::Binary{}};
  for (const ir::Attributes& maker : makers) {
    FloatSum source(maker, ir::Function{.kind = ir::FunctionKind::kExp});
    EXPECT_EQ(source.OperatorsAfterFuseFunctions(), 1U);
    EXPECT_EQ(source.graph.operators[0].outputs, std::vector<ir::TensorId>{source.y});
    EXPECT_EQ(source.graph.operators[0].function, ir::FusedFunction(ir::FunctionKind::kExp));
  }
  FloatSum tanh(ir::FullyConnected{}, ir::Unary{.kind = ir::UnaryKind::kTanh});
  EXPECT_EQ(tanh.OperatorsAfterFuseFunctions(), 1U);
  EXPECT_EQ(tanh.graph.operators[0].function, ir::FusedFunction(ir::UnaryKind::kTanh));
}

TEST(FuseFunctions, StayBehindAnActivationOrAnotherFunctionOrAnotherUser) {
  const ir::Function exp = {.kind = ir::FunctionKind::kExp};
  FloatSum active(ir::FullyConnected{.activation = ir::Activation::kRelu}, exp);
  EXPECT_EQ(active.OperatorsAfterFuseFunctions(), 2U);
  FloatSum used(ir::FullyConnected{}, exp);
  used.graph.outputs.push_back(used.sum);
  EXPECT_EQ(used.OperatorsAfterFuseFunctions(), 2U);
  FloatSum window(ir::Pool2D{}, exp);
  EXPECT_EQ(window.OperatorsAfterFuseFunctions(), 2U) << "may take several instructions";
  FloatSum twice(ir::FullyConnected{}, exp);
  twice.graph.operators[0].function = ir::FunctionKind::kNegate;
  EXPECT_EQ(twice.OperatorsAfterFuseFunctions(), 2U);
  FloatSum bytes(ir::FullyConnected{}, exp);
  bytes.graph.tensors[bytes.sum].type = ElementType::kInt8;
  EXPECT_EQ(bytes.OperatorsAfterFuseFunctions(), 2U);
}

}  // namespace
}  // namespace tpu::compiler
