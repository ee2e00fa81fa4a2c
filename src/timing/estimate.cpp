// SPDX-License-Identifier: Apache-2.0
#include "timing/estimate.h"

#include "timing/machine.h"

namespace tpu::timing {

Estimate EstimateProgram(std::span<const isa::Instruction> program, std::uint64_t address,
                         const isa::HardwareConfig& config, const Memory& memory, Pace pace) {
  return Machine(program, address, config, memory, pace).Run();
}

}  // namespace tpu::timing
