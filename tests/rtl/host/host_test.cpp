// SPDX-License-Identifier: Apache-2.0
// Registers, run control, interrupt, watchdog and counters of the host interface.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <random>

#include "host_bench.h"

namespace tpu {
namespace {

using isa::Counter;
using isa::ErrorCode;
using isa::Register;
using isa::Unit;
namespace status = isa::bits::kStatus_;

const std::map<Register, std::uint32_t> kResetValues = {
    {Register::kId, 0x31555054},      {Register::kVersion, 0x00010002},
    {Register::kControl, 0},          {Register::kStatus, 0},
    {Register::kIrqClear, 0},         {Register::kError, 0},
    {Register::kErrorIndex, 0},       {Register::kProgAddrLo, 0},
    {Register::kProgAddrHi, 0},       {Register::kProgGranules, 0},
    {Register::kWatchdog, 1000000},   {Register::kConfigN, 8},
    {Register::kConfigUbRows, 512},   {Register::kConfigAccRows, 128},
    {Register::kConfigParamRows, 32}, {Register::kConfigLutTables, 8},
    {Register::kConfigFifoTiles, 2},  {Register::kConfigAxiData, 64},
    {Register::kConfigAxiAddr, 40},   {Register::kConfigUbBanks, 4},
    {Register::kConfigWindow, 0},     {Register::kConfigRequantLanes, 2},
    {Register::kConfigBf16, 1},       {Register::kConfigFloatRounding, 1},
};

TEST(HostRegisters, HaveTheirResetValuesAndTheRestIsZero) {
  HostBench bench;
  bench.Start();
  bench.script.done_after = 1;
  ASSERT_TRUE(bench.UntilIdle());
  bench.Reset();
  for (std::uint32_t offset = 0; offset < isa::kCounterBase; offset += 4) {
    SCOPED_TRACE(fmt::format("offset 0x{:x}", offset));
    const auto found = kResetValues.find(static_cast<Register>(offset));
    EXPECT_EQ(bench.Read(offset), found == kResetValues.end() ? 0 : found->second);
  }
}

TEST(HostRegisters, NothingAnswersBeyondTheMap) {
  HostBench bench;
  bench.script.done_after = 20;
  bench.dut->done = bench.dut->inflight = 0x1F;
  bench.Start();
  ASSERT_TRUE(bench.UntilIdle());
  for (std::uint32_t offset = isa::kCounterBase + 8 * isa::kNumCounters; offset < 0x1000;
       offset += 4) {
    ASSERT_EQ(bench.Read(offset), 0U) << fmt::format("offset 0x{:x}", offset);
  }
}

// Every register is written with random data and strobes; only the writable ones may change, byte
// by byte.
TEST(HostRegisters, KeepWhatIsWrittenUnderStallsAndStrobes) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    HostBench bench(seed,
                    {.valid = 0.25 * static_cast<double>(seed), .ready = seed % 2 == 0 ? 0.3 : 1});
    std::mt19937_64 rng(seed);
    std::map<Register, std::uint32_t> expected = kResetValues;
    for (int i = 0; i < 600; ++i) {
      // Sometimes beyond the registers.
      const auto reg = static_cast<Register>(4 * (rng() % (i % 8 == 0 ? 1024 : 64)));
      if (rng() % 2 == 0 && reg != Register::kControl) {
        const auto data = static_cast<std::uint32_t>(rng());
        const auto strobe = static_cast<std::uint8_t>(rng() % 16);
        bench.Write(reg, data, strobe);
        if (reg == Register::kProgAddrLo || reg == Register::kProgAddrHi ||
            reg == Register::kProgGranules || reg == Register::kWatchdog) {
          for (unsigned b = 0; b < 4; ++b) {
            const std::uint32_t mask = (strobe >> b & 1) != 0 ? 0xFFU << (8 * b) : 0;
            expected[reg] = (expected[reg] & ~mask) | (data & mask);
          }
        }
      } else {
        const auto found = expected.find(reg);
        ASSERT_EQ(bench.Read(reg), found == expected.end() ? 0 : found->second)
            << fmt::format("offset 0x{:x}", static_cast<std::uint32_t>(reg));
      }
    }
    EXPECT_EQ(bench.starts, 0);
  }
}

