// SPDX-License-Identifier: Apache-2.0
#include "compiler/cost/estimate_cycles.h"

#include <vector>

#include "isa/instruction.h"
#include "timing/estimate.h"

namespace tpu::compiler {

timing::Cycle EstimateCycles(const SequentialProgram& program, const isa::HardwareConfig& config) {
  std::vector<isa::Instruction> instructions;
  instructions.reserve(program.size());
  for (const SequentialInstruction& instruction : program) {
    instructions.push_back(instruction.instruction);
  }
  // Where the program lies makes a difference of a few cycles to its first instructions.
  return timing::EstimateProgram(instructions, 0, config).cycles;
}

}  // namespace tpu::compiler
