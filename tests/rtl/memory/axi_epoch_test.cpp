// SPDX-License-Identifier: Apache-2.0
// tpu_axi_epoch alone: which answers are fresh, and when requests may be made, for requests,
// answers and resets in any order.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>

#include "Vaxi_epoch.h"
#include "tb/dut.h"

namespace tpu {
namespace {

// docs/architecture.md: requests carry the epoch; a core reset begins the other one if that owes
// nothing.
TEST(AxiEpoch, TellsOldAnswersFromNewOnes) {
  constexpr unsigned kMaxOwed = 4;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937_64 rng(seed);
    tb::Dut<Vaxi_epoch> dut(seed);
    dut->core_rst = dut->request = dut->answer = dut->answer_epoch = 0;
    dut.Reset();
    unsigned epoch = 0;
    // Answers owed in each epoch; whether those of the present one are from before the last core
    // reset.
    std::array<unsigned, 2> owed{};
    bool stale = false;
    // Now and then answers are so rare that an epoch owes as many as it can.
    unsigned answer_rate = 2;
    for (int cycle = 0; cycle < 20000; ++cycle) {
      if (rng() % 64 == 0) answer_rate = 2 + static_cast<unsigned>(rng() % 12);
      if (rng() % 256 == 0) {
        dut->core_rst = dut->request = dut->answer = 0;
        dut.Reset(1);
        epoch = 0;
        owed = {};
        stale = false;
      }
      dut->core_rst = rng() % 16 == 0;
      dut->answer_epoch = rng() % 2;
      dut->request = 0;
      dut->answer = 0;
      dut.Eval();
      const bool open = !stale && owed[epoch] < kMaxOwed && !dut->core_rst;
      ASSERT_EQ(dut->epoch, epoch) << "cycle " << cycle;
      ASSERT_EQ(dut->open != 0, open) << "cycle " << cycle;
      ASSERT_EQ(dut->drained != 0, owed[epoch] == 0) << "cycle " << cycle;
      ASSERT_EQ(dut->fresh != 0, !stale && dut->answer_epoch == epoch) << "cycle " << cycle;
      dut->request = open && rng() % 2 == 0;
      dut->answer = owed[dut->answer_epoch] > 0 && rng() % answer_rate == 0;
      const std::array<unsigned, 2> before = owed;
      if (dut->request) ++owed[epoch];
      if (dut->answer) --owed[dut->answer_epoch];
      if (stale && before[epoch] == 0) {
        stale = false;
      } else if (stale && before[1 - epoch] == 0) {
        epoch = 1 - epoch;
        stale = false;
      } else if (!stale && dut->core_rst && before[epoch] > 0) {
        stale = true;
      }
      dut.Tick();
    }
  }
}

}  // namespace
}  // namespace tpu
