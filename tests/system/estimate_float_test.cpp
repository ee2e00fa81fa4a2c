// SPDX-License-Identifier: Apache-2.0
// The timing model says exactly how many cycles programs take on the RTL of machines with bf16 and
// int16: compiled models of float32, and random instructions of all formats, each of which starts
// and completes in the cycle that the model says.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "asm/assembler.h"
#include "compiler/compile.h"
#include "devices/rtl/machines.h"
#include "frontends/tflite/import.h"
#include "frontends/tflite/parse.h"
#include "runtime/session.h"
#include "tests/seeds.h"
#include "tests/system/crowded_program.h"
#include "tests/system/program.h"
#include "timing/estimate.h"
#include "tools/tpu/estimated_cycles.h"

namespace tpu::system_test {
namespace {

const runtime::RunOptions kOptions = {.max_cycles = 10'000'000, .watchdog = 100'000};

// A machine, and cycles from request to answer: at once nearly, as the bench's memory, far away.
struct Trial {
  devices::Machine machine;
  unsigned latency = 0;
};

std::ostream& operator<<(std::ostream& out, const Trial& trial) {
  return out << trial.machine.name << " latency " << trial.latency;
}

class FloatEstimateOnRtl : public testing::TestWithParam<Trial> {};

TEST_P(FloatEstimateOnRtl, IsExactForCompiledModels) {
  const auto& [machine, latency] = GetParam();
  const std::filesystem::path folder =
      std::filesystem::path(TPU_SOURCE_DIR) / "models" / "float_vectors";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".tflite") continue;
    SCOPED_TRACE(entry.path().stem().string());
    const executable::Executable executable =
        compiler::Compile(tflite::Import(tflite::Load(entry.path())), machine.config);
    const auto device = machine.make({.memory_latency = latency});
    // The inputs are zeros: cycles do not depend on numbers.
    runtime::Session session(*device, executable);
    const runtime::RunReport report = session.Run(kOptions);
    EXPECT_EQ(tools::EstimateCycles(executable, report.course, {.latency = latency}).cycles,
              report.cycles);
  }
}

class EstimateOfFormatsOnRtl : public testing::TestWithParam<Trial> {};

TEST_P(EstimateOfFormatsOnRtl, IsExactForEveryInstruction) {
  const auto& [machine, latency] = GetParam();
  for (const unsigned seed : Seeds(60)) {
    SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
    const std::vector<isa::Instruction> program = MakeCrowdedProgram(machine.config, seed);
    const executable::Executable executable = MakeExecutable(machine.config, program);
    const auto device = machine.make({.memory_latency = latency});
    runtime::InstructionTrace trace;
    device->TraceInstructions(&trace);
    runtime::Session(*device, executable).Run(kOptions);
    const timing::Estimate estimate =
        timing::EstimateProgram(program, kProgramAddress, machine.config, {.latency = latency});
    EXPECT_EQ(estimate.cycles, trace.at(0).cycles);
    std::array<std::size_t, isa::kNumUnits> next{};
    for (std::size_t i = 0; i < program.size(); ++i) {
      const auto unit = static_cast<std::size_t>(isa::UnitOf(isa::OpcodeOf(program[i])));
      const std::size_t k = next.at(unit)++;
      const runtime::UnitTrace& actual = trace[0].units.at(unit);
      ASSERT_EQ(estimate.started[i], actual.started.at(k))
          << "start of " << assembly::Disassemble(program[i]);
      ASSERT_EQ(estimate.completed[i], actual.completed.at(k))
          << "end of " << assembly::Disassemble(program[i]);
    }
  }
}

std::string NameOf(const testing::TestParamInfo<Trial>& info) {
  std::string name(info.param.machine.name);
  std::ranges::replace(name, '-', '_');
  return fmt::format("{}_latency_{}", name, info.param.latency);
}

INSTANTIATE_TEST_SUITE_P(, FloatEstimateOnRtl,
                         testing::Values(Trial{devices::kSmallN8Bf16, 4},
                                         Trial{devices::kSmallN8Bf16, 64},
                                         Trial{devices::kN16Bf16, 64},
                                         Trial{devices::kN16Bf16, 200}),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(, EstimateOfFormatsOnRtl,
                         testing::Values(Trial{devices::kSmallN8Bf16, 4},
                                         Trial{devices::kSmallN8Bf16, 64},
                                         Trial{devices::kN16Bf16, 64},
                                         Trial{devices::kN16Bf16, 200}, Trial{devices::kSmallN4, 4},
                                         Trial{devices::kN16, 64}, Trial{devices::kN16, 200}),
                         NameOf);

}  // namespace
}  // namespace tpu::system_test
