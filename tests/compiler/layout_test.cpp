// SPDX-License-Identifier: Apache-2.0
// Which orders of bytes tensors may have.
#include "compiler/place/layout.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace tpu::compiler
