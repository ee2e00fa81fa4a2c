// SPDX-License-Identifier: Apache-2.0
#include "timing/transfer.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace tpu::timing {
namespace {

using Beats = std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, bool>>;

Beats All(Transfer transfer) {
  Beats bursts;
  for (; !transfer.done(); transfer.Step()) {
    const Burst burst = transfer.Next();
    bursts.emplace_back(burst.beats, burst.first, burst.end, burst.last);
  }
  return bursts;
}

TEST(Transfer, EndsBurstsAtWindowsOf32Beats) {
  EXPECT_EQ(All({510, 520, 1, 0, 16}),
            (Beats{{1, 14, 15, false}, {32, 0, 15, false}, {1, 0, 5, true}}));
}

TEST(Transfer, JoinsRowsThatLieContiguously) {
  EXPECT_EQ(All({0, 16, 40, 16, 16}), (Beats{{32, 0, 15, false}, {8, 0, 15, true}}));
  EXPECT_EQ(All({0, 16, 2, 32, 16}), (Beats{{1, 0, 15, false}, {1, 0, 15, true}}));
}

}  // namespace
}  // namespace tpu::timing
