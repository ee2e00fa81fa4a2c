// SPDX-License-Identifier: Apache-2.0
// Host calls of operators.
#include "compiler/lower/lower_host.h"

#include <gtest/gtest.h>

#include "network.h"

namespace tpu::compiler {
namespace {

// The call that the network's only operator becomes.
executable::HostCall LoweredCall(Network& network, Rounding rounding = Rounding::kDouble) {
  const ir::Graph& graph = network.graph();
  std::vector<Placement> placements(graph.tensors.size());
  for (std::size_t i = 0; i < placements.size(); ++i) placements[i].address = 64 * i;
  Emitter emitter(isa::HardwareConfig(), false);
  emitter.BeginLayer({.name = "other"});
  emitter.BeginLayer({.name = "host"});
  LowerHostCall(
      {.graph = graph, .op = graph.operators.at(0), .placements = placements, .rounding = rounding},
      emitter);
  return std::get<executable::HostCall>(emitter.Take().steps.at(0));
}

TEST(LowerHostCall, SaysKernelLayerAndTensors) {
  Network network(1);
  const ir::TensorId x = network.Input({1, 8});
  const ir::TensorId y = network.Make(ir::Softmax{.beta = 2.5F}, {x}, {1, 8});
  const executable::HostCall call = LoweredCall(network);
  EXPECT_EQ(std::get<host_operators::Softmax>(call.attributes).beta, 2.5F);
  EXPECT_EQ(call.layer, 1U);
  EXPECT_FALSE(call.single_rounding);
  ASSERT_EQ(call.inputs.size(), 1U);
  EXPECT_EQ(call.inputs[0].address, 64 * x);
  ASSERT_EQ(call.outputs.size(), 1U);
  EXPECT_EQ(call.outputs[0].address, 64 * y);
}

TEST(LowerHostCall, EachOperatorIsItsKernel) {
  const auto call = [](const ir::Attributes& attributes) {
    Network network(1);
    network.Make(attributes, {network.Input({1, 4, 4, 8})}, {1, 4, 4, 8});
    return LoweredCall(network, Rounding::kSingle);
  };
  const auto extreme = [&](const ir::ArgMax& op) {
    return std::get<host_operators::ArgExtreme>(call(op).attributes);
  };
  EXPECT_EQ(extreme({.axis = 3}).axis, 3);
  EXPECT_FALSE(extreme({.axis = 3}).smallest);
  EXPECT_TRUE(extreme({.smallest = true}).smallest);
  EXPECT_TRUE(std::holds_alternative<host_operators::Quantize>(call(ir::Quantize{}).attributes));
  EXPECT_TRUE(
      std::holds_alternative<host_operators::Dequantize>(call(ir::Dequantize{}).attributes));
  EXPECT_TRUE(call(ir::Dequantize{}).single_rounding);
  EXPECT_TRUE(std::holds_alternative<host_operators::Divide>(call(ir::Divide{}).attributes));
  EXPECT_TRUE(std::holds_alternative<host_operators::SquaredDifference>(
      call(ir::SquaredDifference{}).attributes));
  EXPECT_TRUE(std::holds_alternative<host_operators::AddN>(call(ir::AddN{}).attributes));
  EXPECT_TRUE(std::holds_alternative<host_operators::L2Normalization>(
      call(ir::L2Normalization{}).attributes));
  const auto resize = std::get<host_operators::ResizeBilinear>(
      call(ir::Resize{.kind = ir::ResizeKind::kBilinear, .half_pixel_centers = true}).attributes);
  EXPECT_TRUE(resize.half_pixel_centers);
  EXPECT_FALSE(resize.align_corners);
  const ir::HostOperator floor = {host_operators::Unary{}};
  EXPECT_TRUE(std::holds_alternative<host_operators::Unary>(call(floor).attributes));
}

}  // namespace
}  // namespace tpu::compiler
