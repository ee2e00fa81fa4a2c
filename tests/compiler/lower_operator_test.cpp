// SPDX-License-Identifier: Apache-2.0
// What all operators have in common when they are lowered: layers, work, constants, errors.
#include "compiler/lower/lower_operator.h"

#include <gtest/gtest.h>

#include "lowered.h"

namespace tpu::compiler {
namespace {

// A 3 x 3 convolution from eight to 16 channels, 4 x 4 pixels out.
PlacedGraph Convolution() {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.name = "x", .shape = {1, 6, 6, 8}});
  const ir::TensorId w = source.Add({.name = "w",
                                     .shape = {16, 3, 3, 8},
                                     .data = std::vector<std::int8_t>(std::size_t{16} * 9 * 8, 1)});
  const ir::TensorId y = source.Add({.name = "y", .shape = {1, 4, 4, 16}});
  source.Append("conv", ir::Conv2D{}, {x, w}, y);
  return source;
}

// The constant that becomes the convolution's bias.
ir::Tensor BiasOf(std::int64_t channels) {
  return {.name = "b",
          .type = ElementType::kInt32,
          .shape = {channels},
          .data = std::vector<std::int32_t>(static_cast<std::size_t>(channels), 3)};
}

TEST(LowerOperator, BeginsALayerWithTheOperatorsNameAndWork) {
  const Lowered lowered = Convolution().Lower();
  ASSERT_EQ(lowered.Network().layers.size(), 2U);
  const executable::Layer& layer = lowered.Network().layers[1];
  EXPECT_EQ(layer.name, "conv");
  EXPECT_EQ(layer.op, "CONV_2D");
  EXPECT_EQ(layer.macs, 4U * 4 * 16 * 3 * 3 * 8);
  EXPECT_FALSE(layer.host);
  for (const SequentialInstruction& instruction : lowered.Program()) {
    EXPECT_EQ(instruction.layer, 1U);
  }
}

TEST(LowerOperator, WhatLegalisationSaysOfTheOriginCounts) {
  PlacedGraph source = Convolution();
  source.graph().operators[0].origin = "TRANSPOSE_CONV";
  source.graph().operators[0].macs = 17;
  const executable::Layer layer = source.Lower().Network().layers.at(1);
  EXPECT_EQ(layer.op, "TRANSPOSE_CONV");
  EXPECT_EQ(layer.macs, 17U);
}

TEST(LowerOperator, AReshapeIsNothing) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.shape = {2, 3}});
  source.Append("reshape", ir::Reshape{}, {x}, source.Add({.shape = {6}}));
  const Lowered lowered = source.Lower();
  EXPECT_EQ(lowered.Network().layers.size(), 1U);
  EXPECT_TRUE(lowered.Network().steps.empty());
}

TEST(LowerOperator, AHostOperatorIsACall) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.shape = {2, 3}});
  source.Append("softmax", ir::Softmax{}, {x}, source.Add({.shape = {2, 3}}));
  const Lowered lowered = source.Lower();
  EXPECT_TRUE(lowered.Network().layers.at(1).host);
  ASSERT_EQ(lowered.Network().steps.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<executable::HostCall>(lowered.Network().steps[0]));
}

TEST(LowerOperator, RefusesWhatLegalisationShouldHaveReplaced) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.shape = {2, 3}});
  source.Append("pad", ir::Pad{}, {x}, source.Add({.shape = {2, 3}}));
  ExpectError([&] { return source.Lower(); }, "pad (PAD): not supported by this compiler");
}

TEST(MacsOf, CountsTheProductsOfAnOutputTimesTheOutputs) {
  PlacedGraph source;
  const ir::TensorId image = source.Add({.shape = {2, 5, 5, 8}});
  const ir::TensorId depthwise = source.Add({.shape = {1, 3, 2, 8}});
  const ir::TensorId same = source.Add({.shape = {2, 5, 5, 8}});
  const ir::TensorId matrix = source.Add({.shape = {10, 200}});
  const ir::TensorId rows = source.Add({.shape = {2, 10}});
  source.Append("depthwise", ir::DepthwiseConv2D{}, {image, depthwise}, same);
  source.Append("matrix", ir::FullyConnected{}, {image, matrix}, rows);
  source.Append("table", ir::Lookup{}, {image}, same);
  EXPECT_EQ(MacsOf(source.Context(0)), 2U * 5 * 5 * 8 * 3 * 2);
  EXPECT_EQ(MacsOf(source.Context(1)), 2U * 10 * 200);
  EXPECT_EQ(MacsOf(source.Context(2)), 0U);
}

TEST(OperatorContext, AFusedTableMovesTheOutputBeforeTheTable) {
  PlacedGraph source = Convolution();
  const ir::TensorId before = source.Add({.name = "before", .shape = {1, 4, 4, 16}});
  const OperatorContext context = source.Context();
  EXPECT_EQ(context.Output().name, "y");
  EXPECT_TRUE(context.Table().empty());
  ir::FusedLookup fused = {.lookup = {}, .before = before};
  fused.lookup.table[255] = -2;
  source.graph().operators[0].fused = fused;
  EXPECT_EQ(context.Output().name, "before");
  EXPECT_EQ(context.OutputPlacement().address, PlacedGraph::TensorAddress(2)) << "y's place";
  ASSERT_EQ(context.Table().size(), 256U);
  EXPECT_EQ(context.Table()[255], 254);
}

TEST(OperatorContext, WeightsAreConstantInt8WithoutAZeroPoint) {
  PlacedGraph source = Convolution();
  const OperatorContext context = source.Context();
  EXPECT_EQ(std::get<std::span<const isa::Weight>>(context.Weights(1)).size(), 16U * 9 * 8);
  source.graph().tensors[1].zero_point = 1;
  ExpectError([&] { return context.Weights(1); },
              "conv (CONV_2D): weights w must have zero point 0");
  source.graph().tensors[1].data = std::monostate();
  ExpectError([&] { return context.Weights(1); },
              "conv (CONV_2D): weights w must be constant int8");
  ExpectError([&] { return context.Weights(2); }, "conv (CONV_2D): input 2 is missing");
}

TEST(OperatorContext, ABiasIsConstantInt32OfAllChannels) {
  PlacedGraph source = Convolution();
  EXPECT_TRUE(source.Context().Bias(2, 16).empty()) << "no bias";
  source.graph().operators[0].inputs.push_back(source.Add(BiasOf(16)));
  EXPECT_EQ(source.Context().Bias(2, 16).size(), 16U);
  ExpectError([&] { return source.Context().Bias(2, 8); }, "bias b has 16 values, not 8");
  ExpectError([&] { return source.Context().Bias(1, 8); }, "bias w must be constant int32");
}

}  // namespace
}  // namespace tpu::compiler
