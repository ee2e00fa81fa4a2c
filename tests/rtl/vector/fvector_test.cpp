// SPDX-License-Identifier: Apache-2.0
// The vector unit with bf16: FVECTOR, ADAM and VECTOR in any order against the golden model.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "float_bench.h"

namespace tpu::vector_test {
namespace {

using isa::ErrorCode;

template <typename BenchT>
class FvectorUnit : public ::testing::Test {};
using Sizes = ::testing::Types<BenchN4, BenchN8>;
TYPED_TEST_SUITE(FvectorUnit, Sizes);

TYPED_TEST(FvectorUnit, RandomProgramsMatchTheGoldenModel) {
  const std::uint64_t first = Seed(1);
  for (std::uint64_t seed = first; seed < first + kRates.size(); ++seed) {
    SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
    FloatPair<TypeParam> pair(seed);
    pair.bench().set_rates(kRates[(seed - first) % kRates.size()]);
    pair.bench().set_banked(seed % 2 == 0);
    Generator generator(100 + seed);
    std::vector<Any> program(300);
    // Every other program has long stretches of one kind.
    for (auto& v : program) v = seed % 2 == 0 ? Any(generator.NextFvector()) : generator.Next();
    pair.ExpectLikeGolden(program);
    if (this->HasFailure()) return;
  }
}

// Configuration banks change as often as they can, and classes of windows meet.
TYPED_TEST(FvectorUnit, ShortInstructionsOfEveryKindFollowEachOther) {
  const std::uint64_t seed = Seed(31);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  FloatPair<TypeParam> pair(seed);
  Generator generator(seed);
  std::vector<Any> program;
  for (int i = 0; i < 600; ++i) {
    Fvector v = generator.NextFvector();
    v.n_cb = v.n_oh = 1;
    // Not more than there were: the addresses are those of the loops as they came.
    v.n_ow = std::min(v.n_ow, 1 + generator.Pick(2));
    v.n_kh = 1;
    v.n_kw = std::min(v.n_kw, 1 + generator.Pick(2));
    program.emplace_back(v);
    if (generator.Pick(8) == 0) program.emplace_back(generator.NextVector());
  }
  pair.ExpectLikeGolden(program);
}

TYPED_TEST(FvectorUnit, ErrorsAreThoseOfTheGoldenModel) {
  const std::uint64_t seed = Seed(41);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  FloatPair<TypeParam> pair(seed);
  Generator generator(seed);
  std::array<int, 16> codes{};
  for (int round = 0; round < 400;) {
    SCOPED_TRACE(fmt::format("round {}", round));
    Fvector bad = generator.NextFvector();
    generator.Spoil(bad);
    if (!pair.Fails(bad)) continue;
    ++round;
    pair.bench().ResetNow();
    pair.bench().set_rates(kRates[generator.Pick(kRates.size())]);
    std::vector<Any> program;
    if (generator.Pick(3) != 0) program.push_back(generator.Next());
    program.emplace_back(bad);
    pair.ExpectErrorOfLast(program, generator.Pick(1000000));
    ++codes[pair.bench().dut()->err_code];
    if (this->HasFailure()) return;
  }
  EXPECT_GT(codes[static_cast<std::size_t>(ErrorCode::kUbRange)], 100);
  EXPECT_GT(codes[static_cast<std::size_t>(ErrorCode::kAccRange)], 10);
  EXPECT_GT(codes[static_cast<std::size_t>(ErrorCode::kParamRange)], 30);
}

TYPED_TEST(FvectorUnit, AResetInAnyCycleLeavesNothing) {
  const std::uint64_t seed = Seed(52);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  FloatPair<TypeParam> pair(seed);
  Generator generator(seed);
  TypeParam& bench = pair.bench();
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(fmt::format("round {}", round));
    for (std::uint32_t i = 0; i < 4; ++i) pair.Queue(generator.Next(), i);
    const std::uint32_t cycles = generator.Pick(250);
    for (std::uint32_t i = 0; i < cycles; ++i) bench.Cycle();
    bench.ResetNow();
    // Longer than a row's way through the lanes, or not at all.
    if (round % 4 < 2) {
      for (int i = 0; i < 200; ++i) bench.Cycle();
      ASSERT_EQ(bench.log().writes.size() + bench.log().done_cycles.size(), 0U);
    }
    pair.ExpectLikeGolden({generator.Next(), generator.Next()});
    bench.ResetNow();
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(FvectorUnit, AHaltInAnyCycleStopsEverything) {
  const std::uint64_t seed = Seed(62);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  FloatPair<TypeParam> pair(seed);
  Generator generator(seed);
  TypeParam& bench = pair.bench();
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(fmt::format("round {}", round));
    for (std::uint32_t i = 0; i < 8; ++i) {
      Any next = generator.Next();
      Shorten(next);
      pair.Queue(next, i);
    }
    const std::uint32_t cycles = 1 + generator.Pick(150);
    for (std::uint32_t i = 0; i < cycles; ++i) bench.Cycle();
    bench.dut()->halt = 1;
    for (int i = 0; i < 40; ++i) bench.Cycle();
    bench.ResetNow();
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(FvectorUnit, EventsSayWhatEachCycleIsSpentOn) {
  const std::uint64_t first = Seed(63);
  for (std::uint64_t seed = first; seed < first + 4; ++seed) {
    SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
    FloatPair<TypeParam> pair(seed);
    pair.bench().set_rates(kRates[(seed - first) % 4]);
    Generator generator(seed);
    std::vector<std::uint64_t> steps;
    for (std::uint32_t i = 0; i < 100; ++i) {
      Any next = generator.Next();
      if (i % 3 != 0) Shorten(next);
      steps.push_back(
          std::visit([&](const auto& v) { return Active(v, pair.bench().memories()); }, next));
      pair.Queue(next, i);
    }
    pair.bench().ExpectAnEventInEachCycle(steps, 4);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(FvectorUnit, HaltStopsIssue) {
  FloatPair<TypeParam> pair(61);
  Fvector v;
  v.map = FloatMap::kAdd;
  v.a_format = v.b_format = v.o_format = NumberFormat::kBfloat16;
  v.n_ow = 60;
  v.a_ow = v.b_ow = v.o_ow = 2;
  v.o_row = kOutBase;
  v.y_bound = v.x_bound = 0xFFFF;
  v.param_row = kFloatEntries;
  v.lo = 0xFF800000;
  v.hi = 0x7F800000;
  TypeParam& bench = pair.bench();
  pair.Queue(v, 0);
  for (int i = 0; i < 50; ++i) bench.Cycle();
  bench.dut()->halt = 1;
  bench.Cycle();
  const std::size_t reads = bench.log().a_reads.size();
  EXPECT_GT(reads, 20U);
  EXPECT_LT(reads, 120U);
  for (int i = 0; i < 60; ++i) bench.Cycle();
  EXPECT_EQ(bench.log().a_reads.size(), reads);
  EXPECT_EQ(bench.dut()->err_valid, 0);
  bench.ResetNow();
  pair.ExpectLikeGolden({v, v});
}

// ---- Time ------------------------------------------------------------------------------

Fvector Rows(std::uint32_t rows) {
  Fvector v;
  v.n_ow = rows;
  v.a_format = v.b_format = NumberFormat::kFloat32;
  v.o_format = NumberFormat::kBfloat16;
  v.o_row = kOutBase;
  v.y_bound = v.x_bound = 0xFFFF;
  v.param_row = kFloatEntries;
  v.lo = 0xFF800000;
  v.hi = 0x7F800000;
  v.o_ow = 2;
  return v;
}

template <typename BenchT>
struct Timing {
  double cycles_per_row;
  std::uint64_t accept_to_done;
};

template <typename BenchT>
Timing<BenchT> Time(const Fvector& v) {
  FloatPair<BenchT> pair(71);
  pair.ExpectLikeGolden({v});
  const Log& log = pair.bench().log();
  const std::size_t lines = Lines(v.o_format);
  const double cycles =
      static_cast<double>(log.write_cycles[log.write_cycles.size() - lines] - log.write_cycles[0]);
  return {cycles / (v.n_ow - 1), log.done_cycles[0] - log.accept_cycles[0]};
}

// The timing model says in which cycle each instruction is accepted and completed. It is about
// lanes in pairs.
TEST(FvectorTiming, ModelSaysWhenTheRtlAcceptsAndCompletes) {
  const isa::HardwareConfig config{.n = BenchN8::kLanes,
                                   .ub_rows = kUbRows,
                                   .acc_rows = kAccRows,
                                   .param_rows = kParamRows,
                                   .window = 1,
                                   .requant_lanes = 1,
                                   .bf16 = 1};
  const std::uint64_t first = Seed(64);
  for (std::uint64_t seed = first; seed < first + 6; ++seed) {
    SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
    FloatPair<BenchN8> pair(seed);
    BenchN8& bench = pair.bench();
    bench.set_banked(true);
    Generator generator(seed);
    std::vector<Any> program(60);
    // Stretches of one kind, as an instruction waits longer for one of the other kind.
    for (std::size_t i = 0; i < program.size(); ++i) {
      program[i] = seed % 3 == 0    ? generator.Next()
                   : i / 8 % 2 == 0 ? Any(generator.NextVector())
                                    : Any(generator.NextFvector());
      if (seed % 2 == 0) Shorten(program[i]);
      pair.Queue(program[i], static_cast<std::uint32_t>(i));
    }
    const std::uint64_t cycle = bench.dut().cycles();
    bench.Run(program.size());
    const Modelled modelled = Model(config, program, cycle);
    ASSERT_EQ(bench.log().accept_cycles, modelled.accepted);
    ASSERT_EQ(bench.log().done_cycles, modelled.completed);
    ASSERT_EQ(WritesOf(bench.log()), modelled.writes);
  }
}

TYPED_TEST(FvectorUnit, RowsFollowAsCloselyAsPromised) {
  constexpr std::size_t kSharing = TypeParam::kLanes / 4;
  const auto lanes = static_cast<double>(kSharing);
  Fvector copy = Rows(100);
  copy.source = VectorSource::kAccumulators;
  copy.a_ow = 1;
  EXPECT_EQ(Time<TypeParam>(copy).cycles_per_row, 2) << "accumulators to bf16";
  copy.interleave = isa::FloatInterleave::kSame;
  EXPECT_EQ(Time<TypeParam>(copy).cycles_per_row, 2) << "accumulators to bf16, two rows each time";
  copy.interleave = isa::FloatInterleave::kNone;
  copy.o_format = NumberFormat::kInt8;
  copy.o_ow = 1;
  EXPECT_EQ(Time<TypeParam>(copy).cycles_per_row, lanes) << "accumulators to int8";

  Fvector add = Rows(100);
  add.map = FloatMap::kAdd;
  add.a_format = add.b_format = NumberFormat::kBfloat16;
  add.a_ow = add.b_ow = 2;
  add.b_row = 201;
  EXPECT_EQ(Time<TypeParam>(add).cycles_per_row, 2) << "sum of two rows of bf16";

  Fvector window = Rows(40);
  window.a_format = NumberFormat::kBfloat16;
  window.a_ow = 2;
  window.n_kh = window.n_kw = 3;
  window.a_kw = 2;
  window.a_kh = 20;
  EXPECT_EQ(Time<TypeParam>(window).cycles_per_row, 34) << "sum of 9 rows of bf16";
  window.map = FloatMap::kMultiply;
  window.b_format = NumberFormat::kBfloat16;
  window.b_kw = 2;
  window.b_kh = 6;
  EXPECT_EQ(Time<TypeParam>(window).cycles_per_row, 34) << "sum of 9 products of bf16";
  window.map = FloatMap::kAdd;
  EXPECT_EQ(Time<TypeParam>(window).cycles_per_row, 45) << "sum of 9 sums of bf16";

  Fvector exp = Rows(100);
  exp.a_format = NumberFormat::kBfloat16;
  exp.a_ow = 2;
  exp.function = FloatFunction::kExp;
  EXPECT_EQ(Time<TypeParam>(exp).cycles_per_row, 8 * lanes) << "exponential of bf16";
  exp.function = FloatFunction::kLogistic;
  EXPECT_EQ(Time<TypeParam>(exp).cycles_per_row, 13 * lanes) << "logistic function of bf16";
}

TYPED_TEST(FvectorUnit, ALoneRowTakesSoManyCycles) {
  const std::uint64_t turns = TypeParam::kLanes / 4 - 1;
  Fvector copy = Rows(2);
  copy.n_ow = 1;
  copy.source = VectorSource::kAccumulators;
  copy.o_format = NumberFormat::kInt8;
  const auto time = [](const Fvector& v) {
    FloatPair<TypeParam> pair(71);
    pair.ExpectLikeGolden({v});
    return pair.bench().log().done_cycles[0] - pair.bench().log().accept_cycles[0];
  };
  // From acceptance to the tap 3 cycles, from there to the first line 24.
  EXPECT_EQ(time(copy), 27 + turns);
  copy.o_format = NumberFormat::kFloat32;
  EXPECT_EQ(time(copy), 30 + turns);
  copy.function = FloatFunction::kExp;
  EXPECT_EQ(time(copy), 30 + 8 * turns + 56);
  copy.function = FloatFunction::kNone;
  copy.map = FloatMap::kAdd;
  copy.b_format = NumberFormat::kFloat32;
  EXPECT_EQ(time(copy), 30 + 4 + turns);
  copy.n_kw = 2;
  EXPECT_EQ(time(copy), 30 + 4 + 4 + 5 + turns);
}

}  // namespace
}  // namespace tpu::vector_test
