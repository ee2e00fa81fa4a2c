// SPDX-License-Identifier: Apache-2.0
#include "compiler/cost/estimate_cycles.h"

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "compiler/cost/duration.h"
#include "isa/encoding.h"
#include "isa/instruction.h"
#include "timing/estimate.h"

namespace tpu::compiler {
namespace {

using timing::Cycle;

bool NeedsBf16(const SequentialProgram& program) {
  return std::any_of(program.begin(), program.end(), [](const auto& instruction) {
    return isa::NeedForBf16(instruction.instruction).has_value();
  });
}

// Units that take their durations and wait for nothing but semaphores, and products for weights.
class Units {
 public:
  explicit Units(const isa::HardwareConfig& config) : config_(config) {}

  void Run(const isa::Instruction& instruction) {
    const isa::Semaphores& semaphores = isa::SemaphoresOf(instruction);
    const isa::Unit unit = isa::UnitOf(isa::OpcodeOf(instruction));
    const Cycle start = std::max(FreeAt(unit), LastPost(semaphores.wait));
    const Duration duration = DurationOf(instruction, config_);
    FreeAt(unit) = start + duration.busy;
    if (unit == isa::Unit::kWeights) {
      FreeAt(isa::Unit::kMatmul) = std::max(FreeAt(isa::Unit::kMatmul), start);
    }
    const Cycle done = start + duration.busy + duration.latency;
    for (unsigned s = 0; s < isa::kNumSemaphores; ++s) {
      if ((semaphores.post >> s & 1) != 0) posts_.at(s).push_back(done);
    }
    end_ = std::max(end_, done);
  }
  [[nodiscard]] Cycle End() const { return end_; }

 private:
  Cycle& FreeAt(isa::Unit unit) { return free_at_.at(static_cast<std::size_t>(unit)); }

  // Takes a post of each of the semaphores.
  Cycle LastPost(std::uint32_t semaphores) {
    Cycle last = 0;
    for (unsigned s = 0; s < isa::kNumSemaphores; ++s) {
      if ((semaphores >> s & 1) == 0) continue;
      last = std::max(last, posts_.at(s).front());
      posts_.at(s).pop_front();
    }
    return last;
  }

  const isa::HardwareConfig& config_;
  std::array<Cycle, isa::kNumUnits> free_at_{};
  std::array<std::deque<Cycle>, isa::kNumSemaphores> posts_;
  Cycle end_ = 0;
};

}  // namespace

timing::Cycle EstimateCycles(const SequentialProgram& program, const isa::HardwareConfig& config) {
  if (config.bf16 != 0 && NeedsBf16(program)) {
    Units units(config);
    for (const SequentialInstruction& instruction : program) units.Run(instruction.instruction);
    return units.End();
  }
  std::vector<isa::Instruction> instructions;
  instructions.reserve(program.size());
  for (const SequentialInstruction& instruction : program) {
    instructions.push_back(instruction.instruction);
  }
  // Where the program lies makes a difference of a few cycles to its first instructions.
  return timing::EstimateProgram(instructions, 0, config).cycles;
}

}  // namespace tpu::compiler
