// SPDX-License-Identifier: Apache-2.0
// Host calls of operators.
#include "compiler/lower/lower_host.h"

#include <gtest/gtest.h>

#include "network.h"

namespace tpu::compiler {
namespace {

// The call that the network's only operator becomes.
isa::HostCall LoweredCall(Network& network, Rounding rounding = Rounding::kDouble) {
  const Graph& graph = network.graph();
  std::vector<Placement> placements(graph.tensors.size());
  for (std::size_t i = 0; i < placements.size(); ++i) placements[i].address = 64 * i;
  Emitter emitter(isa::HardwareConfig(), false);
  emitter.BeginLayer({.name = "other"});
  emitter.BeginLayer({.name = "host"});
  LowerHostCall(
      {.graph = graph, .op = graph.operators.at(0), .placements = placements, .rounding = rounding},
      emitter);
  return std::get<isa::HostCall>(emitter.Take().steps.at(0));
}

TEST(LowerHostCall, SaysKernelLayerAndTensors) {
  Network network(1);
  const TensorId x = network.Input({1, 8});
  const TensorId y = network.Make(Softmax{.beta = 2.5F}, {x}, {1, 8});
  const isa::HostCall call = LoweredCall(network);
  EXPECT_EQ(call.kernel, isa::HostKernel::kSoftmax);
  EXPECT_EQ(call.beta, 2.5F);
  EXPECT_EQ(call.layer, 1U);
  EXPECT_FALSE(call.single_rounding);
  ASSERT_EQ(call.inputs.size(), 1U);
  EXPECT_EQ(call.inputs[0].address, 64 * x);
  EXPECT_EQ(call.output.address, 64 * y);
}

TEST(LowerHostCall, EachOperatorIsItsKernel) {
  const auto kernel = [](const Attributes& attributes) {
    Network network(1);
    network.Make(attributes, {network.Input({1, 4, 4, 8})}, {1, 4, 4, 8});
    return LoweredCall(network, Rounding::kSingle);
  };
  EXPECT_EQ(kernel(ArgMax{.axis = 3}).kernel, isa::HostKernel::kArgMax);
  EXPECT_EQ(kernel(ArgMax{.axis = 3}).axis, 3);
  EXPECT_EQ(kernel(ArgMax{.smallest = true}).kernel, isa::HostKernel::kArgMin);
  EXPECT_EQ(kernel(Quantize{}).kernel, isa::HostKernel::kQuantize);
  EXPECT_EQ(kernel(Dequantize{}).kernel, isa::HostKernel::kDequantize);
  EXPECT_TRUE(kernel(Dequantize{}).single_rounding);
  const isa::HostCall resize =
      kernel(Resize{.kind = ResizeKind::kBilinear, .half_pixel_centers = true});
  EXPECT_EQ(resize.kernel, isa::HostKernel::kResizeBilinear);
  EXPECT_TRUE(resize.half_pixel_centers);
  EXPECT_FALSE(resize.align_corners);
}

}  // namespace
}  // namespace tpu::compiler