TEST(HostBus, WritesFollowEachOtherEveryTwoCycles) {
  HostBench bench;
  auto& dut = bench.dut;
  dut->s_axil_awaddr = static_cast<std::uint32_t>(Register::kProgGranules);
  dut->s_axil_awvalid = dut->s_axil_wvalid = dut->s_axil_bready = 1;
  dut->s_axil_wstrb = 0xF;
  int responses = 0;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const bool taken = dut->s_axil_wready != 0;
    bench.Tick();
    if (taken) dut->s_axil_wdata = i;
    responses += dut->s_axil_bvalid;
  }
  EXPECT_GE(responses, 19);
}

TEST(HostBus, ReadsFollowEachOtherEveryThreeCycles) {
  HostBench bench;
  bench.dut->s_axil_arvalid = bench.dut->s_axil_rready = 1;
  int answers = 0;
  for (int i = 0; i < 60; ++i) {
    bench.Tick();
    answers += bench.dut->s_axil_rvalid;
  }
  EXPECT_GE(answers, 19);
}

TEST(HostBus, AnswersBeforeTheMasterIsReadyAndGoesOnOnceItIs) {
  HostBench bench;
  auto& dut = bench.dut;
  dut->s_axil_arvalid = 1;
  for (int i = 0; i < 10; ++i) bench.Tick();
  EXPECT_EQ(dut->s_axil_rvalid, 1);
  EXPECT_EQ(dut->s_axil_arready, 0) << "the second waits, and so does the third";
  dut->s_axil_rready = 1;
  bench.Tick();
  dut->s_axil_rready = 0;
  EXPECT_EQ(dut->s_axil_rvalid, 0);
  bench.Tick();
  EXPECT_EQ(dut->s_axil_rvalid, 0) << "the second is read when the first is taken";
  bench.Tick();
  EXPECT_EQ(dut->s_axil_rvalid, 1);
}

TEST(HostBus, ForgetsAReadAtOneEdgeInReset) {
  for (int cycles = 0; cycles < 6; ++cycles) {
    SCOPED_TRACE(cycles);
    HostBench bench;
    bench.dut->s_axil_arvalid = 1;
    for (int i = 0; i < cycles; ++i) bench.Tick();
    bench.dut->s_axil_arvalid = 0;
    bench.dut.Reset(1);
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(bench.dut->s_axil_rvalid, 0);
      bench.dut.Tick();
    }
  }
}

// Requests stand while the slave is busy with the one before, answers wait for the master.
TEST(HostBus, AnswersReadsInOrder) {
  HostBench bench;
  auto& dut = bench.dut;
  std::mt19937_64 rng(4);
  std::deque<std::uint32_t> expected;
  std::uint32_t value = 0;
  int answers = 0;
  for (int cycle = 0; cycle < 2000; ++cycle) {
    if (dut->s_axil_arvalid == 0 && rng() % 4 != 0) {
      const auto reg =
          std::next(kResetValues.begin(), static_cast<std::ptrdiff_t>(rng() % kResetValues.size()));
      dut->s_axil_araddr = static_cast<std::uint16_t>(reg->first);
      dut->s_axil_arvalid = 1;
      value = reg->second;
    }
    dut->s_axil_rready = rng() % 3 == 0 ? 1 : 0;
    dut.Eval();
    if (dut->s_axil_rvalid && dut->s_axil_rready) {
      ASSERT_FALSE(expected.empty());
      ASSERT_EQ(dut->s_axil_rdata, expected.front()) << "cycle " << cycle;
      expected.pop_front();
      ++answers;
    }
    const bool taken = dut->s_axil_arvalid && dut->s_axil_arready;
    if (taken) expected.push_back(value);
    bench.Tick();
    if (taken) dut->s_axil_arvalid = 0;
  }
  EXPECT_GT(answers, 200);
}

