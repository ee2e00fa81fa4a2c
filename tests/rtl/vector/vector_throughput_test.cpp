// Cycles that the vector unit promises: one tap per cycle, no bubble between taps, rows and
// instructions.
#include <gtest/gtest.h>

#include "Vtpu_vector_n16.h"
#include "vector_bench.h"

namespace tpu::vector_test {
namespace {

using isa::VectorMap;
using isa::VectorSource;
using Bench16 = Bench<Vtpu_vector_n16, 16>;

// From the cycle of acceptance to the cycle of `done`, besides one cycle per tap (docs in
// rtl/vector/tpu_vector.v).
constexpr std::uint64_t kLatency = 20;
constexpr std::uint64_t kLatencyWithB = 21;

isa::Vector Rows(VectorSource source, VectorMap map, std::uint32_t rows) {
  isa::Vector v;
  v.source = source;
  v.map = map;
  v.n_ow = rows;
  v.b_row = 201;
  v.o_row = 512;
  v.a_ow = v.b_ow = v.o_ow = 1;
  v.y_bound = v.x_bound = 0xFFFF;
  v.lo = -128;
  v.hi = 127;
  return v;
}

class VectorThroughput : public ::testing::Test {
 protected:
  VectorThroughput() : bench_(3) { bench_.FillMemories(); }

  // Cycles from the first acceptance to the last `done`.
  std::uint64_t Run(const std::vector<isa::Vector>& instructions) {
    bench_.log() = {};
    for (const auto& v : instructions) bench_.Queue(v, 0);
    bench_.Run(instructions.size());
    return bench_.log().done_cycles.back() - bench_.log().accept_cycles.front();
  }

  Bench16 bench_;
};

TEST_F(VectorThroughput, AccumulatorRowsTakeOneCycleEach) {
  EXPECT_EQ(Run({Rows(VectorSource::kAccumulators, VectorMap::kCopy, 1)}), 1 + kLatency);
  EXPECT_EQ(Run({Rows(VectorSource::kAccumulators, VectorMap::kCopy, 200)}), 200 + kLatency);
}

TEST_F(VectorThroughput, AddTakesOneCyclePerRow) {
  EXPECT_EQ(Run({Rows(VectorSource::kUnifiedBuffer, VectorMap::kAdd, 1)}), 1 + kLatencyWithB);
  EXPECT_EQ(Run({Rows(VectorSource::kUnifiedBuffer, VectorMap::kAdd, 200)}), 200 + kLatencyWithB);
}

TEST_F(VectorThroughput, AddTakesOneCyclePerRowWhenBothOperandsStartInTheSameBank) {
  bench_.set_banked(true);
  isa::Vector v = Rows(VectorSource::kUnifiedBuffer, VectorMap::kAdd, 200);
  v.b_row = 300;
  EXPECT_LE(Run({v}), 202 + kLatencyWithB);
}

TEST_F(VectorThroughput, DepthwiseTakesOneCyclePerTap) {
  isa::Vector v = Rows(VectorSource::kUnifiedBuffer, VectorMap::kMultiply, 8);
  v.n_oh = 6;
  v.n_kh = v.n_kw = 3;
  v.y0 = v.x0 = -1;
  v.y_bound = 6;
  v.x_bound = 8;
  v.ys_oh = v.ys_kh = v.xs_ow = v.xs_kw = 1;
  v.a_row = 50;
  v.a_oh = v.a_kh = 8;
  v.a_kw = 1;
  v.b_row = 300;
  v.b_ow = 0;
  v.b_kh = 3;
  v.b_kw = 1;
  v.o_oh = 8;
  EXPECT_EQ(Run({v}), 6 * 8 * 9 + kLatencyWithB);
}

TEST_F(VectorThroughput, InstructionsFollowWithoutABubble) {
  const auto acc = Rows(VectorSource::kAccumulators, VectorMap::kCopy, 30);
  const auto add = Rows(VectorSource::kUnifiedBuffer, VectorMap::kAdd, 30);
  EXPECT_EQ(Run({acc, acc, acc}), 90 + kLatency);
  EXPECT_EQ(Run({add, add, add}), 90 + kLatencyWithB);
  EXPECT_EQ(Run({acc, add, acc, add}), 120 + kLatency);
  const auto& reads = bench_.log().a_read_cycles;
  EXPECT_EQ(reads.back() - reads.front() + 1, 120U);
}

TEST_F(VectorThroughput, StallsAreCountedByCause) {
  bench_.set_rates({.acc = 0.5});
  const std::uint64_t acc_cycles = Run({Rows(VectorSource::kAccumulators, VectorMap::kCopy, 200)});
  EXPECT_EQ(bench_.log().active, 200U);
  EXPECT_EQ(bench_.log().active + bench_.log().stall_port, acc_cycles - kLatency);
  bench_.set_rates({.b = 0.25});
  const std::uint64_t add_cycles = Run({Rows(VectorSource::kUnifiedBuffer, VectorMap::kAdd, 200)});
  EXPECT_EQ(bench_.log().stall_port, 0U);
  EXPECT_EQ(bench_.log().active + bench_.log().stall_operand, add_cycles - kLatencyWithB);
  bench_.set_rates({.write = 0.25});
  Run({Rows(VectorSource::kAccumulators, VectorMap::kCopy, 200)});
  EXPECT_EQ(bench_.log().stall_port + bench_.log().stall_operand, 0U);
  EXPECT_GT(bench_.log().stall_output, 300U);
}

}  // namespace
}  // namespace tpu::vector_test
