// SPDX-License-Identifier: Apache-2.0
// Control on legal programs: order, exact commands, semaphores, throughput, queues, start and
// restart.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "control_bench.h"
#include "control_models.h"
#include "random_program.h"

namespace tpu {
namespace {

template <typename Model>
class Control : public ::testing::Test {};
using Models = ::testing::Types<Vcontrol32, Vcontrol128, Vcontrol512, Vcontrol128Both>;
TYPED_TEST_SUITE(Control, Models);

using Bench = ControlBench<Vcontrol128>;

template <typename I>
I WithSemaphores(std::uint32_t wait, std::uint32_t post) {
  I instruction;
  instruction.semaphores = {wait, post};
  return instruction;
}

TYPED_TEST(Control, RunsRandomProgramsAsWritten) {
  const std::vector<Timing> timings = {
      {.latency = 1},
      {.latency = 64, .max_work = 20},
      {.latency = 8,
       .ar_ready = 0.3,
       .r_valid = 0.5,
       .cmd_ready = 0.3,
       .capacity = 1,
       .max_work = 8},
      {.latency = 3, .r_valid = 0.9, .cmd_ready = 0.8, .capacity = 20, .max_work = 60},
      {.latency = 1, .capacity = 2, .max_work = 300},
  };
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    ControlBench<TypeParam> bench(seed, timings[seed % timings.size()]);
    // From a granule anywhere in a 4 KiB page.
    bench.Start(RandomProgram(seed, kFormats<TypeParam>).Make(200), 0x7000 + 64 * (seed * 13 % 64));
    ASSERT_TRUE(bench.UntilDone(100000));
    ASSERT_EQ(bench.dut->error_valid, 0);
    bench.Run(20);
    EXPECT_EQ(bench.dut->program_done, 1) << "done is a level";
    EXPECT_TRUE(bench.Drained());
  }
}

TYPED_TEST(Control, RunsOneProgramAfterAnother) {
  ControlBench<TypeParam> bench(3, {.latency = 5, .max_work = 5});
  for (std::uint64_t seed = 20; seed < 26; ++seed) {
    bench.Start(RandomProgram(seed).Make(1 + static_cast<int>(seed % 7)), 64 * seed);
    EXPECT_EQ(bench.dut->program_done, 0) << "a start ends the level";
    ASSERT_TRUE(bench.UntilDone(2000));
  }
}

TEST(ControlTiming, AnEmptyProgramIsDoneAtOnce) {
  Bench bench;
  bench.Start(std::vector<std::uint8_t>{}, 0x1020);
  ASSERT_TRUE(bench.UntilDone(3));
  EXPECT_EQ(bench.bursts(), 0U);
}

TEST(ControlTiming, StartsTheFirstInstructionSoon) {
  Bench bench(1, {.latency = 10});
  bench.Start({isa::Load{}});
  ASSERT_TRUE(bench.Until([&] { return bench.units[kLd].started == 1; }, 100));
  // Latency and four beats of the memory, and ten cycles of the front end.
  EXPECT_LE(bench.cycle(), 10U + 4U + 10U);
}

template <typename Model>
double CyclesPerInstruction(const std::vector<isa::Instruction>& program) {
  ControlBench<Model> bench(1, {.latency = 64, .capacity = 8, .max_work = 1});
  bench.Start(program);
  EXPECT_TRUE(bench.UntilDone(100000));
  return static_cast<double>(bench.cycle() - 64) / static_cast<double>(program.size());
}

TEST(ControlTiming, SmallInstructionsFlowFast) {
  const std::vector<isa::Instruction> loads(300, isa::Load{});
  const std::vector<isa::Instruction> vectors(300, isa::Vector{});
  EXPECT_LE(CyclesPerInstruction<Vcontrol128>(loads), 5.1);
  EXPECT_LE(CyclesPerInstruction<Vcontrol512>(loads), 4.1);
  EXPECT_LE(CyclesPerInstruction<Vcontrol512>(vectors), 5.1);
  RecordProperty("load_128", fmt::format("{:.2f}", CyclesPerInstruction<Vcontrol128>(loads)));
  RecordProperty("load_512", fmt::format("{:.2f}", CyclesPerInstruction<Vcontrol512>(loads)));
  RecordProperty("vector_128", fmt::format("{:.2f}", CyclesPerInstruction<Vcontrol128>(vectors)));
}

TEST(ControlTiming, APostStartsTheWaiterThreeCyclesLater) {
  Bench bench(1, {.max_work = 100});
  bench.Start({WithSemaphores<isa::Load>(0, 1), WithSemaphores<isa::Matmul>(1, 0)});
  ASSERT_TRUE(bench.Until([&] { return bench.units[kLd].completed == 1; }, 500));
  const std::uint64_t done = bench.cycle();
  ASSERT_TRUE(bench.Until([&] { return bench.units[kMm].started == 1; }, 500));
  EXPECT_LE(bench.cycle() - done, 2U);
}

TEST(ControlSemaphores, PostsOfAllUnitsInOneCycleAllCount) {
  Bench bench;
  for (auto& unit : bench.units) unit.stuck = true;
  bench.Start({WithSemaphores<isa::Load>(0, 0x0001), WithSemaphores<isa::Weights>(0, 0x0102),
               WithSemaphores<isa::Matmul>(0, 0x0204), WithSemaphores<isa::Vector>(0, 0x0408),
               WithSemaphores<isa::Store>(0, 0x0810), WithSemaphores<isa::Load>(0x0F1F, 0)});
  const auto all_running = [&] {
    for (const auto& unit : bench.units) {
      if (unit.inflight.empty()) return false;
    }
    return true;
  };
  ASSERT_TRUE(bench.Until(all_running, 300));
  for (auto& unit : bench.units) unit.stuck = false;
  EXPECT_TRUE(bench.UntilDone(20));
}

TEST(ControlSemaphores, CountSeveralPosts) {
  std::vector<isa::Instruction> program(40, WithSemaphores<isa::Load>(0, 1));
  program.insert(program.end(), 40, WithSemaphores<isa::Store>(1, 0));
  Bench bench;
  bench.Start(program);
  ASSERT_TRUE(bench.UntilDone(2000));
  EXPECT_EQ(bench.units[kSt].completed, 40U);
}

TEST(ControlSemaphores, AStartSetsThemToZero) {
  Bench bench;
  bench.Start({WithSemaphores<isa::Load>(0, ~0U)});
  ASSERT_TRUE(bench.UntilDone(200));
  bench.Start({WithSemaphores<isa::Load>(1U << 31, 0)});
  bench.Run(200);
  EXPECT_EQ(bench.dut->program_done, 0);
  EXPECT_TRUE(Bench::Of(kLd, bench.dut->waiting));
}

TEST(ControlSemaphores, WaitingNamesTheClassOfTheLowestUnmetOne) {
  for (unsigned s = 0; s < isa::kNumSemaphores; ++s) {
    SCOPED_TRACE(s);
    Bench bench;
    const std::uint32_t met = (1U << s) - 1;
    bench.Start({WithSemaphores<isa::Load>(0, met), WithSemaphores<isa::Matmul>(~0U, 0)});
    bench.Run(60);
    EXPECT_TRUE(Bench::Of(kMm, bench.dut->queued));
    EXPECT_TRUE(Bench::Of(kMm, bench.dut->waiting));
    EXPECT_EQ(bench.dut->wait_class >> 2 * kMm & 3, s / 8);
  }
}

TEST(ControlWatchdog, NamesTheFirstWaitingAndTheFirstBusyUnit) {
  Bench bench;
  bench.units[kWt].stuck = bench.units[kVx].stuck = true;
  bench.Start({isa::Load{}, isa::Weights{}, isa::Vector{}, WithSemaphores<isa::Matmul>(1, 0),
               WithSemaphores<isa::Store>(1, 0)});
  bench.Run(100);
  EXPECT_EQ(bench.dut->wait_valid, 1);
  EXPECT_EQ(bench.dut->wait_unit, static_cast<unsigned>(isa::Unit::kMatmul));
  EXPECT_EQ(bench.dut->wait_index, 3U);
  EXPECT_EQ(bench.dut->busy_unit, static_cast<unsigned>(isa::Unit::kWeights));
  EXPECT_EQ(bench.dut->busy_index, 1U);
}

/// An instruction of any unit.
isa::Instruction InstructionFor(std::size_t unit, std::uint32_t wait, std::uint32_t post) {
  switch (unit) {
    case kLd:
      return WithSemaphores<isa::Load>(wait, post);
    case kWt:
      return WithSemaphores<isa::Weights>(wait, post);
    case kMm:
      return WithSemaphores<isa::Matmul>(wait, post);
    case kVx:
      return WithSemaphores<isa::Vector>(wait, post);
    default:
      return WithSemaphores<isa::Store>(wait, post);
  }
}

TEST(ControlWatchdog, NamesEachUnitWhenItIsTheFirst) {
  for (std::size_t first = 0; first < kUnits; ++first) {
    for (std::size_t others = first; others < kUnits; ++others) {
      SCOPED_TRACE(fmt::format("unit {}, and those from {} on", first, others));
      std::vector<isa::Instruction> waiting(3, isa::Load{});
      std::vector<isa::Instruction> busy;
      const auto add = [&](std::size_t unit) {
        waiting.push_back(InstructionFor(unit, 1, 0));
        busy.push_back(InstructionFor(unit, 0, 0));
      };
      for (std::size_t unit = kUnits - 1; unit > others; --unit) add(unit);
      add(first);
      Bench bench;
      bench.Start(waiting);
      bench.Run(100);
      EXPECT_EQ(bench.dut->wait_valid, 1);
      EXPECT_EQ(bench.dut->wait_unit, first + 1);
      EXPECT_EQ(bench.dut->wait_index, waiting.size() - 1);
      EXPECT_EQ(bench.dut->busy_unit, static_cast<unsigned>(isa::Unit::kFrontend));
      EXPECT_EQ(bench.dut->busy_index, waiting.size()) << "the next one, as none is in flight";
      bench.Reset();
      for (auto& unit : bench.units) unit.stuck = true;
      bench.Start(busy);
      bench.Run(100);
      EXPECT_EQ(bench.dut->wait_valid, 0);
      EXPECT_EQ(bench.dut->busy_unit, first + 1);
      EXPECT_EQ(bench.dut->busy_index, busy.size() - 1);
    }
  }
}

TEST(ControlWatchdog, AUnitThatHasItsSemaphoresDoesNotWait) {
  Bench bench;
  bench.units[kMm].blocked = true;
  bench.Start({WithSemaphores<isa::Load>(0, 1), WithSemaphores<isa::Matmul>(1, 0)});
  bench.Run(100);
  EXPECT_TRUE(Bench::Of(kMm, bench.dut->queued));
  EXPECT_FALSE(Bench::Of(kMm, bench.dut->waiting));
  EXPECT_EQ(bench.dut->wait_valid, 0);
}

TEST(ControlWatchdog, NamesTheFrontEndWhenOnlyItIsBusy) {
  Bench bench(1, {.ar_ready = 0});
  bench.Start({isa::Load{}});
  bench.Run(100);
  EXPECT_EQ(bench.dut->wait_valid, 0);
  EXPECT_EQ(bench.dut->busy_unit, static_cast<unsigned>(isa::Unit::kFrontend));
  EXPECT_EQ(bench.dut->busy_index, 0U);
}

// The bus dies behind the first burst of four granules.
TEST(ControlWatchdog, NamesTheInstructionThatTheFrontEndWaitsFor) {
  Bench bench;
  bench.Start(std::vector<isa::Instruction>(12, isa::Load{}));
  ASSERT_TRUE(bench.Until([&] { return bench.bursts() == 1; }, 100));
  bench.SetArReady(0);
  ASSERT_TRUE(bench.Until([&] { return bench.units[kLd].completed == 4; }, 200));
  bench.Run(20);
  EXPECT_EQ(bench.dut->busy_unit, static_cast<unsigned>(isa::Unit::kFrontend));
  EXPECT_EQ(bench.dut->busy_index, 4U);
}

// The FIFO has room for 32 granules, a burst brings four.
TEST(ControlFetch, AsksForAsMuchAsItsFifoHolds) {
  Bench bench(1, {.r_valid = 0});
  bench.Start(std::vector<isa::Instruction>(64, isa::Load{}));
  bench.Run(500);
  EXPECT_EQ(bench.bursts(), 8U);
}

TEST(ControlFetch, OffersTheNextBurstInTheCycleAfterOneIsAccepted) {
  Bench bench(1, {.ar_ready = 0});
  bench.Start(std::vector<isa::Instruction>(12, isa::Load{}));
  bench.Run(100);
  bench.SetArReady(1);
  bench.Run(2);
  EXPECT_EQ(bench.bursts(), 2U);
}

TEST(ControlQueues, AFullQueueHoldsTheProgramAndLetsItGo) {
  std::vector<isa::Instruction> program(8, isa::Matmul{});
  program.emplace_back(isa::Load{});
  program.insert(program.end(), 40, isa::Matmul{});
  program.emplace_back(isa::Store{});
  Bench bench;
  bench.units[kMm].blocked = true;
  bench.Start(program);
  bench.Run(500);
  EXPECT_EQ(bench.units[kLd].completed, 1U) << "eight instructions fit into a queue";
  EXPECT_EQ(bench.units[kSt].started, 0U) << "decoding is in order";
  EXPECT_EQ(bench.dut->wait_valid, 0) << "nobody waits for a semaphore";
  bench.units[kMm].blocked = false;
  EXPECT_TRUE(bench.UntilDone(2000));
}

TEST(ControlQueues, HoldEightInstructionsWhereverTheyBegin) {
  for (std::size_t before = 1; before <= 16; ++before) {
    SCOPED_TRACE(fmt::format("behind {} instructions", before));
    std::vector<isa::Instruction> program(before + 8, isa::Matmul{});
    program.emplace_back(isa::Load{});
    Bench bench;
    bench.Start(program);
    ASSERT_TRUE(bench.Until([&] { return bench.units[kMm].started == before; }, 1000));
    bench.units[kMm].blocked = true;
    bench.Run(500);
    EXPECT_EQ(bench.units[kMm].started, before);
    EXPECT_EQ(bench.units[kLd].completed, 1U);
    bench.units[kMm].blocked = false;
    EXPECT_TRUE(bench.UntilDone(2000));
  }
}

TEST(ControlQueues, AUnitHasAtMostEightInstructionsInFlight) {
  Bench bench(1, {.capacity = 30});
  bench.units[kSt].stuck = true;
  bench.Start(std::vector<isa::Instruction>(20, WithSemaphores<isa::Store>(0, 1)));
  bench.Run(300);
  EXPECT_EQ(bench.units[kSt].started, 8U);
  bench.units[kSt].stuck = false;
  EXPECT_TRUE(bench.UntilDone(500));
}

TEST(ControlHalt, StopsAndDrains) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Bench bench(seed, {.latency = 20, .ar_ready = 0.5, .r_valid = 0.7, .max_work = 10});
    bench.Start(RandomProgram(seed).Make(200), 64 * seed);
    bench.Run(static_cast<int>(5 * seed));
    bench.dut->halt = 1;
    // The bench checks that nothing starts and nothing is requested any more.
    ASSERT_TRUE(bench.Until([&] { return bench.Drained(); }, 1000));
    bench.Run(50);
    EXPECT_TRUE(bench.Drained());
    EXPECT_EQ(bench.dut->program_done, 0);
    bench.Reset();
    bench.Start(RandomProgram(seed + 100).Make(20));
    EXPECT_TRUE(bench.UntilDone(2000));
  }
}

// A program is done only after its start; a reset forgets that one was, and that one is being run.
TEST(ControlReset, ForgetsTheProgram) {
  Bench bench;
  const auto expect_nothing_done = [&](const char* when) {
    for (int i = 0; i < 20; ++i) {
      ASSERT_EQ(bench.dut->program_done, 0) << when;
      bench.Cycle();
    }
  };
  expect_nothing_done("before any start");
  bench.Start({isa::Load{}});
  ASSERT_TRUE(bench.UntilDone(100));
  bench.Reset();
  expect_nothing_done("after a program");
  bench.units[kLd].stuck = true;
  bench.Start({isa::Load{}});
  bench.Run(50);
  bench.Reset();
  expect_nothing_done("in the midst of a program");
}

}  // namespace
}  // namespace tpu
