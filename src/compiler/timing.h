// Estimated time that an instruction keeps its unit busy.
#pragma once

#include "isa/hardware_config.h"
#include "isa/instruction.h"

namespace tpu::compiler {

struct Duration {
  double busy = 0;     ///< Cycles until the unit can take the next instruction.
  double latency = 0;  ///< Cycles from then until the result is visible.
};

Duration EstimateDuration(const isa::Instruction& instruction, const isa::HardwareConfig& config);

}  // namespace tpu::compiler
