// SPDX-License-Identifier: Apache-2.0
// Why a unit waits, as the counters tell it, and whom a timeout names.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/config.h"
#include "runtime/session.h"
#include "tests/system/machines.h"
#include "tests/system/program.h"

namespace tpu::system_test {
namespace {

using isa::Counter;

class SystemStallTest : public testing::TestWithParam<Machine> {
 protected:
  [[nodiscard]] const isa::HardwareConfig& config() const { return GetParam().config; }
  [[nodiscard]] runtime::Counters Run(const std::vector<isa::Instruction>& program) const {
    const auto device = MakeRtl(GetParam());
    const executable::Executable executable = MakeExecutable(config(), program);
    return runtime::Session(*device, executable).Run({.max_cycles = 20'000}).counters;
  }
};

INSTANTIATE_TEST_SUITE_P(, SystemStallTest, testing::ValuesIn(RtlMachines()),
                         testing::PrintToStringParamName());

// A product whose activations come late, by the class of the semaphore that it waits for.
TEST_P(SystemStallTest, TheArrayWaitsForTheClassOfItsSemaphore) {
  constexpr Counter kClasses[] = {Counter::kArrayWaitInput, Counter::kArrayWaitDependence,
                                  Counter::kArrayWaitSpace};
  constexpr std::uint32_t kClassSize = 8;
  for (std::size_t of_class = 0; of_class < std::size(kClasses); ++of_class) {
    SCOPED_TRACE(isa::kCounterNames[static_cast<std::size_t>(kClasses[of_class])]);
    const std::uint32_t semaphore = 1U << (kClassSize * of_class);
    const runtime::Counters counters =
        Run({OneTile(), LoadRows(200, config().n, {.wait = 0, .post = semaphore}),
             MultiplyRows(2, config().n, {.wait = semaphore, .post = 0})});
    for (const Counter counter : kClasses) {
      if (counter == kClasses[of_class]) {
        EXPECT_GT(runtime::Count(counters, counter), 200U);
      } else {
        EXPECT_EQ(runtime::Count(counters, counter), 0U);
      }
    }
  }
}

// Both units read the same bank in each cycle; the array goes first.
TEST_P(SystemStallTest, TheVectorUnitWaitsForItsPort) {
  constexpr std::uint32_t kRows = 40;
  constexpr std::uint32_t kBanks = 4;
  isa::Matmul matmul = MultiplyRows(kRows, config().n, {.wait = kInput, .post = 0});
  matmul.s_ow = 0;
  isa::Vector vector = CopyRows(isa::VectorSource::kUnifiedBuffer, kRows, 1,
                                {.wait = kResult | kParameter, .post = 0});
  vector.a_ow = vector.o_ow = 0;
  vector.a_row = kBanks;
  const runtime::Counters counters = Run(
      {LoadZeroParameters(config().n, {.wait = 0, .post = kParameter}), OneTile(),
       LoadRows(2 * kBanks, config().n, {.wait = 0, .post = kInput | kResult}), matmul, vector});
  EXPECT_GT(runtime::Count(counters, Counter::kVectorStallPort), 0U);
  EXPECT_EQ(runtime::Count(counters, Counter::kVectorActive), kRows);
}

// The first row of the second operand is some cycles away when the first one's is at hand.
TEST_P(SystemStallTest, TheVectorUnitWaitsForItsOperand) {
  isa::Vector vector =
      CopyRows(isa::VectorSource::kUnifiedBuffer, 4, 8, {.wait = kInput | kParameter, .post = 0});
  vector.map = isa::VectorMap::kMaximum;
  const runtime::Counters counters =
      Run({LoadZeroParameters(config().n, {.wait = 0, .post = kParameter}),
           LoadRows(8, config().n, {.wait = 0, .post = kInput}), vector});
  EXPECT_GT(runtime::Count(counters, Counter::kVectorStallOperand), 0U);
}

// The lanes hold two instructions; the third one waits for the end of the first.
TEST_P(SystemStallTest, TheVectorUnitWaitsForItsLanes) {
  std::vector<isa::Instruction> program = {
      LoadZeroParameters(config().n, {.wait = 0, .post = kParameter}),
      CopyRows(isa::VectorSource::kUnifiedBuffer, 1, 8, {.wait = kParameter, .post = 0})};
  for (std::uint32_t i = 0; i < 4; ++i) {
    program.emplace_back(CopyRows(isa::VectorSource::kUnifiedBuffer, 1, 9 + i));
  }
  EXPECT_GT(runtime::Count(Run(program), Counter::kVectorStallOutput), 0U);
}

// The bus is silent from the moment at which the second WEIGHTS has been started.
TEST_P(SystemStallTest, ATimeoutNamesTheBusyUnitAndItsInstruction) {
  const auto device = MakeRtl(GetParam());
  runtime::InstructionTrace trace;
  device->TraceInstructions(&trace);
  isa::Weights late = OneTile();
  late.semaphores.wait = kInput;
  const executable::Executable executable = MakeExecutable(
      config(), {LoadRows(100, config().n, {.wait = 0, .post = kInput}), OneTile(), late});
  const auto index = static_cast<std::size_t>(isa::Unit::kWeights);
  const auto started = [&] {
    return !trace.empty() && trace.back().units[index].started.size() == 2;
  };
  Prepare(*device, executable);
  runtime::WriteRegister(*device, isa::Register::kWatchdog, 300);
  runtime::WriteRegister(*device, isa::Register::kControl, isa::bits::kControl_::start);
  for (int i = 0; i < 1000 && !started(); ++i) device->Advance(1);
  ASSERT_TRUE(started());
  device->StopAnswering(true);
  device->Advance(1500);
  EXPECT_EQ(runtime::ReadRegister(*device, isa::Register::kErrorIndex), 2U);
  const std::uint32_t error = runtime::ReadRegister(*device, isa::Register::kError);
  EXPECT_EQ(error & 0xFF, static_cast<std::uint32_t>(isa::ErrorCode::kBusTimeout));
  EXPECT_EQ(error >> 8, static_cast<std::uint32_t>(isa::Unit::kWeights));
}

}  // namespace
}  // namespace tpu::system_test
