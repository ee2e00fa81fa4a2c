// SPDX-License-Identifier: Apache-2.0
#include "profile/measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "profile/report.h"
#include "tests/runtime/fake_device.h"

namespace tpu::runtime {
namespace {

using testing::ElementsAre;

/// A device that fills traces, and notes whether somebody still waits for one.
class TracingDevice final : public FakeDevice, public Tracing {
 public:
  using FakeDevice::FakeDevice;
  void TraceInstructions(InstructionTrace* wanted) override {
    trace = wanted;
    asked = asked || wanted != nullptr;
    if (wanted != nullptr) {
      wanted->emplace_back().cycles = 7;
      wanted->back().events = {{0, 7}};
    }
  }

  InstructionTrace* trace = nullptr;
  bool asked = false;
};

/// Its memory is its output, the first bytes of which are its input. The program has no
/// instructions.
executable::Executable InputIsOutput() {
  executable::Executable executable;
  executable.segments = {{64, std::vector<std::uint8_t>(64)}};
  executable.steps = {executable::DeviceProgram{.address = 64}};
  executable.memory_bytes = 128;
  executable.inputs = {{"x", 0, {2}}};
  executable.outputs = {{"y", 0, {1, 3}}};
  executable.layers = {{"stem", "conv", 1000}};
  return executable;
}

TEST(Runner, RunsOnceAfterTheOtherWithOneLoading) {
  const executable::Executable executable = InputIsOutput();
  FakeDevice device(executable.config);
  device.SetCounter(isa::Counter::kCycles, 12);
  profile::Runner runner(device, executable);
  device.memory[2] = 9;
  const profile::Measurement first = runner.Run(BytesOf({{{1, -2}}}));
  EXPECT_EQ(first.report.cycles, 12U);
  EXPECT_EQ(first.report.macs, 1000U);
  EXPECT_THAT(first.outputs, ElementsAre(ElementsAre(1, 254, 9)));
  EXPECT_TRUE(first.trace.empty());
  EXPECT_TRUE(first.layers.empty());
  EXPECT_THAT(runner.Run(BytesOf({{{3, 4}}})).outputs, ElementsAre(ElementsAre(3, 4, 9)));
}

TEST(Runner, CountsTheTimeOfPrograms) {
  static constexpr std::chrono::milliseconds kWait(2);
  /// Takes its time.
  class SlowDevice final : public FakeDevice {
   public:
    using FakeDevice::FakeDevice;
    bool WaitForInterrupt(std::uint64_t max_cycles) override {
      std::this_thread::sleep_for(kWait);
      return FakeDevice::WaitForInterrupt(max_cycles);
    }
  };
  const executable::Executable executable = InputIsOutput();
  SlowDevice device(executable.config);
  device.SetCounter(isa::Counter::kCycles, 12);
  const RunReport report = profile::Runner(device, executable).Run(BytesOf({{{0, 0}}})).report;
  EXPECT_GE(report.seconds, std::chrono::duration<double>(kWait).count());
  EXPECT_EQ(profile::CyclesPerSecond(report), 12 / report.seconds);
  EXPECT_EQ(profile::CyclesPerSecond({}), 0);
}

TEST(Runner, ReportsProgress) {
  const executable::Executable executable = InputIsOutput();
  FakeDevice device(executable.config);
  device.cycles_to_end = 150'000;
  std::vector<std::uint64_t> seen;
  profile::Runner(device, executable)
      .Run(BytesOf({{{0, 0}}}),
           {.progress = [&seen](std::uint64_t cycles) { seen.push_back(cycles); }});
  EXPECT_THAT(seen, ElementsAre(100'000));
}

TEST(Runner, TracesWhereThatIsWantedAndNoLongerThanTheRun) {
  const executable::Executable executable = InputIsOutput();
  TracingDevice device(executable.config);
  profile::Runner runner(device, executable);
  runner.Run(BytesOf({{{0, 0}}}));
  EXPECT_FALSE(device.asked);
  const profile::Measurement traced = runner.Run(BytesOf({{{0, 0}}}), {.trace = true});
  ASSERT_EQ(traced.trace.size(), 1U);
  EXPECT_EQ(traced.trace[0].cycles, 7U);
  EXPECT_EQ(traced.layers.size(), 1U);
  EXPECT_EQ(device.trace, nullptr);
}

TEST(Runner, StopsTheTraceOfARunThatFails) {
  const executable::Executable executable = InputIsOutput();
  TracingDevice device(executable.config);
  device.Set(isa::Register::kStatus, isa::bits::kStatus_::error);
  profile::Runner runner(device, executable);
  EXPECT_THROW(runner.Run(BytesOf({{{0, 0}}}), {.trace = true}), DeviceError);
  EXPECT_TRUE(device.asked);
  EXPECT_EQ(device.trace, nullptr);
}

TEST(Faults, NameTheFirstDifferingElement) {
  executable::Executable executable;
  executable.outputs = {{"y", 0, {2, 3}}, {"z", 8, {2, 2, 2}}};
  const std::vector<Bytes> expected = {{1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6, 7, 8}};
  EXPECT_EQ(profile::OutputFault(executable, expected, expected), std::nullopt);
  std::vector<Bytes> actual = expected;
  actual[1][6] = static_cast<std::uint8_t>(-7);
  EXPECT_EQ(profile::OutputFault(executable, expected, actual),
            "output z[1,1,0]: got -7, expected 7");
  actual[0][4] = 0;
  EXPECT_EQ(profile::OutputFault(executable, expected, actual), "output y[1,1]: got 0, expected 5");
}

TEST(Faults, AreCountersThatDoNotSum) {
  RunReport report;
  report.cycles = 10;
  report.counters[static_cast<std::size_t>(isa::Counter::kArrayActive)] = 10;
  EXPECT_EQ(profile::CounterFault(report), std::nullopt);
  report.counters[static_cast<std::size_t>(isa::Counter::kArrayNoWork)] = 1;
  EXPECT_EQ(profile::CounterFault(report), "the array's counters sum to 11 of 10 cycles");
}

}  // namespace
}  // namespace tpu::runtime
