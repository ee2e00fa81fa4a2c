// SPDX-License-Identifier: Apache-2.0
// The timing model's large steps lead where single cycles lead.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "tests/seeds.h"
#include "tests/system/crowded_program.h"
#include "tests/system/random_program.h"
#include "timing/estimate.h"

namespace tpu::timing {
namespace {

struct Trial {
  isa::HardwareConfig config;
  Memory memory;
  std::vector<isa::Instruction> program;
};

Trial RandomTrial(unsigned seed) {
  std::mt19937 rng(seed);
  const auto one_of = [&rng](const auto& values) { return values[rng() % values.size()]; };
  Trial trial;
  trial.config.n = one_of(std::array{4U, 8U, 16U});
  trial.config.axi_data_width = one_of(std::array{64U, 128U});
  trial.config.ub_rows = 512;
  trial.config.acc_rows = 64;
  trial.config.param_rows = 16;
  trial.config.window = rng() % 4 == 0 ? 0 : 1;
  trial.config.requant_lanes = one_of(std::array{1U, 1U, 2U, 4U});
  trial.memory.latency = one_of(std::array<Cycle, 4>{1, 16, 64, 250});
  const int instructions = 20 + static_cast<int>(rng() % 180);
  trial.program = system_test::MakeRandomProgram(trial.config, instructions, rng()).body;
  return trial;
}

// The same machine with bf16, int16 or both, and all units in each other's way.
Trial CrowdedTrial(unsigned seed) {
  Trial trial = RandomTrial(seed);
  trial.config.bf16 = seed % 3 == 0 ? 0 : 1;
  trial.config.int16 = seed % 3 == 1 ? 0 : 1;
  trial.config.ub_rows = 1024;
  trial.config.acc_rows = 128;
  trial.program = system_test::MakeCrowdedProgram(trial.config, seed);
  return trial;
}

void ExpectSamePace(const Trial& trial) {
  const Estimate fast = EstimateProgram(trial.program, 0, trial.config, trial.memory);
  const Estimate slow =
      EstimateProgram(trial.program, 0, trial.config, trial.memory, Pace::kCycleByCycle);
  ASSERT_EQ(fast.started, slow.started);
  ASSERT_EQ(fast.completed, slow.completed);
  ASSERT_EQ(fast.cycles, slow.cycles);
}

TEST(Estimate, TakesLargeStepsAsItTakesSingleCycles) {
  for (const unsigned seed : Seeds(1000)) {
    SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
    ExpectSamePace(RandomTrial(seed));
    ExpectSamePace(CrowdedTrial(seed));
  }
}

}  // namespace
}  // namespace tpu::timing
