// SPDX-License-Identifier: Apache-2.0
// The host interface from power-on, when it is reset in the middle of a run, when requests meet in
// one cycle, and which signal each counter counts.
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "tests/rtl/host/host_bench.h"

namespace tpu {
namespace {

using isa::Counter;
using isa::ErrorCode;
using isa::Register;
using isa::Unit;
namespace control = isa::bits::kControl_;
namespace status = isa::bits::kStatus_;

TEST(HostPowerOn, TheCoreIsInResetBeforeTheFirstClockEdge) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    tb::Dut<Vtpu_host> dut(seed);
    EXPECT_EQ(dut->core_rst, 1) << "seed " << seed;
  }
}

// What a reset ended, and how far it had come.
struct Before {
  const char* name;
  CoreScript script;
  std::uint32_t watchdog;
  bool soft_reset;
};

TEST(HostReset, InAnyCycleEndsARun) {
  const Before befores[] = {
      {"a program", {.done_after = 20}, 0, false},
      {"an error", {.error_after = 10}, 0, false},
      {"a timeout", {.drain = 1000000, .progress = false}, 12, false},
      {"a soft reset", {.drain = 20}, 0, true},
  };
  for (const Before& before : befores) {
    for (int cycles = 0; cycles < 40; ++cycles) {
      SCOPED_TRACE(fmt::format("{}, reset after {} cycles", before.name, cycles));
      HostBench bench;
      bench.script = before.script;
      bench.Write(Register::kWatchdog, before.watchdog);
      bench.Start();
      if (before.soft_reset) bench.SoftReset();
      bench.Run(cycles);
      bench.dut->program_done = bench.dut->error_valid = 0;
      bench.ResetNow();
      EXPECT_EQ(bench.dut->core_rst, 1);
      EXPECT_EQ(bench.dut->halt, 0);
      EXPECT_EQ(bench.dut->start, 0);
      EXPECT_EQ(bench.dut->irq, 0);
      bench.Cycle();
      EXPECT_EQ(bench.dut->core_rst, 0);
      EXPECT_EQ(bench.Status(), 0U);
      bench.ExpectError(ErrorCode::kNone, Unit::kFrontend, 0);
      // A run that fails: the core is reset before it, and not behind it.
      bench.resets = bench.starts = 0;
      bench.script = {.error_after = 5};
      bench.Start();
      ASSERT_TRUE(bench.UntilIdle());
      EXPECT_EQ(bench.Status(), status::error | status::irq);
      EXPECT_EQ(bench.resets, kCoreResetCycles);
      EXPECT_EQ(bench.starts, 1);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(HostRun, ASoftResetGoesBeforeAStartInTheSameWrite) {
  HostBench bench;
  bench.script = {.drain = 5};
  bench.Write(Register::kControl, control::start | control::soft_reset);
  ASSERT_TRUE(bench.UntilIdle());
  EXPECT_EQ(bench.starts, 0);
  EXPECT_EQ(bench.resets, kCoreResetCycles);
  EXPECT_EQ(bench.Status(), 0U);
}

// As soon as the bus has drained, once the halt has had its time, which is less than 12 cycles.
TEST(HostRun, AStopEndsWithTheBus) {
  std::vector<int> cycles;
  for (std::uint64_t drain = 12; drain < 24; ++drain) {
    HostBench bench;
    bench.script = {.error_after = 5, .drain = drain};
    bench.Start();
    cycles.push_back(0);
    for (; bench.dut->irq == 0 && cycles.back() < 100; ++cycles.back()) bench.Cycle();
    EXPECT_EQ(cycles.back(), cycles.front() + static_cast<int>(drain - 12)) << "drain " << drain;
  }
}

TEST(HostRun, TheInterruptIsClearedByTheLowestByteOnly) {
  HostBench bench;
  bench.script.done_after = 3;
  bench.Start();
  ASSERT_TRUE(bench.UntilIdle());
  for (const std::uint8_t strobe : std::initializer_list<std::uint8_t>{0x0, 0x2, 0xE}) {
    bench.Write(Register::kIrqClear, 1, strobe);
    EXPECT_EQ(bench.dut->irq, 1) << "strobe " << int{strobe};
  }
  bench.Write(Register::kIrqClear, 1, 0x1);
  EXPECT_EQ(bench.dut->irq, 0);
}

// The bus may show the last write's address and data for ever.
TEST(HostRun, AWriteClearsTheInterruptOnceOnly) {
  HostBench bench;
  bench.script.done_after = 30;
  bench.Start();
  bench.Write(Register::kIrqClear, 1);
  ASSERT_TRUE(bench.UntilIdle());
  bench.Run(3);
  EXPECT_EQ(bench.dut->irq, 1);
  EXPECT_EQ(bench.Status(), status::done | status::irq);
}

TEST(HostRun, NothingToRunMayLieBeyondTheAddressWidth) {
  HostBench bench;
  bench.script.done_after = 0;
  bench.Write(Register::kProgAddrHi, 0x100);
  bench.Write(Register::kProgGranules, 0);
  bench.Start();
  ASSERT_TRUE(bench.UntilIdle());
  EXPECT_EQ(bench.Status(), status::done | status::irq);
}

// Done and a timeout may come in the same cycle: later than `done` in the cycle before no timeout
// is reported.
TEST(HostWatchdog, DoneGoesBeforeATimeout) {
  std::vector<bool> done;
  for (std::uint64_t after = 10; after < 40; ++after) {
    HostBench bench;
    bench.script = {.done_after = after, .progress = false};
    bench.Write(Register::kWatchdog, 20);
    bench.Start();
    ASSERT_TRUE(bench.UntilIdle());
    done.push_back((bench.Status() & status::done) != 0);
    // A run of n cycles shows its done in the n-th one, and 20 cycles without progress end in the
    // 22nd.
    EXPECT_EQ(bench.ReadCounter(Counter::kCycles), std::min<std::uint64_t>(after + 1, 22));
    EXPECT_EQ(done.back(), after + 1 <= 22) << "done after " << after;
  }
}

// One signal at a time, for as many cycles as no other one.
TEST(HostCounters, EachCountsItsOwnSignal) {
  enum Place : std::uint8_t { kLoadPlace, kWeightsPlace, kMatmulPlace, kVectorPlace, kStorePlace };
  HostBench bench;
  bench.script.done_after = 5000;
  bench.Start();
  bench.Run(20);
  const auto bus = [](std::uint8_t unit) { return static_cast<std::uint8_t>(1U << unit); };
  struct Signal {
    std::uint8_t* port;
    std::uint8_t value;
    Counter counter;
  };
  Vtpu_host& dut = *bench.dut;
  const std::vector<Signal> signals = {
      {&dut.mm_active, 1, Counter::kArrayActive},
      {&dut.mm_pad, 1, Counter::kArrayPadRows},
      {&dut.mm_wait_weights, 1, Counter::kArrayWaitWeights},
      {&dut.mm_weight_shift, 1, Counter::kArrayWeightShift},
      {&dut.vx_active, 1, Counter::kVectorActive},
      {&dut.vx_stall_port, 1, Counter::kVectorStallPort},
      {&dut.vx_stall_operand, 1, Counter::kVectorStallOperand},
      {&dut.vx_stall_output, 1, Counter::kVectorStallOutput},
      {&dut.queued, bus(kVectorPlace), Counter::kVectorWait},
      {&dut.queued, bus(kMatmulPlace), Counter::kArrayWaitOther},
      {&dut.waiting, bus(kLoadPlace), Counter::kLoadWait},
      {&dut.waiting, bus(kWeightsPlace), Counter::kWeightsWait},
      {&dut.waiting, bus(kStorePlace), Counter::kStoreWait},
      {&dut.inflight, bus(kLoadPlace), Counter::kLoadBusy},
      {&dut.inflight, bus(kWeightsPlace), Counter::kWeightsBusy},
      {&dut.inflight, bus(kStorePlace), Counter::kStoreBusy},
      {&dut.done, bus(kMatmulPlace), Counter::kMatmulRetired},
      {&dut.done, bus(kStorePlace), Counter::kStoreRetired},
      {&dut.fe_beat, 1, Counter::kFetchBeats},
      {&dut.ld_beat, 1, Counter::kLoadBeats},
      {&dut.wt_beat, 1, Counter::kWeightsBeats},
      {&dut.st_beat, 1, Counter::kStoreBeats},
  };
  int cycles = 3;
  for (const Signal& signal : signals) {
    *signal.port = signal.value;
    bench.Run(++cycles);
    *signal.port = 0;
    bench.Run(1);
  }
  // An instruction that waits for input, then one that waits for another reason.
  for (const auto& [wait_class, counter] :
       {std::pair{1U, Counter::kArrayWaitDependence}, {2U, Counter::kArrayWaitSpace}}) {
    dut.queued = dut.waiting = bus(kMatmulPlace);
    dut.wait_class = static_cast<std::uint16_t>(wait_class << 2 * kMatmulPlace);
    bench.Run(9);
    dut.queued = dut.waiting = 0;
    dut.wait_class = 0;
    bench.Run(1);
    EXPECT_EQ(bench.ReadCounter(counter), 9U);
  }
  cycles = 3;
  for (const Signal& signal : signals) {
    EXPECT_EQ(bench.ReadCounter(signal.counter), static_cast<std::uint64_t>(++cycles))
        << isa::kCounterNames[static_cast<std::size_t>(signal.counter)];
  }
  // A start passes on to the core's counters of instructions.
  dut.starts = bus(kVectorPlace);
  bench.Tick();
  dut.starts = 0;
  EXPECT_EQ(dut.event_starts, bus(kVectorPlace));
}

}  // namespace
}  // namespace tpu