// Addresses run ahead of data and the other way round.
TEST(HostBus, PairsAddressesWithDataInOrder) {
  constexpr std::array kRegisters = {Register::kProgAddrLo, Register::kProgAddrHi,
                                     Register::kProgGranules, Register::kWatchdog};
  HostBench bench;
  auto& dut = bench.dut;
  std::mt19937_64 rng(5);
  std::map<Register, std::uint32_t> expected;
  for (const Register reg : kRegisters) expected[reg] = kResetValues.at(reg);
  for (int round = 0; round < 100; ++round) {
    constexpr std::size_t kWrites = 4;
    std::array<Register, kWrites> addresses;
    std::array<std::uint32_t, kWrites> data;
    for (std::size_t i = 0; i < kWrites; ++i) {
      addresses[i] = kRegisters[rng() % kRegisters.size()];
      data[i] = static_cast<std::uint32_t>(rng());
      expected[addresses[i]] = data[i];
    }
    std::size_t aw = 0;
    std::size_t w = 0;
    std::size_t b = 0;
    for (int cycle = 0; b < kWrites; ++cycle) {
      ASSERT_LT(cycle, 200) << "no response";
      if (aw < kWrites && rng() % 3 == 0) dut->s_axil_awvalid = 1;
      if (w < kWrites && rng() % 3 == 0) dut->s_axil_wvalid = 1;
      dut->s_axil_awaddr = static_cast<std::uint16_t>(addresses[std::min(aw, kWrites - 1)]);
      dut->s_axil_wdata = data[std::min(w, kWrites - 1)];
      dut->s_axil_wstrb = 0xF;
      dut->s_axil_bready = rng() % 3 == 0 ? 1 : 0;
      dut.Eval();
      const bool aw_taken = dut->s_axil_awvalid && dut->s_axil_awready;
      const bool w_taken = dut->s_axil_wvalid && dut->s_axil_wready;
      if (dut->s_axil_bvalid && dut->s_axil_bready) ++b;
      bench.Tick();
      if (aw_taken) ++aw, dut->s_axil_awvalid = 0;
      if (w_taken) ++w, dut->s_axil_wvalid = 0;
    }
    dut->s_axil_bready = 0;
    for (const auto& [reg, value] : expected)
      ASSERT_EQ(bench.Read(reg), value) << "round " << round;
  }
}

TEST(HostBus, AcceptsTheNextWriteWhileAResponseWaits) {
  HostBench bench;
  auto& dut = bench.dut;
  dut->s_axil_awaddr = static_cast<std::uint32_t>(Register::kProgGranules);
  dut->s_axil_awvalid = dut->s_axil_wvalid = 1;
  dut->s_axil_wstrb = 0xF;
  for (std::uint32_t i = 1; i <= 2; ++i) {
    dut->s_axil_wdata = i;
    while (true) {
      dut.Eval();
      const bool taken = dut->s_axil_awready && dut->s_axil_wready;
      bench.Tick();
      if (taken) break;
    }
  }
  dut->s_axil_awvalid = dut->s_axil_wvalid = 0;
  for (int i = 0; i < 10; ++i) bench.Tick();
  EXPECT_EQ(dut->s_axil_bvalid, 1);
  EXPECT_EQ(bench.Read(Register::kProgGranules), 1U) << "the second waits for its response's turn";
  dut->s_axil_bready = 1;
  int responses = 0;
  for (int i = 0; i < 3; ++i) {
    responses += dut->s_axil_bvalid;
    bench.Tick();
  }
  EXPECT_EQ(responses, 2) << "one after the other";
  EXPECT_EQ(dut->s_axil_bvalid, 0);
  EXPECT_EQ(bench.Read(Register::kProgGranules), 2U);
}

TEST(HostRun, StartResetsTheCoreRunsAndRaisesTheInterrupt) {
  HostBench bench;
  bench.script.done_after = 50;
  bench.Write(Register::kProgAddrLo, 0x12345640);
  bench.Write(Register::kProgAddrHi, 0x9A);
  bench.Write(Register::kProgGranules, 77);
  bench.resets = 0;
  bench.Start();
  EXPECT_EQ(bench.dut->prog_addr, 0x9A12345640U);
  EXPECT_EQ(bench.dut->prog_granules, 77U);
  EXPECT_EQ(bench.Status(), status::busy);
  EXPECT_EQ(bench.Read(Register::kControl), isa::bits::kControl_::irq_enable);
  EXPECT_EQ(bench.dut->irq, 0);
  ASSERT_TRUE(bench.UntilIdle());
  EXPECT_EQ(bench.starts, 1);
  EXPECT_EQ(bench.resets, kCoreResetCycles);
  EXPECT_EQ(bench.Status(), status::done | status::irq);
  EXPECT_EQ(bench.dut->irq, 1);
  // Only a 1 clears the interrupt, and only in its own register.
  bench.Write(Register::kProgGranules, 1);
  EXPECT_EQ(bench.dut->irq, 1);
  bench.Write(Register::kIrqClear, 0);
  EXPECT_EQ(bench.dut->irq, 1);
  bench.Write(Register::kIrqClear, 1);
  EXPECT_EQ(bench.dut->irq, 0);
  EXPECT_EQ(bench.Status(), status::done);
}

