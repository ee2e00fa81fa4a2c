// SPDX-License-Identifier: Apache-2.0
// Registers, interrupt, bus errors and timeouts of a whole machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "devices/golden/golden_device.h"
#include "devices/rtl/machines.h"
#include "runtime/config.h"
#include "runtime/session.h"
#include "tests/system/machines.h"
#include "tests/system/program.h"

namespace tpu::system_test {
namespace {

using isa::Register;
using runtime::ReadRegister;
using runtime::Session;
using runtime::WriteRegister;

class SystemDeviceTest : public testing::TestWithParam<Machine> {};
class SystemRtlTest : public testing::TestWithParam<Machine> {};

INSTANTIATE_TEST_SUITE_P(, SystemDeviceTest, testing::ValuesIn(AllMachines()),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(, SystemRtlTest, testing::ValuesIn(RtlMachines()),
                         testing::PrintToStringParamName());

std::uint32_t Status(runtime::Device& device) { return ReadRegister(device, Register::kStatus); }

void ExpectCopied(runtime::Device& device, std::uint32_t n) {
  std::vector<std::uint8_t> target(std::size_t{8} * n);
  device.ReadMemory(kTargetAddress, target);
  for (std::size_t i = 0; i < target.size(); ++i) ASSERT_EQ(target[i], SourceByte(i)) << i;
}

/// Each kind does what it says it is able to, which a user finds out by asking the device.
TEST(DeviceKinds, HaveTheAbilitiesThatTheyName) {
  const devices::Machine n4 = devices::kSmallN4;
  const DeviceKind rtl = devices::RtlKind({{n4}});
  const DeviceKind golden = devices::GoldenKind();
  ASSERT_EQ(rtl.machines.size(), 1U);
  EXPECT_EQ(rtl.machines[0].config, n4.config);
  EXPECT_TRUE(golden.machines.empty());
  for (const DeviceKind& kind : {rtl, golden}) {
    SCOPED_TRACE(kind.name);
    const auto device = kind.make(n4.config, {});
    EXPECT_EQ(runtime::ReadConfig(*device), n4.config);
    EXPECT_EQ(dynamic_cast<runtime::Tracing*>(device.get()) != nullptr, kind.abilities.trace);
    EXPECT_EQ(dynamic_cast<devices::RtlDevice*>(device.get()) != nullptr, kind.abilities.faults);
    const executable::Executable executable = CopyProgram(n4.config);
    Session session(*device, executable);
    EXPECT_EQ(session.Run().cycles != 0, kind.abilities.time);
  }
}

/// One program for each of two devices of different kinds: either works in its own memory.
TEST_P(SystemDeviceTest, WorksBesideAnotherDevice) {
  executable::Executable executable = CopyProgram(GetParam().config);
  executable::DeviceProgram second = ProgramOf(executable);
  second.device = 1;
  executable.steps.emplace_back(second);
  for (std::size_t i = executable.segments.size(); i-- > 0;) {
    executable.segments.push_back(executable.segments[i]);
    executable.segments.back().device = 1;
  }
  // The other device copies other bytes.
  for (std::uint8_t& byte : executable.segments[2].bytes) byte ^= 0xFF;
  const auto device = MakeDevice(GetParam());
  devices::GoldenDevice golden(GetParam().config);
  Session(std::array<Device*, 2>{device.get(), &golden}, executable).Run();
  ExpectCopied(*device, GetParam().config.n);
  std::vector<std::uint8_t> target(std::size_t{8} * GetParam().config.n);
  golden.ReadMemory(kTargetAddress, target);
  for (std::size_t i = 0; i < target.size(); ++i) ASSERT_EQ(target[i], SourceByte(i) ^ 0xFF) << i;
}

TEST_P(SystemDeviceTest, TellsItsConfiguration) {
  const auto device = MakeDevice(GetParam());
  EXPECT_EQ(runtime::ReadConfig(*device), GetParam().config);
}

TEST_P(SystemDeviceTest, RegistersKeepWhatIsWrittenAndReadOnlyOnesDoNot) {
  const auto device = MakeDevice(GetParam());
  EXPECT_EQ(ReadRegister(*device, Register::kWatchdog), 1'000'000U);
  EXPECT_EQ(Status(*device), 0U);
  for (const Register reg : {Register::kProgAddrLo, Register::kProgAddrHi, Register::kProgGranules,
                             Register::kWatchdog}) {
    const std::uint32_t value = 0xA5C30040U + static_cast<std::uint32_t>(reg);
    WriteRegister(*device, reg, value);
    EXPECT_EQ(ReadRegister(*device, reg), value) << static_cast<std::uint32_t>(reg);
  }
  for (const Register reg : {Register::kId, Register::kStatus, Register::kConfigN}) {
    const std::uint32_t before = ReadRegister(*device, reg);
    WriteRegister(*device, reg, ~before);
    EXPECT_EQ(ReadRegister(*device, reg), before) << static_cast<std::uint32_t>(reg);
  }
}

TEST_P(SystemDeviceTest, RaisesTheInterruptOnlyWhenEnabledAndUntilCleared) {
  namespace status = isa::bits::kStatus_;
  namespace control = isa::bits::kControl_;
  const auto device = MakeDevice(GetParam());
  const executable::Executable executable = CopyProgram(GetParam().config);
  Prepare(*device, executable);

  WriteRegister(*device, Register::kControl, control::start);
  EXPECT_FALSE(device->WaitForInterrupt(5000));
  EXPECT_EQ(Status(*device), status::done | status::irq);
  ExpectCopied(*device, GetParam().config.n);
  WriteRegister(*device, Register::kIrqClear, 1);
  EXPECT_EQ(Status(*device), status::done);

  WriteRegister(*device, Register::kControl, control::start | control::irq_enable);
  EXPECT_TRUE(device->WaitForInterrupt(5000));
  EXPECT_EQ(ReadRegister(*device, Register::kControl), control::irq_enable);
  WriteRegister(*device, Register::kIrqClear, 1);
  EXPECT_FALSE(device->WaitForInterrupt(10));
}

TEST_P(SystemDeviceTest, AnEmptyProgramIsDoneAtOnce) {
  const auto device = MakeDevice(GetParam());
  executable::Executable executable = CopyProgram(GetParam().config);
  ProgramOf(executable).granules = 0;
  Session session(*device, executable);
  const runtime::RunReport report = session.Run({.max_cycles = 100});
  EXPECT_EQ(runtime::ArrayCycles(report.counters), report.cycles);
}

TEST_P(SystemDeviceTest, ASoftResetOfAnIdleMachineChangesNothing) {
  const auto device = MakeDevice(GetParam());
  const executable::Executable executable = CopyProgram(GetParam().config);
  Prepare(*device, executable);
  runtime::SoftReset(*device);
  EXPECT_EQ(Status(*device), 0U);
  EXPECT_EQ(ReadRegister(*device, Register::kProgAddrLo), kProgramAddress);
  Session session(*device, executable);
  session.Run({.max_cycles = 5000});
  ExpectCopied(*device, GetParam().config.n);
}

TEST_P(SystemRtlTest, CountsWhatTheCopyProgramDoes) {
  using isa::Counter;
  const auto device = MakeRtl(GetParam());
  const executable::Executable executable = CopyProgram(GetParam().config);
  Session session(*device, executable);
  const runtime::RunReport report = session.Run({.max_cycles = 5000});
  const isa::HardwareConfig& config = GetParam().config;
  const std::uint64_t bytes = std::uint64_t{8} * config.n;
  const std::uint64_t beat = config.axi_data_width / 8;
  EXPECT_EQ(runtime::Count(report.counters, Counter::kFetchBeats), 2 * 64 / beat);
  EXPECT_EQ(runtime::Count(report.counters, Counter::kLoadBeats), (bytes + beat - 1) / beat);
  EXPECT_EQ(runtime::Count(report.counters, Counter::kStoreBeats), (bytes + beat - 1) / beat);
  EXPECT_EQ(runtime::Count(report.counters, Counter::kLoadRetired), 1U);
  EXPECT_EQ(runtime::Count(report.counters, Counter::kStoreRetired), 1U);
  EXPECT_EQ(runtime::Count(report.counters, Counter::kWeightsRetired), 0U);
  EXPECT_EQ(runtime::Count(report.counters, Counter::kMatmulRetired), 0U);
  EXPECT_EQ(runtime::Count(report.counters, Counter::kVectorRetired), 0U);
  EXPECT_EQ(runtime::Count(report.counters, Counter::kArrayNoWork), report.cycles);
  EXPECT_EQ(runtime::ArrayCycles(report.counters), report.cycles);
  EXPECT_GT(report.cycles, 3U * 64);  // Fetch, load and store each wait for the memory once.
}

/// Runs the copy program, which must stop with `code` in `unit` at instruction `index`, then again
/// without the fault.
void ExpectBusError(devices::RtlDevice& device, const isa::HardwareConfig& config,
                    isa::ErrorCode code, isa::Unit unit, std::uint32_t index) {
  const executable::Executable executable = CopyProgram(config);
  Session session(device, executable);
  const runtime::RunOptions options = {.max_cycles = 20'000, .watchdog = 2000};
  try {
    session.Run(options);
    ADD_FAILURE() << "the program ended without an error";
  } catch (const runtime::DeviceError& error) {
    EXPECT_EQ(isa::Name(error.code()), isa::Name(code));
    EXPECT_EQ(isa::Name(error.unit()), isa::Name(unit));
    EXPECT_EQ(error.index(), index);
  }
  runtime::SoftReset(device);
  session.Run(options);
  ExpectCopied(device, config.n);
}

// An unobserved machine leaves out evaluations whose results only an observer would see.
TEST_P(SystemRtlTest, TakesTheSameCyclesObservedAndUnobserved) {
  const executable::Executable executable = CopyProgram(GetParam().config);
  for (const std::optional<std::uint64_t> stall_seed : {std::optional<std::uint64_t>{}, {7}}) {
    std::vector<runtime::RunReport> reports;
    for (const bool observed : {true, false}) {
      const auto device =
          GetParam().make_rtl({.stall_seed = stall_seed, .check_protocol = observed});
      Session session(*device, executable);
      reports.push_back(session.Run({.max_cycles = 5000}));
      ExpectCopied(*device, GetParam().config.n);
    }
    EXPECT_EQ(reports[0].cycles, reports[1].cycles);
    EXPECT_EQ(reports[0].counters, reports[1].counters);
  }
}

TEST_P(SystemRtlTest, ReportsReadErrorsOfEveryBeatAndRecovers) {
  const isa::HardwareConfig& config = GetParam().config;
  const std::uint64_t beat_bytes = config.axi_data_width / 8;
  const std::uint64_t fetch_beats = 2 * 64 / beat_bytes;
  const std::uint64_t load_beats = (std::uint64_t{8} * config.n + beat_bytes - 1) / beat_bytes;
  for (const auto response : {tb::AxiResponse::kSlaveError, tb::AxiResponse::kDecodeError}) {
    for (std::uint64_t beat = 0; beat < fetch_beats; ++beat) {
      SCOPED_TRACE(fmt::format("fetch beat {}", beat));
      const auto device = MakeRtl(GetParam());
      device->FailReadBeat(beat, response);
      ExpectBusError(*device, config, isa::ErrorCode::kBusRead, isa::Unit::kFrontend,
                     static_cast<std::uint32_t>(beat * beat_bytes / 64));
    }
    for (const std::uint64_t beat : {std::uint64_t{0}, load_beats - 1}) {
      SCOPED_TRACE(fmt::format("load beat {}", beat));
      const auto device = MakeRtl(GetParam());
      device->FailReadBeat(fetch_beats + beat, response);
      ExpectBusError(*device, config, isa::ErrorCode::kBusRead, isa::Unit::kLoad, 0);
    }
  }
}

TEST_P(SystemRtlTest, ReportsWriteErrorsAndRecovers) {
  for (const auto response : {tb::AxiResponse::kSlaveError, tb::AxiResponse::kDecodeError}) {
    const auto device = MakeRtl(GetParam());
    device->FailWriteResponse(0, response);
    ExpectBusError(*device, GetParam().config, isa::ErrorCode::kBusWrite, isa::Unit::kStore, 1);
  }
}

TEST_P(SystemRtlTest, NamesTheUnitThatADeadMemoryBlocks) {
  const auto device = MakeRtl(GetParam());
  const executable::Executable executable = CopyProgram(GetParam().config);
  Session session(*device, executable);
  device->StopAnswering(true);
  try {
    session.Run({.max_cycles = 20'000, .watchdog = 500});
    ADD_FAILURE() << "the program ended without an error";
  } catch (const runtime::DeviceError& error) {
    EXPECT_EQ(isa::Name(error.code()), "BUS_TIMEOUT");
    EXPECT_EQ(isa::Name(error.unit()), "frontend");
  }
}

// A LOAD or WEIGHTS whose beats never come, a MATMUL that nobody gives weights.
TEST_P(SystemRtlTest, AStartIsProgressForTheWatchdog) {
  constexpr std::uint32_t kWatchdog = 300;
  const isa::HardwareConfig& config = GetParam().config;
  const std::pair<isa::Unit, isa::Instruction> starts[] = {
      {isa::Unit::kLoad, LoadRows(1, config.n)},
      {isa::Unit::kWeights, OneTile()},
      {isa::Unit::kMatmul, MultiplyRows(1, config.n)},
  };
  for (const auto& [unit, instruction] : starts) {
    SCOPED_TRACE(isa::Name(unit));
    const auto device = MakeRtl(GetParam());
    runtime::InstructionTrace trace;
    device->TraceInstructions(&trace);
    Prepare(*device, MakeExecutable(config, {instruction}));
    WriteRegister(*device, Register::kWatchdog, kWatchdog);
    WriteRegister(*device, Register::kControl, isa::bits::kControl_::start);
    const auto index = static_cast<std::size_t>(unit);
    const auto started = [&] {
      return !trace.empty() && !trace.back().units[index].started.empty();
    };
    for (int i = 0; i < 1000 && !started(); ++i) device->Advance(1);
    ASSERT_TRUE(started());
    device->StopAnswering(true);
    device->Advance(2 * kWatchdog);
    // The watchdog sees a cycle's progress two cycles later; the second cycle after so many without
    // is the last.
    EXPECT_EQ(trace.back().cycles, trace.back().units[index].started.back() + kWatchdog + 4);
  }
}

TEST_P(SystemRtlTest, ASoftResetStopsARunningProgram) {
  const isa::HardwareConfig& config = GetParam().config;
  for (const std::uint64_t cycles : {1U, 20U, 80U, 150U, 230U}) {
    SCOPED_TRACE(fmt::format("reset after {} cycles", cycles));
    const auto device = MakeRtl(GetParam());
    const executable::Executable executable = CopyProgram(config);
    Prepare(*device, executable);
    WriteRegister(*device, Register::kControl, isa::bits::kControl_::start);
    device->Advance(cycles);
    runtime::SoftReset(*device);
    EXPECT_EQ(Status(*device) & isa::bits::kStatus_::error, 0U);
    Session session(*device, executable);
    session.Run({.max_cycles = 5000});
    ExpectCopied(*device, config.n);
  }
}

}  // namespace
}  // namespace tpu::system_test
