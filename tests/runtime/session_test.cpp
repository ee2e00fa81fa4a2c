// SPDX-License-Identifier: Apache-2.0
// Sessions against a device whose answers are chosen here.
#include "runtime/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <span>
#include <vector>

#include "isa/encoding.h"
#include "profile/report.h"
#include "runtime/config.h"
#include "tests/runtime/fake_device.h"

namespace tpu::runtime {
namespace {

using isa::Register;
using testing::ElementsAre;
using testing::HasSubstr;

/// What `action` throws as tpu::Error, or "" when it does not throw.
template <typename Action>
std::string ErrorOf(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

executable::Executable SmallExecutable() {
  executable::Executable executable;
  executable.segments = {{64, {1, 2, 3}}, {200, {9}}};
  executable.steps = {executable::DeviceProgram{.address = 0x1'0000'0040, .granules = 3}};
  executable.memory_bytes = 256;
  executable.inputs = {{"x", 128, {1, 4}}};
  executable.outputs = {{"y", 160, {2, 2}}};
  executable.layers = {{"stem", "conv", 1000}, {"head", "fc", 24}};
  executable.layer_of_instruction = {0, 1, 1};
  return executable;
}

TEST(Config, ReadsEveryParameter) {
  const isa::HardwareConfig config{.n = 8,
                                   .ub_rows = 512,
                                   .acc_rows = 64,
                                   .param_rows = 32,
                                   .lut_tables = 7,
                                   .fifo_tiles = 2,
                                   .axi_data_width = 64,
                                   .axi_addr_width = 33,
                                   .ub_banks = 5,
                                   .window = 0,
                                   .requant_lanes = 2,
                                   .bf16 = 1};
  FakeDevice device(config);
  EXPECT_EQ(ReadConfig(device), config);
}

TEST(Config, RejectsOtherDevicesNamingWhatWasFound) {
  FakeDevice device({});
  device.Set(Register::kVersion, 0x00020003);
  EXPECT_THAT(ErrorOf([&] { ReadConfig(device); }), HasSubstr("version 2.3"));
  device.Set(Register::kVersion, 0x00010000);  // Its window registers read as zero.
  EXPECT_THAT(ErrorOf([&] { ReadConfig(device); }), HasSubstr("version 1.0"));
  device.Set(Register::kVersion, 0x00010001);  // So does CONFIG_BF16.
  EXPECT_THAT(ErrorOf([&] { ReadConfig(device); }), HasSubstr("version 1.1"));
  device.Set(Register::kId, 0xDEADBEEF);
  EXPECT_THAT(ErrorOf([&] { ReadConfig(device); }), HasSubstr("0xdeadbeef"));
}

TEST(Config, SoftResetWaitsUntilTheMachineIsIdle) {
  FakeDevice device({});
  SoftReset(device);
  EXPECT_EQ(device.Get(Register::kControl), isa::bits::kControl_::soft_reset);
  device.Set(Register::kStatus, isa::bits::kStatus_::stopping);
  EXPECT_THAT(ErrorOf([&] { SoftReset(device); }), HasSubstr("still busy"));
}

TEST(Session, RejectsAProgramForAnotherMachineNamingTheParameter) {
  const executable::Executable executable = SmallExecutable();
  isa::HardwareConfig other;
  other.acc_rows = 128;
  FakeDevice device(other);
  EXPECT_THAT(ErrorOf([&] { Session session(device, executable); }),
              HasSubstr("ACC_ROWS = 2048 but the device has 128"));
}

TEST(Session, PlacesSegmentsInputsAndProgram) {
  const executable::Executable executable = SmallExecutable();
  FakeDevice device({});
  Session session(device, executable);
  const std::vector<std::int8_t> x = {-1, 2, -3, 4};
  session.SetInput("x", x);
  session.Run({.watchdog = 77});
  ASSERT_EQ(device.memory.size(), 256U);
  EXPECT_THAT(std::span(device.memory).subspan(64, 3), ElementsAre(1, 2, 3));
  EXPECT_EQ(device.memory[200], 9);
  EXPECT_THAT(std::span(device.memory).subspan(128, 4), ElementsAre(0xFF, 2, 0xFD, 4));
  EXPECT_EQ(device.Get(Register::kProgAddrLo), 0x40U);
  EXPECT_EQ(device.Get(Register::kProgAddrHi), 1U);
  EXPECT_EQ(device.Get(Register::kProgGranules), 3U);
  EXPECT_EQ(device.Get(Register::kWatchdog), 77U);
  EXPECT_EQ(device.Get(Register::kControl),
            isa::bits::kControl_::start | isa::bits::kControl_::irq_enable);
}

TEST(Session, ReadsOutputs) {
  const executable::Executable executable = SmallExecutable();
  FakeDevice device({});
  Session session(device, executable);
  device.WriteMemory(160, std::vector<std::uint8_t>{0x80, 0x7F, 0, 0xFF});
  EXPECT_THAT(session.Output("y"), ElementsAre(-128, 127, 0, -1));
}

TEST(Session, NamesTensorsThatDoNotFit) {
  const executable::Executable executable = SmallExecutable();
  FakeDevice device({});
  Session session(device, executable);
  EXPECT_THAT(ErrorOf([&] { session.SetInput("z", {}); }), HasSubstr("no input named z"));
  EXPECT_THAT(ErrorOf([&] { static_cast<void>(session.Output("x")); }),
              HasSubstr("no output named x; it has: y"));
  EXPECT_THAT(ErrorOf([&] { session.SetInput("x", std::vector<std::int8_t>(3)); }),
              HasSubstr("input x takes 4 values, got 3"));
}

TEST(Session, TakesOtherTypesThanInt8AsBytesOnly) {
  executable::Executable executable = SmallExecutable();
  executable.inputs[0].type = ElementType::kInt16;
  executable.outputs[0].type = ElementType::kUint8;
  FakeDevice device({});
  Session session(device, executable);
  EXPECT_THAT(ErrorOf([&] { session.SetInput("x", std::vector<std::int8_t>(8)); }),
              HasSubstr("input x is int16, not int8"));
  EXPECT_THAT(ErrorOf([&] { static_cast<void>(session.Output("y")); }),
              HasSubstr("output y is uint8, not int8"));
  session.SetInputBytes(0, std::vector<std::uint8_t>(8));
  EXPECT_EQ(session.OutputBytes(0).size(), 4U);
}

TEST(Session, ReportsProgressAndGivesUp) {
  const executable::Executable executable = SmallExecutable();
  FakeDevice device({});
  Session session(device, executable);
  std::vector<std::uint64_t> progress;
  RunOptions options;
  options.progress = [&](std::uint64_t cycles) { progress.push_back(cycles); };
  options.progress_interval = 100;
  device.cycles_to_end = 250;
  session.Run(options);
  EXPECT_THAT(progress, ElementsAre(100, 200));
  options.max_cycles = 120;
  device.cycles_to_end = 250;
  EXPECT_THAT(ErrorOf([&] { session.Run(options); }), HasSubstr("120 cycles"));
}

TEST(Session, NamesUnitInstructionAndLayerOfAnError) {
  const executable::Executable executable = SmallExecutable();
  FakeDevice device({});
  Session session(device, executable);
  device.Set(Register::kStatus, isa::bits::kStatus_::error);
  device.Set(Register::kError, 5U | 4U << 8);
  device.Set(Register::kErrorIndex, 2);
  try {
    session.Run();
    FAIL() << "no error";
  } catch (const DeviceError& error) {
    EXPECT_EQ(error.code(), isa::ErrorCode::kParamRange);
    EXPECT_EQ(error.unit(), isa::Unit::kVector);
    EXPECT_EQ(error.index(), 2U);
    EXPECT_EQ(error.layer(), "head");
    EXPECT_STREQ(error.what(),
                 "the device stopped with PARAM_RANGE in the vector unit at instruction 2 of layer "
                 "head");
  }
}

/// A program on the first device, then the host, which carries a tensor to the second device, then
/// a program there.
executable::Executable ExecutableOfTwo() {
  executable::Executable executable = SmallExecutable();
  executable.segments[1].device = 1;
  executable.steps.emplace_back(executable::HostCall{
      .attributes = host_operators::Quantize{},
      .inputs = {{.name = "t", .address = 128, .shape = {1, 4}, .device = 0}},
      .outputs = {{.name = "u", .address = 100, .shape = {1, 4}, .device = 1}}});
  executable.steps.emplace_back(executable::DeviceProgram{
      .address = 0x80, .granules = 7, .first_instruction = 1, .device = 1});
  executable.outputs[0].device = 1;
  return executable;
}

// The state's values move on with each run, but not before the outputs of the last run are read.
TEST(Session, CarriesStatesFromRunToRun) {
  executable::Executable executable = SmallExecutable();
  executable.states = {
      {.before = {"before", 100, {2}}, .after = {"after", 110, {2}}, .initial = {7, 8}}};
  FakeDevice device({});
  Session session(device, executable);
  const auto before = [&] { return std::span(device.memory).subspan(100, 2); };
  const auto set_after = [&](std::uint8_t a, std::uint8_t b) {
    device.memory[110] = a;
    device.memory[111] = b;
  };
  const auto run = [&] {
    device.cycles_to_end = 1;
    session.Run();
  };
  set_after(1, 2);
  run();
  EXPECT_THAT(before(), ElementsAre(7, 8));
  set_after(3, 4);  // Too late for the run behind, which takes what the run has left.
  run();
  EXPECT_THAT(before(), ElementsAre(1, 2));
  run();
  EXPECT_THAT(before(), ElementsAre(3, 4));
  session.ResetStates();
  run();
  EXPECT_THAT(before(), ElementsAre(7, 8));
}

executable::TensorBinding Number(std::uint64_t address) {
  return {.name = "number", .address = address, .type = ElementType::kInt32};
}

executable::TensorBinding Bool(std::uint64_t address) {
  return {.name = "bool", .address = address, .type = ElementType::kBool};
}

executable::HostCall AddTo(std::uint64_t sum, std::uint64_t summand) {
  return {.attributes = host_operators::Binary{.operation = host_operators::BinaryOperation::kAdd},
          .inputs = {Number(sum), Number(summand)},
          .outputs = {Number(sum)}};
}

/// If the bool at 0: adds the number at 4 to that at 8, else the one at 12. Then, while the number
/// at 8 is less than that at 16, runs the device and adds the number at 4.
executable::Executable ExecutableThatDecides() {
  executable::Executable executable = SmallExecutable();
  executable.layers = {{.name = "op0", .op = "IF", .host = true},
                       {.name = "op1", .op = "WHILE", .host = true},
                       {.name = "op1/body/op0", .op = "CONV_2D", .macs = 10},
                       {.name = "op2", .op = "CONV_2D", .macs = 7}};
  executable.segments = {{64, isa::EncodeProgram(std::vector<isa::Instruction>{isa::Matmul{}})}};
  executable.layer_of_instruction = {2, 3};
  executable.steps = {
      executable::Branch{.condition = Bool(0), .then_steps = 1, .else_steps = 1},
      AddTo(8, 4),
      AddTo(8, 12),
      executable::Loop{.condition = Bool(1), .layer = 1, .condition_steps = 1, .body_steps = 2},
      executable::HostCall{
          .attributes = host_operators::Comparison{.relation = host_operators::Relation::kLess},
          .inputs = {Number(8), Number(16)},
          .outputs = {Bool(1)}},
      executable::DeviceProgram{.address = 64, .granules = 1},
      AddTo(8, 4),
      executable::DeviceProgram{.address = 64, .granules = 1, .first_instruction = 1}};
  return executable;
}

/// Runs with these numbers at 0, 4, 8, 12 and 16; gives the number at 8.
std::uint8_t RunDecisions(const executable::Executable& executable,
                          const std::vector<std::uint8_t>& numbers, RunReport& report,
                          const RunOptions& options = {}) {
  FakeDevice device({});
  Session session(device, executable);
  device.cycles_to_end = 1;
  for (std::size_t i = 0; i < numbers.size(); ++i) device.memory[4 * i] = numbers[i];
  report = session.Run(options);
  return device.memory[8];
}

TEST(Session, TakesABranch) {
  const executable::Executable executable = ExecutableThatDecides();
  RunReport report;
  EXPECT_EQ(RunDecisions(executable, {1, 2, 10, 30, 0}, report), 12);
  EXPECT_EQ(RunDecisions(executable, {0, 2, 10, 30, 0}, report), 40);
  EXPECT_THAT(report.course.programs, ElementsAre(1));
}

TEST(Session, LoopsAsLongAsTheConditionHolds) {
  const executable::Executable executable = ExecutableThatDecides();
  RunReport report;
  EXPECT_EQ(RunDecisions(executable, {0, 5, 0, 0, 0}, report), 0);
  EXPECT_THAT(report.course.layer_macs, ElementsAre(0, 0, 0, 7));
  EXPECT_EQ(RunDecisions(executable, {0, 5, 0, 0, 11}, report), 15);
  EXPECT_THAT(report.course.programs, ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(report.course.layer_macs, ElementsAre(0, 0, 30, 7));
  EXPECT_EQ(report.macs, 37U);
}

TEST(Session, GivesUpALoopThatDoesNotEnd) {
  const executable::Executable executable = ExecutableThatDecides();
  RunReport report;
  const auto run = [&](std::uint64_t most) {
    RunDecisions(executable, {0, 5, 0, 0, 11}, report, {.max_iterations = most});
  };
  EXPECT_EQ(ErrorOf([&] { run(3); }), "");
  EXPECT_EQ(ErrorOf([&] { run(2); }), "op1 (WHILE) did not end within 2 iterations");
}

TEST(Session, RunsStepsOnTheirDevices) {
  const executable::Executable executable = ExecutableOfTwo();
  EXPECT_EQ(executable.Devices(), 2U);
  FakeDevice first({});
  FakeDevice second({});
  FakeDevice spare({});
  first.SetCounter(isa::Counter::kCycles, 10);
  second.SetCounter(isa::Counter::kCycles, 300);
  Session session(std::array<Device*, 3>{&first, &second, &spare}, executable);
  EXPECT_TRUE(spare.memory.empty());
  EXPECT_THAT(std::span(first.memory).subspan(64, 3), ElementsAre(1, 2, 3));
  EXPECT_EQ(first.memory[200], 0);
  EXPECT_EQ(second.memory[64], 0);
  EXPECT_EQ(second.memory[200], 9);
  session.SetInput("x", std::vector<std::int8_t>{1, 2, 3, 4});
  EXPECT_EQ(first.memory[128], 1);
  EXPECT_EQ(second.memory[128], 0);
  EXPECT_EQ(session.Run().cycles, 310U);
  EXPECT_EQ(first.Get(Register::kProgGranules), 3U);
  EXPECT_EQ(second.Get(Register::kProgGranules), 7U);
  EXPECT_THAT(std::span(second.memory).subspan(100, 4), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(first.memory[100], 0);
  second.memory[160] = 5;
  EXPECT_EQ(session.Output("y").at(0), 5);
}

TEST(Session, RefusesDevicesThatDoNotDo) {
  const executable::Executable executable = ExecutableOfTwo();
  FakeDevice first({});
  EXPECT_EQ(ErrorOf([&] { Session session(first, executable); }),
            "the program needs 2 devices, there is 1");
  EXPECT_EQ(ErrorOf([&] { Session session(std::span<Device* const>(), SmallExecutable()); }),
            "the program needs 1 device, there are 0");
  EXPECT_EQ(ErrorOf([&] {
              Session session(std::array<Device*, 2>{&first, &first}, executable);
            }),
            "devices 0 and 1 of the session are the same");
  FakeDevice other({.acc_rows = 128});
  EXPECT_THAT(ErrorOf([&] {
                Session session(std::array<Device*, 2>{&first, &other}, executable);
              }),
              HasSubstr("device 1: the program was compiled for ACC_ROWS = 2048"));
  executable::Executable most = SmallExecutable();
  most.inputs[0].device = ~0U;
  EXPECT_EQ(ErrorOf([&] { Session session(first, most); }),
            "the program needs 4294967296 devices, there is 1");
}

TEST(Session, NamesTheDeviceOfAnError) {
  const executable::Executable executable = ExecutableOfTwo();
  FakeDevice first({});
  FakeDevice second({});
  Session session(std::array<Device*, 2>{&first, &second}, executable);
  second.Set(Register::kStatus, isa::bits::kStatus_::error);
  second.Set(Register::kError, 5U | 4U << 8);
  EXPECT_THAT(ErrorOf([&] { session.Run(); }), HasSubstr("device 1 stopped with PARAM_RANGE"));
}

TEST(Report, DerivesItsFiguresFromTheCounters) {
  const executable::Executable executable = SmallExecutable();
  FakeDevice device({});
  const std::uint64_t cycles = (1ULL << 32) + 8;
  device.SetCounter(isa::Counter::kCycles, cycles);
  device.SetCounter(isa::Counter::kArrayActive, 5);
  device.SetCounter(isa::Counter::kArrayNoWork, 7);
  device.SetCounter(isa::Counter::kArrayPadRows, 1000);
  device.SetCounter(isa::Counter::kFetchBeats, 1);
  device.SetCounter(isa::Counter::kStoreBeats, 2);
  Session session(device, executable);
  const RunReport report = session.Run();
  EXPECT_EQ(report.cycles, cycles);
  EXPECT_EQ(ArrayCycles(report.counters), 12U);
  const isa::HardwareConfig config;
  const nlohmann::ordered_json json = profile::ToJson(config, report);
  EXPECT_EQ(json["macs"], 1024U);
  EXPECT_EQ(json["peak_macs_per_cycle"], 256U);
  EXPECT_DOUBLE_EQ(json["utilization"], 1024.0 / (256.0 * static_cast<double>(cycles)));
  EXPECT_EQ(json["dram_bytes"], 48U);
  EXPECT_EQ(json["counters"]["array_pad_rows"], 1000U);
  EXPECT_EQ(json["counters"].size(), isa::kNumCounters);
  EXPECT_EQ(json["config"]["acc_rows"], 2048U);
}

}  // namespace
}  // namespace tpu::runtime
