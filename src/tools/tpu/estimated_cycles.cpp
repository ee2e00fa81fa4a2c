// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/estimated_cycles.h"

#include <cstddef>
#include <variant>

#include "executable/executable_file.h"
#include "isa/registers.h"
#include "profile/layer_use.h"

namespace tpu::tools {
namespace {

// In the form of a simulator's trace in which nothing but cycles is counted.
runtime::ProgramTrace EstimateTrace(std::span<const isa::Instruction> instructions,
                                    const executable::DeviceProgram& program,
                                    const isa::HardwareConfig& config,
                                    const timing::Memory& memory) {
  const timing::Estimate estimate =
      timing::EstimateProgram(instructions, program.address, config, memory);
  runtime::ProgramTrace trace;
  trace.cycles = estimate.cycles;
  trace.events = {{.events = 1U << static_cast<unsigned>(isa::Counter::kCycles),
                   .cycles = static_cast<std::uint32_t>(estimate.cycles)}};
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    runtime::UnitTrace& unit =
        trace.units.at(static_cast<std::size_t>(isa::UnitOf(isa::OpcodeOf(instructions[i]))));
    unit.started.push_back(estimate.started[i]);
    unit.completed.push_back(estimate.completed[i]);
  }
  return trace;
}

}  // namespace

CycleEstimate EstimateCycles(const executable::Executable& executable,
                             const runtime::Course& course, const timing::Memory& memory) {
  const std::vector<std::vector<isa::Instruction>> programs = executable::Programs(executable);
  const auto steps = executable.DevicePrograms();
  runtime::InstructionTrace once;  // Of each program.
  for (std::size_t i = 0; i < programs.size(); ++i) {
    once.push_back(EstimateTrace(programs[i], *steps[i], executable.config, memory));
  }
  CycleEstimate estimate;
  runtime::InstructionTrace trace;
  for (const std::uint32_t program : course.programs) {
    trace.push_back(once[program]);
    estimate.cycles += once[program].cycles;
  }
  for (const profile::Use& use : profile::LayerUse(executable, programs, course, trace)) {
    estimate.layers.push_back(runtime::Count(use.counters, isa::Counter::kCycles));
  }
  return estimate;
}

}  // namespace tpu::tools
