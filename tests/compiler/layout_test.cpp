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

// A depthwise convolution between two convolutions of float32.
struct Deep {
  ir::Shape input = {1, 40, 8, 8};
  std::int64_t channels = 32;
  ir::Extent kernel = {.h = 1, .w = 3};
  ir::Extent stride = {.h = 1, .w = 1};
};

ir::TensorId Append(FloatNetwork& network, const Deep& deep, ir::TensorId wide) {
  const ir::Extent kernel = deep.kernel;
  const ir::Padding padding = {.top = (kernel.h - 1) / 2,
                               .left = (kernel.w - 1) / 2,
                               .bottom = kernel.h / 2,
                               .right = kernel.w / 2};
  const ir::TensorId made = network.Depthwise(
      wide, 1, {.op = {.stride = deep.stride, .padding = padding}, .kernel = kernel});
  return network.Conv(made, 8, {.op = {}, .kernel = {}});
}

PixelBlock BlockOfDepthwise(ir::Graph graph, const isa::HardwareConfig& config) {
  UseBfloat16(graph, config);
  for (const ir::Operator& op : graph.operators) {
    if (std::holds_alternative<ir::DepthwiseConv2D>(op.attributes)) {
      return BlockOf(graph, op, config);
    }
  }
  return {};
}

PixelBlock BlockOfDepthwise(const isa::HardwareConfig& config, const Deep& deep) {
  FloatNetwork network(1, Values::kIntegers);
  const ir::TensorId x = network.Input(deep.input);
  const ir::TensorId wide = network.Conv(x, deep.channels, {.op = {}, .kernel = {}});
  network.graph().outputs = {Append(network, deep, wide)};
  return BlockOfDepthwise(network.graph(), config);
}

constexpr isa::HardwareConfig kMachine = {
    .n = 16, .ub_rows = 4096, .acc_rows = 512, .param_rows = 64, .axi_data_width = 128, .bf16 = 1};
constexpr PixelBlock kOne = {};

TEST(BlockOf, TwoOutputsThatShareColumns) {
  EXPECT_EQ(BlockOfDepthwise(kMachine, {}), kPair) << "4 columns instead of 6";
  EXPECT_EQ(BlockOfDepthwise(kMachine, {.channels = 16, .kernel = {.h = 1, .w = 5}}), kPair)
      << "6 instead of 10";
  EXPECT_EQ(BlockOfDepthwise(kMachine, {.stride = {.h = 1, .w = 2}}), kOne)
      << "5 are as many tiles as 6";
  EXPECT_EQ(BlockOfDepthwise(kMachine, {.kernel = {.h = 1, .w = 1}}), kOne);
  EXPECT_EQ(BlockOfDepthwise(kMachine, {.input = {1, 40, 7, 8}}), kOne)
      << "the last pixel has no other one";
  EXPECT_EQ(BlockOfDepthwise(kMachine, {.channels = 8}), kOne) << "nothing in the second piece";
  isa::HardwareConfig slow_bus = kMachine;
  slow_bus.axi_data_width = 16;
  EXPECT_EQ(BlockOfDepthwise(slow_bus, {}), kOne) << "the bus would take longer for more tiles";
}

TEST(BlockOf, FourOutputsThatShareRowsAndColumns) {
  const ir::Extent square = {.h = 3, .w = 3};
  EXPECT_EQ(BlockOfDepthwise(kMachine, {.kernel = square}), kSquare) << "4 tiles instead of 6";
  EXPECT_EQ(BlockOfDepthwise(kMachine, {.channels = 40, .kernel = square}), kSquare);
  EXPECT_EQ(BlockOfDepthwise(kMachine, {.channels = 16, .kernel = square}), kSquare);
  EXPECT_EQ(BlockOfDepthwise(kMachine, {.channels = 12, .kernel = square}), kPair)
      << "the last quarter is not in memory";
  EXPECT_EQ(BlockOfDepthwise(kMachine, {.input = {1, 39, 8, 8}, .kernel = square}), kPair)
      << "the last row has no other one";
  EXPECT_EQ(BlockOfDepthwise(kMachine, {.kernel = square, .stride = {.h = 2, .w = 1}}), kPair);
  EXPECT_EQ(BlockOfDepthwise(kMachine, {.kernel = {.h = 2, .w = 3}}), kPair)
      << "3 rows instead of 4 are 2 tiles, too";
  isa::HardwareConfig small = kMachine;
  small.ub_rows = 512;
  EXPECT_EQ(BlockOfDepthwise(small, {.kernel = square}), kSquare);
  EXPECT_EQ(BlockOfDepthwise(small, {.kernel = {.h = 3, .w = 15}}), kPair)
      << "no tile would fit beside tensors that stay";
}

// Nobody but the depthwise convolution knows how the tensor lies, and nobody but a convolution
// writes it so.
TEST(BlockOf, NoSquaresOfTensorsThatOthersTouch) {
  const Deep deep = {.kernel = {.h = 3, .w = 3}};
  const auto block = [&](const auto& other) {
    FloatNetwork network(1, Values::kIntegers);
    const ir::TensorId x = network.Input(deep.input);
    const ir::TensorId wide = network.Conv(x, deep.channels, {.op = {}, .kernel = {}});
    network.graph().outputs = {Append(network, deep, other(network, wide))};
    return BlockOfDepthwise(network.graph(), kMachine);
  };
  EXPECT_EQ(block([](FloatNetwork&, ir::TensorId wide) { return wide; }), kSquare);
  EXPECT_EQ(block([](FloatNetwork& network, ir::TensorId wide) {
              return network.Make(ir::Unary{.kind = ir::UnaryKind::kTanh}, {wide}, {1, 40, 8, 32});
            }),
            kPair)
      << "made by the vector unit";
  EXPECT_EQ(block([](FloatNetwork& network, ir::TensorId wide) {
              return network.Make(ir::Reshape{}, {wide}, {1, 20, 16, 32});
            }),
            kPair)
      << "other rows";
  FloatNetwork network(1, Values::kIntegers);
  const ir::TensorId x = network.Input(deep.input);
  const ir::TensorId wide = network.Conv(x, deep.channels, {.op = {}, .kernel = {}});
  const ir::TensorId made = Append(network, deep, wide);
  network.graph().outputs = {made, network.Conv(wide, 8, {.op = {}, .kernel = {}})};
  EXPECT_EQ(BlockOfDepthwise(network.graph(), kMachine), kPair) << "another reader";
}

}  // namespace
}  // namespace tpu::compiler