TEST(HostRun, PassesOnAnyProgramInsideTheAddressWidth) {
  HostBench bench;
  bench.script.done_after = 5;
  std::mt19937_64 rng(21);
  for (int run = 0; run < 20; ++run) {
    SCOPED_TRACE(run);
    const std::uint64_t address = rng() >> (run % 2 == 0 ? 24 : 0);
    const auto granules = static_cast<std::uint32_t>(rng());
    bench.Write(Register::kProgAddrLo, static_cast<std::uint32_t>(address));
    bench.Write(Register::kProgAddrHi, static_cast<std::uint32_t>(address >> 32));
    bench.Write(Register::kProgGranules, granules);
    bench.starts = 0;
    bench.Start();
    ASSERT_TRUE(bench.UntilIdle());
    if (address >> 40 != 0) {
      EXPECT_EQ(bench.starts, 0);
      bench.ExpectError(ErrorCode::kAddrRange, Unit::kFrontend, 0);
      continue;
    }
    EXPECT_EQ(bench.starts, 1);
    EXPECT_EQ(bench.Status(), status::done | status::irq);
    EXPECT_EQ(bench.dut->prog_addr, address);
    EXPECT_EQ(bench.dut->prog_granules, granules);
  }
}

TEST(HostRun, AStartWhileBusyIsIgnored) {
  HostBench bench;
  bench.script.done_after = 100;
  bench.Start();
  bench.Run(20);
  bench.Start();
  bench.Run(150);
  EXPECT_EQ(bench.starts, 1);
  EXPECT_EQ(bench.Status() & status::done, status::done);
}

TEST(HostRun, AStartNeedsItsStrobe) {
  HostBench bench;
  bench.Write(Register::kControl, 0xFFFFFFFF, 0xE);
  bench.Run(20);
  EXPECT_EQ(bench.starts, 0);
  EXPECT_EQ(bench.Read(Register::kControl), 0U);
}

TEST(HostRun, AStartClearsTheLastRun) {
  HostBench bench;
  bench.script.error_after = 5;
  bench.dut->error_code = static_cast<std::uint8_t>(ErrorCode::kUbRange);
  bench.dut->error_unit = static_cast<std::uint8_t>(Unit::kLoad);
  bench.dut->error_index = 3;
  bench.Start();
  ASSERT_TRUE(bench.UntilIdle());
  bench.script = {.done_after = 100};
  bench.Start();
  EXPECT_EQ(bench.Status(), status::busy);
  EXPECT_EQ(bench.dut->irq, 0);
  bench.ExpectError(ErrorCode::kNone, Unit::kFrontend, 0);
  ASSERT_TRUE(bench.UntilIdle());
  EXPECT_EQ(bench.Status(), status::done | status::irq);
  EXPECT_EQ(bench.dut->halt, 0);
}

TEST(HostRun, TheInterruptIsPendingEvenWhenDisabled) {
  HostBench bench;
  bench.irq_enable = 0;
  bench.script.done_after = 5;
  bench.Start();
  ASSERT_TRUE(bench.UntilIdle());
  EXPECT_EQ(bench.Status() & status::irq, status::irq);
  EXPECT_EQ(bench.dut->irq, 0);
  bench.Write(Register::kControl, isa::bits::kControl_::irq_enable);
  EXPECT_EQ(bench.dut->irq, 1);
}

TEST(HostErrors, StopWaitForTheBusAndReport) {
  HostBench bench;
  bench.script = {.error_after = 30, .drain = 60};
  bench.dut->error_code = static_cast<std::uint8_t>(ErrorCode::kBusRead);
  bench.dut->error_unit = static_cast<std::uint8_t>(Unit::kWeights);
  bench.dut->error_index = 0x12345;
  bench.Start();
  bench.Run(50);
  EXPECT_EQ(bench.dut->halt, 1);
  EXPECT_EQ(bench.dut->running, 0);
  EXPECT_EQ(bench.Status(), status::busy | status::stopping);
  EXPECT_EQ(bench.dut->irq, 0);
  ASSERT_TRUE(bench.UntilIdle());
  EXPECT_EQ(bench.Status(), status::error | status::irq);
  EXPECT_EQ(bench.dut->irq, 1);
  bench.ExpectError(ErrorCode::kBusRead, Unit::kWeights, 0x12345);
  bench.Run(50);
  EXPECT_EQ(bench.dut->halt, 1) << "the core stays halted until it is reset";
}

