// SPDX-License-Identifier: Apache-2.0
// Cycles that the vector unit promises: one tap per cycle, no bubble between taps, rows and
// instructions.
#include <gtest/gtest.h>

#include <utility>

#include "Vtpu_vector_n16.h"
#include "Vtpu_vector_n4_small.h"
#include "Vtpu_vector_n8_shared.h"
#include "vector_bench.h"

namespace tpu::vector_test {
namespace {

using isa::VectorMap;
using isa::VectorSource;
using Bench16 = Bench<Vtpu_vector_n16, 16>;

// From the cycle of acceptance to the cycle of `done`, besides one cycle per tap (docs in
// rtl/vector/tpu_vector.v).
constexpr std::uint64_t kTapToDone = 21;
constexpr std::uint64_t kTapToDoneWithB = 22;

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
  EXPECT_EQ(Run({Rows(VectorSource::kAccumulators, VectorMap::kCopy, 1)}), 1 + kTapToDone);
  EXPECT_EQ(Run({Rows(VectorSource::kAccumulators, VectorMap::kCopy, 200)}), 200 + kTapToDone);
}

TEST_F(VectorThroughput, AddTakesOneCyclePerRow) {
  EXPECT_EQ(Run({Rows(VectorSource::kUnifiedBuffer, VectorMap::kAdd, 1)}), 1 + kTapToDoneWithB);
  EXPECT_EQ(Run({Rows(VectorSource::kUnifiedBuffer, VectorMap::kAdd, 200)}), 200 + kTapToDoneWithB);
}

// `done` comes in the cycle of the write.
TEST_F(VectorThroughput, ARowIsWritten19CyclesAfterItsLastTap) {
  Run({Rows(VectorSource::kUnifiedBuffer, VectorMap::kAdd, 5)});
  ASSERT_EQ(bench_.log().a_read_cycles.size(), 5U);
  EXPECT_EQ(bench_.log().done_cycles.back() - bench_.log().a_read_cycles.back(), 19U);
}

TEST_F(VectorThroughput, SourceBRunsEightRowsAhead) {
  bench_.set_rates({.a = 0});
  bench_.Queue(Rows(VectorSource::kUnifiedBuffer, VectorMap::kAdd, 40), 0);
  for (int i = 0; i < 60; ++i) bench_.Cycle();
  EXPECT_EQ(bench_.log().b_reads.size(), 8U);
}

TEST_F(VectorThroughput, AddTakesOneCyclePerRowWhenBothOperandsStartInTheSameBank) {
  bench_.set_banked(true);
  isa::Vector v = Rows(VectorSource::kUnifiedBuffer, VectorMap::kAdd, 200);
  v.b_row = 300;
  EXPECT_LE(Run({v}), 202 + kTapToDoneWithB);
}

// 3 x 3 depthwise over an image of width x height with padding 1.
isa::Vector Depthwise(std::uint32_t width, std::uint32_t height, std::uint32_t stride) {
  isa::Vector v = Rows(VectorSource::kUnifiedBuffer, VectorMap::kMultiply, width / stride);
  v.n_oh = height / stride;
  v.n_kh = v.n_kw = 3;
  v.y0 = v.x0 = -1;
  v.y_bound = height;
  v.x_bound = width;
  v.ys_kh = v.xs_kw = 1;
  v.ys_oh = v.xs_ow = stride;
  const auto pitch = static_cast<std::int32_t>(width);
  v.a_row = 100 - pitch - 1;
  v.a_kh = pitch;
  v.a_oh = pitch * static_cast<std::int32_t>(stride);
  v.a_kw = 1;
  v.a_ow = static_cast<std::int32_t>(stride);
  v.b_row = 20;
  v.b_ow = 0;
  v.b_cb = 9;
  v.b_kh = 3;
  v.b_kw = 1;
  v.o_oh = static_cast<std::int32_t>(width / stride);
  return v;
}

TEST_F(VectorThroughput, OtherDepthwiseTakesOneCyclePerTap) {
  isa::Vector v = Depthwise(8, 6, 1);
  v.b_zero = 1;
  EXPECT_EQ(Run({v}), 6 * 8 * 9 + kTapToDoneWithB);
}

// One cycle more: once source A makes room for a stream that would want its bank.
TEST_F(VectorThroughput, Depthwise3x3TakesOneCyclePerColumn) {
  EXPECT_EQ(Run({Depthwise(8, 6, 1)}), 3 + 6 * (8 + 2) + 1 + kTapToDoneWithB);
  EXPECT_EQ(Run({Depthwise(8, 6, 2)}), 3 + 3 * (8 + 1) + 1 + kTapToDoneWithB);
}

// Rows of the image lie a multiple of four rows apart, so that a column's pixels share a bank; the
// array reads as well.
TEST_F(VectorThroughput, Depthwise3x3KeepsItsRateInTheBankedBuffer) {
  constexpr double kChannels = Bench16::kLanes;
  bench_.set_banked(true);
  for (const bool array_reads : {false, true}) {
    bench_.set_array_reads(array_reads);
    for (const std::uint32_t width : {53U, 54U, 55U, 56U}) {
      for (const std::uint32_t stride : {1U, 2U}) {
        SCOPED_TRACE(fmt::format("width {} stride {} array reads {}", width, stride, array_reads));
        const isa::Vector v = Depthwise(width, 8, stride);
        const double products = 9 * v.n_oh * v.n_ow * kChannels;
        const auto cycles = static_cast<double>(Run({v, v, v, v}) - kTapToDoneWithB) / 4;
        EXPECT_GE(products / cycles, (stride == 1 ? 8 : 4) * kChannels);
      }
    }
  }
}

TEST_F(VectorThroughput, WindowsFollowOtherInstructionsWithoutABubble) {
  const auto acc = Rows(VectorSource::kAccumulators, VectorMap::kCopy, 30);
  const auto add = Rows(VectorSource::kUnifiedBuffer, VectorMap::kAdd, 30);
  const isa::Vector windows = Depthwise(8, 6, 1);
  EXPECT_EQ(Run({acc, windows, windows, add, windows, acc}), 4 * 30 - 30 + 3 * 63 + kTapToDone);
}

// Cycles from the first write to the last, and those that the lanes did not take a row again.
template <typename BenchT>
std::pair<std::uint64_t, std::uint64_t> WriteSpan(const std::vector<isa::Vector>& instructions) {
  BenchT bench(5);
  bench.FillMemories();
  for (const auto& v : instructions) bench.Queue(v, 0);
  bench.Run(instructions.size());
  const Log& log = bench.log();
  return {log.write_cycles.back() - log.write_cycles.front(), log.stall_output};
}

TEST(VectorThroughputOfSharedRequantisers, RowsKeepApartAndNoFurther) {
  using Small = Bench<Vtpu_vector_n4_small, 4, false, 4>;
  using Shared = Bench<Vtpu_vector_n8_shared, 8, true, 2>;
  const auto span = [](std::uint64_t cycles, std::uint64_t stalls) {
    return std::pair{cycles, stalls};
  };
  const auto acc = Rows(VectorSource::kAccumulators, VectorMap::kCopy, 50);
  const auto add = Rows(VectorSource::kUnifiedBuffer, VectorMap::kAdd, 50);
  EXPECT_EQ(WriteSpan<Small>({acc}), span(49 * 4, 49 * 3));
  EXPECT_EQ(WriteSpan<Small>({acc, add}), span(99 * 4, 99 * 3));
  EXPECT_EQ(WriteSpan<Shared>({add, acc}), span(99 * 2, 99));
  // Windows of as many taps as lanes share a requantiser do not wait.
  auto windows = add;
  windows.n_kh = windows.n_kw = 2;
  EXPECT_EQ(WriteSpan<Small>({windows}), span(49 * 4, 0));
  EXPECT_EQ(WriteSpan<Shared>({windows}), span(49 * 4, 0));
  // A line of columns ends a window in each cycle, or in every second one.
  EXPECT_EQ(WriteSpan<Shared>({Depthwise(8, 1, 1)}), span(7 * 2, 7));
  EXPECT_EQ(WriteSpan<Shared>({Depthwise(8, 1, 2)}), span(3 * 2, 0));
}

TEST(VectorThroughputWithoutWindow, Depthwise3x3TakesOneCyclePerTap) {
  using Small = Bench<Vtpu_vector_n4_small, 4, false, 4>;
  EXPECT_EQ(WriteSpan<Small>({Depthwise(8, 6, 1)}).first, (6 * 8 - 1) * 9U);
}

TEST_F(VectorThroughput, InstructionsFollowWithoutABubble) {
  const auto acc = Rows(VectorSource::kAccumulators, VectorMap::kCopy, 30);
  const auto add = Rows(VectorSource::kUnifiedBuffer, VectorMap::kAdd, 30);
  EXPECT_EQ(Run({acc, acc, acc}), 90 + kTapToDone);
  EXPECT_EQ(Run({add, add, add}), 90 + kTapToDoneWithB);
  EXPECT_EQ(Run({acc, add, acc, add}), 120 + kTapToDone);
  const auto& reads = bench_.log().a_read_cycles;
  EXPECT_EQ(reads.back() - reads.front() + 1, 120U);
}

TEST_F(VectorThroughput, StallsAreCountedByCause) {
  bench_.set_rates({.acc = 0.5});
  const std::uint64_t acc_cycles = Run({Rows(VectorSource::kAccumulators, VectorMap::kCopy, 200)});
  EXPECT_EQ(bench_.log().active, 200U);
  EXPECT_EQ(bench_.log().active + bench_.log().stall_port, acc_cycles - kTapToDone);
  bench_.set_rates({.b = 0.25});
  const std::uint64_t add_cycles = Run({Rows(VectorSource::kUnifiedBuffer, VectorMap::kAdd, 200)});
  EXPECT_EQ(bench_.log().stall_port, 0U);
  EXPECT_EQ(bench_.log().active + bench_.log().stall_operand, add_cycles - kTapToDoneWithB);
  // Of instructions of one row the third waits for the first one's configuration bank.
  bench_.set_rates({});
  const auto row = Rows(VectorSource::kAccumulators, VectorMap::kCopy, 1);
  Run({row, row, row, row});
  EXPECT_EQ(bench_.log().stall_port + bench_.log().stall_operand, 0U);
  EXPECT_GT(bench_.log().stall_output, 10U);
}

}  // namespace
}  // namespace tpu::vector_test
