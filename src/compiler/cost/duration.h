// SPDX-License-Identifier: Apache-2.0
// Time that an instruction by itself keeps its unit busy: what a scheduler can know before
// semaphores are set.
#pragma once

#include "isa/hardware_config.h"
#include "isa/instruction.h"
#include "timing/cycle.h"

namespace tpu::compiler {

struct Duration {
  timing::Cycle busy = 0;     ///< Cycles until the unit can take the next instruction.
  timing::Cycle latency = 0;  ///< Cycles from then until the result is visible.
};

Duration DurationOf(const isa::Instruction& instruction, const isa::HardwareConfig& config,
                    timing::Cycle memory_latency = timing::kMemoryLatency);

}  // namespace tpu::compiler
