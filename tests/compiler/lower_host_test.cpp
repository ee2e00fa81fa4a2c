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
  EXPECT_EQ(call.kernel, executable::HostKernel::kSoftmax);
  EXPECT_EQ(call.beta, 2.5F);
  EXPECT_EQ(call.layer, 1U);
  EXPECT_FALSE(call.single_rounding);
  ASSERT_EQ(call.inputs.size(), 1U);
  EXPECT_EQ(call.inputs[0].address, 64 * x);
  EXPECT_EQ(call.output.address, 64 * y);
}

TEST(LowerHostCall, EachOperatorIsItsKernel) {
  const auto kernel = [](const ir::Attributes& attributes) {
    Network network(1);
    network.Make(attributes, {network.Input({1, 4, 4, 8})}, {1, 4, 4, 8});
    return LoweredCall(network, Rounding::kSingle);
  };
  EXPECT_EQ(kernel(ir::ArgMax{.axis = 3}).kernel, executable::HostKernel::kArgMax);
  EXPECT_EQ(kernel(ir::ArgMax{.axis = 3}).axis, 3);
  EXPECT_EQ(kernel(ir::ArgMax{.smallest = true}).kernel, executable::HostKernel::kArgMin);
  EXPECT_EQ(kernel(ir::Quantize{}).kernel, executable::HostKernel::kQuantize);
  EXPECT_EQ(kernel(ir::Dequantize{}).kernel, executable::HostKernel::kDequantize);
  EXPECT_TRUE(kernel(ir::Dequantize{}).single_rounding);
  EXPECT_EQ(kernel(ir::Divide{}).kernel, executable::HostKernel::kDivide);
  EXPECT_EQ(kernel(ir::SquaredDifference{}).kernel, executable::HostKernel::kSquaredDifference);
  EXPECT_EQ(kernel(ir::AddN{}).kernel, executable::HostKernel::kAddN);
  EXPECT_EQ(kernel(ir::L2Normalization{}).kernel, executable::HostKernel::kL2Normalization);
  const executable::HostCall resize =
      kernel(ir::Resize{.kind = ir::ResizeKind::kBilinear, .half_pixel_centers = true});
  EXPECT_EQ(resize.kernel, executable::HostKernel::kResizeBilinear);
  EXPECT_TRUE(resize.half_pixel_centers);
  EXPECT_FALSE(resize.align_corners);
}

}  // namespace
}  // namespace tpu::compiler
