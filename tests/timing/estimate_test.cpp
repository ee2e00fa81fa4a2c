// SPDX-License-Identifier: Apache-2.0
// The timing model on programs whose cycles follow from docs/architecture.md.
#include "timing/estimate.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace tpu::timing {
namespace {

constexpr isa::HardwareConfig kConfig;

// Doorbell to first instruction: request 1, address on the bus 3, granule 64 later (its four beats:
// 3 more), 2 through the FIFO, 2 in decode, 3 in the queue.
constexpr Cycle kFirstStart = 3 + 64 + 3 + 2 + 1 + 3;

Estimate EstimateOf(const std::vector<isa::Instruction>& program) {
  return EstimateProgram(program, 0, kConfig);
}

TEST(Estimate, Vector) {
  isa::Vector vector;
  vector.source = isa::VectorSource::kAccumulators;
  vector.n_ow = 100;
  const Estimate estimate = EstimateOf({vector});
  // Two granules: four more beats, one more cycle in decode hidden behind them.
  EXPECT_EQ(estimate.started[0], kFirstStart + 4);
  EXPECT_EQ(estimate.completed[0] - estimate.started[0], 100 + 21);
  EXPECT_EQ(estimate.cycles, estimate.completed[0] + 2);
}

TEST(Estimate, LoadIsBoundByTheBus) {
  isa::Load load;
  load.row_bytes = 16 * 1000;
  load.pixel_bytes = 16;
  load.pixel_stride = 1;
  const Estimate estimate = EstimateOf({load});
  EXPECT_EQ(estimate.started[0], kFirstStart);
  // Product 1, request 3, mux 1, latency 64, 1000 beats, 2 + 1 + 2 cycles to the write, 1 to done.
  EXPECT_EQ(estimate.completed[0] - estimate.started[0], 1 + 3 + 1 + 64 + 1000 + 5);
}

TEST(Estimate, RowsOfOneBankWaitForEachOther) {
  isa::Vector vector;
  vector.n_cb = 2;
  vector.n_ow = 1000;
  vector.y_bound = 1;
  vector.x_bound = 1;
  vector.map = isa::VectorMap::kMaximum;
  vector.a_ow = 1;
  const Cycle apart = [&] {
    const Estimate estimate = EstimateOf({vector});
    return estimate.completed[0] - estimate.started[0];
  }();
  // Source B stays on row 0, whose bank source A wants in every fourth cycle.
  EXPECT_GT(apart, 2000 * 5 / 4);
  vector.b_ow = 1;
  const Estimate together = EstimateOf({vector});
  EXPECT_EQ(together.completed[0] - together.started[0], 2000 + 22);
}

TEST(Estimate, StoresThatWaitForABankHoldNothingUp) {
  isa::Vector vector;  // Reads row 0 in every cycle.
  vector.n_ow = 1000;
  vector.y_bound = 1;
  vector.x_bound = 1;
  isa::Store store;
  store.row_bytes = 16;
  const Estimate estimate = EstimateOf({vector, store, store});
  EXPECT_EQ(estimate.completed[0] - estimate.started[0], 1000 + 21);
  EXPECT_LT(estimate.started[2], estimate.completed[0] - 900);
  EXPECT_GT(estimate.completed[1], estimate.completed[0]);
}

TEST(Estimate, SemaphoresOrder) {
  isa::Vector first;
  first.source = isa::VectorSource::kAccumulators;
  first.n_ow = 50;
  first.semaphores.post = 1;
  isa::Store store;
  store.semaphores.wait = 1;
  const Estimate estimate = EstimateOf({first, store});
  EXPECT_EQ(estimate.started[1], estimate.completed[0] + 2);
}

TEST(Estimate, RefusesAProgramThatDoesNotEnd) {
  isa::Store store;
  store.semaphores.wait = 1;
  EXPECT_THROW(EstimateOf({store}), Error);
}

}  // namespace
}  // namespace tpu::timing
