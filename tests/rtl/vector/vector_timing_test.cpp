// SPDX-License-Identifier: Apache-2.0
// The timing model of the vector unit says in which cycle the RTL accepts and completes each
// instruction: random instructions and windows in the banked buffer, with and without the array.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "Vtpu_vector_n16.h"
#include "Vtpu_vector_n4_small.h"
#include "Vtpu_vector_n8_shared.h"
#include "timing/vector_unit.h"
#include "vector_bench.h"

namespace tpu::vector_test {
namespace {

using isa::VectorMap;
using isa::VectorSource;

// Mostly windows that go column by column; rows anywhere in the buffer.
isa::Vector RandomInstruction(std::mt19937_64& rng) {
  const auto between = [&rng](std::int32_t lo, std::int32_t hi) {
    return std::uniform_int_distribution(lo, hi)(rng);
  };
  const auto count = [&between](std::int32_t hi) {
    return static_cast<std::uint32_t>(between(0, 3) == 0 ? 1 : between(1, hi));
  };
  isa::Vector v;
  v.source = between(0, 2) == 0 ? VectorSource::kAccumulators : VectorSource::kUnifiedBuffer;
  v.map = v.source == VectorSource::kAccumulators
              ? VectorMap::kCopy
              : std::array{VectorMap::kCopy, VectorMap::kAdd, VectorMap::kMultiply}[rng() % 3];
  v.n_cb = count(3);
  v.n_oh = count(5);
  v.n_ow = count(24);
  if (between(0, 1) == 0) v.n_kh = count(3);
  if (between(0, 1) == 0) v.n_kw = count(3);
  if (between(0, 1) == 0) v.n_kh = v.n_kw = 3;
  v.y0 = between(-2, 0);
  v.x0 = between(-2, 0);
  v.y_bound = count(8);
  v.x_bound = count(30);
  v.ys_oh = v.ys_kh = v.xs_kw = 1;
  v.a_kw = 1;
  v.a_ow = between(1, 2);
  v.xs_ow = static_cast<std::uint32_t>(v.a_ow);
  v.a_kh = v.a_oh = between(0, 20);
  v.a_cb = between(0, 20);
  v.b_kw = 1;
  v.b_kh = 3;
  v.b_ow = between(0, 3) == 0 ? 1 : 0;
  v.b_cb = 9;
  v.a_row = between(0, 15);
  v.b_row = between(10, 20);
  v.o_row = 512;
  v.o_ow = 1;
  v.lo = -128;
  v.hi = 127;
  return v;
}

struct Times {
  std::vector<std::uint64_t> accepted;
  std::vector<std::uint64_t> completed;
};

// `repeats`: passes as many cycles in one step as the model promises to be alike.
Times Predict(const std::vector<isa::Vector>& program, const isa::HardwareConfig& config,
              std::uint64_t cycle, bool array_reads, bool repeats) {
  timing::VectorUnit unit(config);
  timing::MatmulUnit array(config);
  Times times;
  std::size_t next = 0;
  while (times.completed.size() < program.size()) {
    if (repeats && unit.ready() == timing::kNever) {
      const auto repetition = unit.Repeats(cycle, 0, false);
      if (repetition.cycles != 0) {
        unit.Repeat(cycle, repetition.cycles);
        cycle += repetition.cycles;
      }
    }
    timing::Banks banks = array_reads ? static_cast<timing::Banks>(1U << cycle % 4) : 0;
    if (const auto completion = unit.Step(cycle, array, banks)) {
      times.completed.push_back(*completion);
    }
    if (next < program.size() && unit.ready() <= cycle) {
      times.accepted.push_back(cycle);
      unit.Accept(program[next++], cycle);
    }
    ++cycle;
  }
  return times;
}

template <typename BenchT>
class VectorTiming : public ::testing::Test {};
using Machines =
    ::testing::Types<Bench<Vtpu_vector_n16, 16>, Bench<Vtpu_vector_n4_small, 4, false, 4>,
                     Bench<Vtpu_vector_n8_shared, 8, true, 2>>;
TYPED_TEST_SUITE(VectorTiming, Machines);

TYPED_TEST(VectorTiming, ModelSaysWhenTheRtlAcceptsAndCompletes) {
  const isa::HardwareConfig config{.n = TypeParam::kLanes,
                                   .ub_rows = kUbRows,
                                   .acc_rows = kAccRows,
                                   .param_rows = kParamRows,
                                   .window = TypeParam::kWindow ? 1U : 0U,
                                   .requant_lanes = TypeParam::kRequantLanes};
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    for (const bool array_reads : {false, true}) {
      SCOPED_TRACE(fmt::format("seed {} array reads {}", seed, array_reads));
      std::mt19937_64 rng(seed);
      std::vector<isa::Vector> program(40);
      for (auto& v : program) v = RandomInstruction(rng);
      TypeParam bench(seed);
      bench.FillMemories();
      bench.set_banked(true);
      bench.set_array_reads(array_reads);
      for (const auto& v : program) bench.Queue(v, 0);
      const std::uint64_t start = bench.dut().cycles();
      bench.Run(program.size());
      ASSERT_EQ(bench.dut()->err_valid, 0);
      for (const bool repeats : {false, true}) {
        if (repeats && array_reads) continue;
        const Times times = Predict(program, config, start, array_reads, repeats);
        ASSERT_EQ(times.accepted, bench.log().accept_cycles) << "repeats " << repeats;
        ASSERT_EQ(times.completed, bench.log().done_cycles) << "repeats " << repeats;
      }
    }
  }
}

}  // namespace
}  // namespace tpu::vector_test