// Errors of the core and of the watchdog in turn, of any unit.
TEST(HostErrors, KeepTheirCodeUnitAndIndex) {
  HostBench bench;
  bench.Write(Register::kWatchdog, 10);
  std::mt19937_64 rng(22);
  for (int run = 0; run < 60; ++run) {
    SCOPED_TRACE(run);
    auto& dut = bench.dut;
    dut->error_code = static_cast<std::uint8_t>(rng() % 16);
    dut->error_unit = static_cast<std::uint8_t>(rng() % 8);
    dut->error_index = static_cast<std::uint32_t>(rng());
    dut->wait_valid = run % 3 == 1 ? 1 : 0;
    dut->wait_unit = static_cast<std::uint8_t>(rng() % 8);
    dut->wait_index = static_cast<std::uint32_t>(rng());
    dut->busy_unit = static_cast<std::uint8_t>(rng() % 8);
    dut->busy_index = static_cast<std::uint32_t>(rng());
    bench.script = {};
    if (run % 3 == 0) bench.script.error_after = 5;
    bench.script.progress = false;
    bench.Start();
    ASSERT_TRUE(bench.UntilIdle());
    EXPECT_EQ(bench.Status(), status::error | status::irq);
    switch (run % 3) {
      case 0:
        bench.ExpectError(static_cast<ErrorCode>(dut->error_code),
                          static_cast<Unit>(dut->error_unit), dut->error_index);
        break;
      case 1:
        bench.ExpectError(ErrorCode::kSemTimeout, static_cast<Unit>(dut->wait_unit),
                          dut->wait_index);
        break;
      default:
        bench.ExpectError(ErrorCode::kBusTimeout, static_cast<Unit>(dut->busy_unit),
                          dut->busy_index);
        break;
    }
  }
}

TEST(HostErrors, AnErrorGoesBeforeDone) {
  HostBench bench;
  bench.script = {.done_after = 30, .error_after = 30};
  bench.dut->error_code = static_cast<std::uint8_t>(ErrorCode::kBusWrite);
  bench.Start();
  ASSERT_TRUE(bench.UntilIdle());
  EXPECT_EQ(bench.Status(), status::error | status::irq);
}

TEST(HostErrors, AHaltHasTimeToTakeEffectBeforeTheBusCounts) {
  HostBench bench;
  bench.script = {.error_after = 10, .drain = 0};  // drained is high all the time
  bench.Start();
  int halted = 0;
  for (int i = 0; i < 60 && bench.dut->irq == 0; ++i) {
    bench.Cycle();
    halted += bench.dut->halt;
  }
  EXPECT_EQ(bench.dut->irq, 1);
  EXPECT_GE(halted, 3);
}

// The core is still being reset when the first of these writes arrives.
TEST(HostRun, KeepsItsProgramWhenTheNextOneIsWrittenBehindTheDoorbell) {
  HostBench bench;
  bench.script.done_after = 50;
  bench.Write(Register::kProgAddrLo, 0x1000);
  bench.Write(Register::kProgGranules, 5);
  bench.Start();
  bench.Write(Register::kProgAddrHi, 0x100);
  bench.Write(Register::kProgAddrLo, 0x2000);
  bench.Write(Register::kProgGranules, 9);
  EXPECT_EQ(bench.dut->prog_addr, 0x1000U);
  EXPECT_EQ(bench.dut->prog_granules, 5U);
  ASSERT_TRUE(bench.UntilIdle());
  EXPECT_EQ(bench.Status(), status::done | status::irq);
  EXPECT_EQ(bench.Read(Register::kProgAddrLo), 0x2000U);
}

TEST(HostErrors, AProgramBeyondTheAddressWidthDoesNotStart) {
  HostBench bench;
  bench.script.done_after = 0;
  bench.Write(Register::kProgAddrHi, 0x100);
  bench.Write(Register::kProgGranules, 1);
  bench.Start();
  ASSERT_TRUE(bench.UntilIdle());
  EXPECT_EQ(bench.starts, 0);
  EXPECT_EQ(bench.Status(), status::error | status::irq);
  bench.ExpectError(ErrorCode::kAddrRange, Unit::kFrontend, 0);
  bench.Write(Register::kProgAddrHi, 0xFF);
  bench.Start();
  ASSERT_TRUE(bench.UntilIdle());
  EXPECT_EQ(bench.starts, 1);
  EXPECT_EQ(bench.Status(), status::done | status::irq);
}

