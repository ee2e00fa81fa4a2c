// SPDX-License-Identifier: Apache-2.0
// How long a program takes on the machine, without running it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/hardware_config.h"
#include "isa/instruction.h"
#include "timing/cycle.h"

namespace tpu::timing {

/// The memory behind the machine's AXI port. The memory serves one burst after the other, one beat
/// in each cycle.
struct Memory {
  Cycle latency = kMemoryLatency;
};

struct Estimate {
  std::vector<Cycle> started;    ///< By instruction.
  std::vector<Cycle> completed;  ///< By instruction.
  Cycle cycles = 0;              ///< From start to done.
};

/// The steps in which the model works out who reads the unified buffer: as many cycles at once as
/// possible, or, slowly, one cycle at a time. Both give the same estimate.
enum class Pace : std::uint8_t { kFast, kCycleByCycle };

/// `address` is the program's address in memory. Throws tpu::Error if the program does not end
/// (docs/isa.md, 2).
Estimate EstimateProgram(std::span<const isa::Instruction> program, std::uint64_t address,
                         const isa::HardwareConfig& config, const Memory& memory = {},
                         Pace pace = Pace::kFast);

}  // namespace tpu::timing
