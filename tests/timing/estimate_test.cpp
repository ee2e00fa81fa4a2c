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

// A tap in each second cycle: two lanes share what follows a window.
TEST(Estimate, Fvector) {
  isa::Fvector fvector;
  fvector.source = isa::VectorSource::kAccumulators;
  fvector.a_format = isa::NumberFormat::kFloat32;
  fvector.n_ow = 100;
  fvector.y_bound = 1;
  fvector.x_bound = 1;
  const auto cycles = [&] {
    const Estimate estimate =
        EstimateProgram(std::vector<isa::Instruction>{fvector}, 0, {.bf16 = 1});
    return estimate.completed[0] - estimate.started[0];
  };
  EXPECT_EQ(cycles(), 3 + 99 * 2 + 24 + 1);
  fvector.o_format = isa::NumberFormat::kFloat32;  // Four rows are written.
  EXPECT_EQ(cycles(), 3 + 99 * 4 + 24 + 1 + 3);
  fvector.function = isa::FloatFunction::kLog;  // Five steps.
  EXPECT_EQ(cycles(), 3 + 99 * 5 * 2 + 24 + 5 + 7 * 5 + 3);
  fvector.function = isa::FloatFunction::kNone;
  fvector.n_kw = 3;
  EXPECT_EQ(cycles(), 3 + 99 * (4 + 4 + 1) + 8 + 24 + 1 + 3);
}

// Four lanes share what follows a window.
TEST(Estimate, Ivector) {
  isa::Ivector ivector;
  ivector.source = isa::VectorSource::kAccumulators;
  ivector.a_format = isa::IntegerFormat::kPair;
  ivector.n_ow = 100;
  ivector.y_bound = 1;
  ivector.x_bound = 1;
  const auto cycles = [&] {
    const Estimate estimate =
        EstimateProgram(std::vector<isa::Instruction>{ivector}, 0, {.int16 = 1});
    return estimate.completed[0] - estimate.started[0];
  };
  EXPECT_EQ(cycles(), 3 + 1 + 99 * 4 + 20 + 3) << "two rows of the accumulators";
  ivector.o_format = isa::IntegerFormat::kInt32;  // Four rows are written.
  EXPECT_EQ(cycles(), 3 + 1 + 99 * 4 + 20 + 3 + 3);
  ivector.o_format = isa::IntegerFormat::kInt16;
  ivector.n_kw = 3;
  ivector.x_bound = 3;
  ivector.xs_kw = 1;
  EXPECT_EQ(cycles(), 3 + 1 + 4 + 99 * 6 + 20 + 3 + 1) << "windows of three pairs";
  ivector.source = isa::VectorSource::kUnifiedBuffer;
  ivector.a_format = isa::IntegerFormat::kInt32;
  EXPECT_EQ(cycles(), 3 + 3 + 8 + 99 * 12 + 20 + 3 + 1) << "windows of three rows of int32";
}

// The second tile's first row goes to an accumulator row of the first tile.
TEST(Estimate, RowsOfOneAccumulatorRowKeepApart) {
  isa::Weights weights;
  weights.tiles = 2;
  isa::Matmul matmul;
  matmul.n_ob = 2;
  matmul.n_ow = 100;
  const auto cycles = [&](std::uint32_t stride) {
    matmul.acc_ob_stride = stride;
    const std::vector<isa::Instruction> program = {weights, matmul};
    return EstimateProgram(program, 0, {.bf16 = 1}).cycles;
  };
  EXPECT_EQ(cycles(99), cycles(100) + 4) << "the row that was asked for last";
  EXPECT_EQ(cycles(97), cycles(100) + 2);
  EXPECT_EQ(cycles(95), cycles(100));
}

TEST(Estimate, RefusesAProgramThatDoesNotEnd) {
  isa::Store store;
  store.semaphores.wait = 1;
  EXPECT_THROW(EstimateOf({store}), Error);
}

}  // namespace
}  // namespace tpu::timing