TEST(HostSoftReset, StopsDrainsAndClears) {
  HostBench bench;
  bench.script = {.drain = 80};
  bench.Start();
  bench.Run(30);
  bench.resets = 0;
  bench.SoftReset();
  EXPECT_EQ(bench.Status(), status::busy | status::stopping);
  EXPECT_EQ(bench.dut->halt, 1);
  EXPECT_EQ(bench.resets, 0) << "not before the bus has drained";
  ASSERT_TRUE(bench.UntilIdle());
  EXPECT_EQ(bench.resets, kCoreResetCycles);
  EXPECT_EQ(bench.Status(), 0U);
  EXPECT_EQ(bench.dut->irq, 0);
  EXPECT_EQ(bench.dut->halt, 0);
  bench.script = {.done_after = 10};
  bench.Start();
  ASSERT_TRUE(bench.UntilIdle());
  EXPECT_EQ(bench.Status(), status::done | status::irq);
}

TEST(HostSoftReset, ClearsAnError) {
  HostBench bench;
  bench.script = {.error_after = 3};
  bench.dut->error_code = static_cast<std::uint8_t>(ErrorCode::kLutRange);
  bench.Start();
  ASSERT_TRUE(bench.UntilIdle());
  bench.SoftReset();
  ASSERT_TRUE(bench.UntilIdle());
  EXPECT_EQ(bench.Status(), 0U);
  EXPECT_EQ(bench.dut->irq, 0);
  bench.ExpectError(ErrorCode::kNone, Unit::kFrontend, 0);
}

TEST(HostSoftReset, WorksInEveryCycleOfARun) {
  for (int when = 0; when < 60; ++when) {
    SCOPED_TRACE(when);
    HostBench bench;
    bench.script = {.done_after = 30};
    bench.Start();
    bench.Run(when);
    bench.SoftReset();
    ASSERT_TRUE(bench.UntilIdle());
    EXPECT_EQ(bench.Status(), 0U);
    bench.Start();
    ASSERT_TRUE(bench.UntilIdle());
    EXPECT_EQ(bench.Status(), status::done | status::irq);
  }
}

TEST(HostSoftReset, ADeadBusDelaysItByTheWatchdogOnly) {
  HostBench bench;
  bench.script = {.drain = 1000000, .progress = false};
  bench.Write(Register::kWatchdog, 200);
  bench.Start();
  bench.Run(20);
  bench.SoftReset();
  bench.Run(100);
  EXPECT_EQ(bench.Status() & status::stopping, status::stopping);
  bench.Run(150);
  EXPECT_EQ(bench.Status(), 0U);
}

TEST(HostWatchdog, NamesTheWaitingUnit) {
  HostBench bench;
  bench.script.progress = false;
  bench.Write(Register::kWatchdog, 100);
  bench.dut->wait_valid = 1;
  bench.dut->wait_unit = static_cast<std::uint8_t>(Unit::kVector);
  bench.dut->wait_index = 17;
  bench.dut->busy_unit = static_cast<std::uint8_t>(Unit::kLoad);
  bench.Start();
  ASSERT_TRUE(bench.UntilIdle());
  EXPECT_EQ(bench.Status(), status::error | status::irq);
  bench.ExpectError(ErrorCode::kSemTimeout, Unit::kVector, 17);
  // The second cycle after 100 without progress is the last.
  EXPECT_EQ(bench.ReadCounter(Counter::kCycles), 102U);
}

TEST(HostWatchdog, NamesTheBusyUnitWhenNobodyWaits) {
  HostBench bench;
  bench.script.progress = false;
  bench.Write(Register::kWatchdog, 1);
  bench.dut->busy_unit = static_cast<std::uint8_t>(Unit::kStore);
  bench.dut->busy_index = 5;
  bench.Start();
  ASSERT_TRUE(bench.UntilIdle());
  bench.ExpectError(ErrorCode::kBusTimeout, Unit::kStore, 5);
}

