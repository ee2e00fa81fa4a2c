// SPDX-License-Identifier: Apache-2.0
// Which orders of bytes tensors may have.
#include "compiler/place/layout.h"

#include <gtest/gtest.h>

#include "compiler/legalise/use_bfloat16.h"
#include "float_network.h"
#include "network.h"

namespace tpu::compiler {
namespace {

TEST(ImagesOf, FewerDimensionsAreOneRowOfPixels) {
  EXPECT_EQ(ImagesOf({.shape = {2, 3, 4, 5}}), (Images{.n = 2, .h = 3, .w = 4, .c = 5}));
  EXPECT_EQ(ImagesOf({.shape = {6, 7}}), (Images{.w = 6, .c = 7}));
  EXPECT_EQ(ImagesOf({.shape = {2, 3, 4}}), (Images{.w = 6, .c = 4}));
  EXPECT_EQ(ImagesOf({.shape = {}}), (Images{}));
  EXPECT_EQ(ImagesOf({.shape = {3, 0}}), (Images{.w = 0, .c = 0}));
}

// Three channels of three columns fit 16 lanes; sixteen channels fill them already.
TEST(ThinPays, WhenKernelColumnsShareLanes) {
  EXPECT_TRUE(ThinPays(3, 3, 1, 16));
  EXPECT_FALSE(ThinPays(3, 3, 2, 16)) << "dilated columns do not lie side by side";
  EXPECT_FALSE(ThinPays(16, 3, 1, 16));
  EXPECT_FALSE(ThinPays(3, 1, 1, 16));
  EXPECT_TRUE(ThinPays(24, 2, 1, 16)) << "48 in 3 tiles instead of 4";
}

// What a convolution makes, used by whatever `use` appends.
template <typename Use>
bool BetweenConvAnd(Use use) {
  Network network(1);
  const ir::TensorId x = network.Input({1, 4, 4, 16});
  const ir::TensorId middle = network.Conv(x, 32, {.h = 1, .w = 1}, {});
  network.graph().outputs = {use(network, middle)};
  EXPECT_FALSE(MayBeBlocked(network.graph(), x)) << "an input";
  EXPECT_FALSE(MayBeBlocked(network.graph(), network.graph().outputs[0])) << "an output";
  return MayBeBlocked(network.graph(), middle);
}

TEST(MayBeBlocked, WhereAllUsersSeeTheSameChannels) {
  const auto conv = [](Network& network, ir::TensorId id) {
    return network.Conv(id, 8, {.h = 1, .w = 1}, {});
  };
  EXPECT_TRUE(BetweenConvAnd(conv));
  EXPECT_TRUE(BetweenConvAnd([&](Network& network, ir::TensorId id) {
    return conv(network, network.Shape(id, {1, 2, 8, 32}));
  }));
  EXPECT_FALSE(BetweenConvAnd([&](Network& network, ir::TensorId id) {
    return conv(network, network.Shape(id, {1, 4, 8, 16}));
  })) << "other channels after the reshape";
  EXPECT_FALSE(BetweenConvAnd([&](Network& network, ir::TensorId id) {
    return conv(network, network.Shape(id, {1, 2, 4, 32}));
  })) << "the first pixels";
  EXPECT_FALSE(BetweenConvAnd([](Network& network, ir::TensorId id) {
    return network.Make(ir::Softmax{}, {id}, {1, 4, 4, 32});
  })) << "the host";
  EXPECT_FALSE(BetweenConvAnd([](Network& network, ir::TensorId id) {
    return network.Make(ir::Move{}, {id}, {1, 4, 4, 32});
  })) << "copies of bytes";
  EXPECT_FALSE(BetweenConvAnd([](Network& network, ir::TensorId id) {
    return network.FullyConnect(network.Shape(id, {1, 512}), 512, 8, false);
  })) << "rows of 512 channels";
}

TEST(MayBeBlocked, NotWhereTheTensorIsWeightTiles) {
  for (const bool tiled : {true, false}) {
    Network network(1);
    const ir::TensorId x = network.Apply(network.Input({2, 1, 8, 32}));
    const ir::TensorId y = network.Apply(network.Input({2, 1, 32, 32}));
    network.graph().outputs = {network.Make(ir::MatMul{.tiled = tiled}, {x, y}, {2, 1, 8, 32})};
    EXPECT_TRUE(MayBeBlocked(network.graph(), x));
    EXPECT_EQ(MayBeBlocked(network.graph(), y), !tiled);
  }
}

// Of a depthwise convolution of `kernel` columns between two convolutions of float32.
bool DepthwiseComputesInPairs(const isa::HardwareConfig& config, std::int64_t width,
                              std::int64_t channels, std::int32_t kernel, std::int32_t stride) {
  FloatNetwork network(1, Values::kIntegers);
  const ir::TensorId x = network.Input({1, 40, width, 8});
  const ir::TensorId wide = network.Conv(x, channels, {.op = {}, .kernel = {}});
  const ir::Padding padding = {.left = (kernel - 1) / 2, .right = kernel / 2};
  const ir::TensorId deep =
      network.Depthwise(wide, 1,
                        {.op = {.stride = {.h = 1, .w = stride}, .padding = padding},
                         .kernel = {.h = 1, .w = kernel}});
  network.graph().outputs = {network.Conv(deep, 8, {.op = {}, .kernel = {}})};
  ir::Graph graph = network.graph();
  UseBfloat16(graph, config);
  for (const ir::Operator& op : graph.operators) {
    if (std::holds_alternative<ir::DepthwiseConv2D>(op.attributes)) {
      return ComputesInPairs(graph, op, config);
    }
  }
  return false;
}

TEST(ComputesInPairs, WhereTwoOutputsShareColumns) {
  const isa::HardwareConfig machine = {.n = 16, .axi_data_width = 128, .bf16 = 1};
  EXPECT_TRUE(DepthwiseComputesInPairs(machine, 8, 32, 3, 1)) << "4 columns instead of 6";
  EXPECT_TRUE(DepthwiseComputesInPairs(machine, 8, 16, 5, 1)) << "6 instead of 10";
  EXPECT_FALSE(DepthwiseComputesInPairs(machine, 8, 32, 3, 2)) << "5 are as many tiles as 6";
  EXPECT_FALSE(DepthwiseComputesInPairs(machine, 8, 32, 1, 1));
  EXPECT_FALSE(DepthwiseComputesInPairs(machine, 7, 32, 3, 1)) << "the last pixel has no other one";
  EXPECT_FALSE(DepthwiseComputesInPairs(machine, 8, 8, 3, 1)) << "nothing in the second piece";
  EXPECT_FALSE(DepthwiseComputesInPairs(machine, 8, 16 * 200, 3, 1)) << "too many entries";
  EXPECT_FALSE(DepthwiseComputesInPairs({.n = 16, .axi_data_width = 16, .bf16 = 1}, 8, 32, 3, 1))
      << "the bus would take longer for more tiles";
}

}  // namespace
}  // namespace tpu::compiler
