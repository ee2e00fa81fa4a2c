// SPDX-License-Identifier: Apache-2.0
#include "frontends/onnx/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tpu::onnx {
namespace {

using testing::ElementsAre;

TEST(Layout, PutsChannelsLast) {
  EXPECT_THAT(ChannelsLast(4), ElementsAre(0, 2, 3, 1));
  EXPECT_THAT(ChannelsLast(3), ElementsAre(0, 2, 1));
  EXPECT_THAT(ChannelsLast(2), ElementsAre(0, 1));
  EXPECT_THAT(StoredShape({1, 2, 3, 4}, ChannelsLast(4)), ElementsAre(1, 3, 4, 2));
  EXPECT_EQ(PositionOf(ChannelsLast(4), 1), 3U);
}

TEST(Layout, PermutesFromOneToTheOther) {
  EXPECT_THAT(Permutation(Plain(4), ChannelsLast(4)), ElementsAre(0, 2, 3, 1));
  EXPECT_THAT(Permutation(ChannelsLast(4), Plain(4)), ElementsAre(0, 3, 1, 2));
  EXPECT_THAT(Permutation({2, 0, 1}, {1, 2, 0}), ElementsAre(2, 0, 1));
}

TEST(Layout, IgnoresAxesOfOneElement) {
  EXPECT_TRUE(HaveSameBytes({1, 5, 1, 1}, Plain(4), ChannelsLast(4)));
  EXPECT_TRUE(HaveSameBytes({1, 1, 3, 4}, Plain(4), ChannelsLast(4)));
  EXPECT_FALSE(HaveSameBytes({1, 2, 3, 1}, Plain(4), ChannelsLast(4)));
}

TEST(Layout, TransposesElements) {
  const std::vector<int> values = {0, 1, 2, 3, 4, 5};
  EXPECT_THAT(Transposed(values, {2, 3}, {1, 0}), ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_THAT(Transposed(values, {1, 2, 3}, {2, 0, 1}), ElementsAre(0, 3, 1, 4, 2, 5));
}

}  // namespace
}  // namespace tpu::onnx