TEST(HostWatchdog, ProgressHoldsItOff) {
  HostBench bench;
  bench.script = {.done_after = 3000};
  bench.Write(Register::kWatchdog, 50);
  bench.Start();
  for (int i = 0; i < 3100; ++i) {
    bench.script.progress = i % 45 == 0;
    bench.Cycle();
  }
  EXPECT_EQ(bench.Status(), status::done | status::irq);
}

TEST(HostWatchdog, ZeroDisablesIt) {
  HostBench bench;
  bench.script = {.done_after = 5000, .progress = false};
  bench.Write(Register::kWatchdog, 0);
  bench.Start();
  bench.Run(5100);
  EXPECT_EQ(bench.Status(), status::done | status::irq);
}

TEST(HostCounters, CountTheirEventsFromStartToDone) {
  HostBench bench;
  std::mt19937_64 rng(11);
  for (int run = 0; run < 3; ++run) {
    bench.script.done_after = 100 + 50 * static_cast<std::uint64_t>(run);
    std::array<std::uint64_t, isa::kNumCounters> expected{};
    bool ran = false;
    bench.Start();
    for (int i = 0; i < 400; ++i) {
      // Any of what makes an event (tpu_events says which).
      bench.dut->queued = static_cast<std::uint8_t>(rng() % 32);
      bench.dut->waiting = static_cast<std::uint8_t>(rng() % 32);
      bench.dut->wait_class = static_cast<std::uint16_t>(rng() % 1024);
      bench.dut->inflight = static_cast<std::uint8_t>(rng() % 32);
      bench.dut->done = static_cast<std::uint8_t>(rng() % 32);
      for (std::uint8_t* const signal :
           {&bench.dut->mm_active, &bench.dut->mm_pad, &bench.dut->mm_wait_weights,
            &bench.dut->mm_weight_shift, &bench.dut->vx_active, &bench.dut->vx_stall_port,
            &bench.dut->vx_stall_operand, &bench.dut->vx_stall_output, &bench.dut->fe_beat,
            &bench.dut->ld_beat, &bench.dut->wt_beat, &bench.dut->st_beat}) {
        *signal = rng() % 4 == 0 ? 1 : 0;
      }
      bench.dut.Eval();
      // The events are those of the cycle before.
      if (ran) {
        for (std::size_t c = 0; c < expected.size(); ++c) expected[c] += bench.dut->events >> c & 1;
      }
      ran = bench.dut->running != 0;
      bench.Cycle();
    }
    // From the cycle after start to the one that shows program_done.
    EXPECT_EQ(expected[0], *bench.script.done_after + 1);
    for (std::size_t c = 0; c < expected.size(); ++c) {
      EXPECT_EQ(bench.ReadCounter(static_cast<Counter>(c)), expected[c]) << isa::kCounterNames[c];
    }
  }
}

// Every counter in any order and at any time, at the pace of the bus.
TEST(HostCounters, AreExactWhileTheyAreRead) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    HostBench bench(seed);
    std::mt19937_64 rng(seed);
    bench.script.done_after = 12000;
    bench.dut->ld_beat = bench.dut->st_beat = 1;
    bench.Start();
    const std::uint64_t before = bench.ReadCounter(Counter::kCycles);
    for (int i = 0; i < 200; ++i) {
      // The same one again and again, now and then: it is in the pipeline still.
      const auto counter = rng() % 3 == 0 ? Counter::kStoreBeats : Counter::kLoadBeats;
      const std::uint64_t first = bench.ReadCounter(counter);
      const std::uint64_t second = bench.ReadCounter(counter);
      ASSERT_GT(second, first);
      ASSERT_LE(second - first, 24U);
    }
    ASSERT_GT(bench.ReadCounter(Counter::kCycles), before);
    ASSERT_TRUE(bench.UntilIdle(20000));
    // From the cycle after start to the one that shows program_done.
    for (const Counter counter : {Counter::kCycles, Counter::kLoadBeats, Counter::kStoreBeats}) {
      EXPECT_EQ(bench.ReadCounter(counter), *bench.script.done_after + 1);
    }
  }
}

TEST(HostCounters, CanBeReadWhileRunning) {
  HostBench bench;
  bench.script.done_after = 100000;
  bench.Start();
  const std::uint64_t first = bench.ReadCounter(Counter::kCycles);
  bench.Run(1000);
  const std::uint64_t second = bench.ReadCounter(Counter::kCycles);
  EXPECT_GE(second - first, 1000U);
  EXPECT_LE(second - first, 1020U);
}

}  // namespace
}  // namespace tpu
