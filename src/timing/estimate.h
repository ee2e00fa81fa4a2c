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

/// What lies behind the machine's AXI port; it serves one burst after the other, a beat in each
/// cycle.
struct Memory {
  Cycle latency = kMemoryLatency;
};

struct Estimate {
  std::vector<Cycle> started;    ///< By instruction.
  std::vector<Cycle> completed;  ///< By instruction.
  Cycle cycles = 0;              ///< From start to done.
};

/// How what reads the unified buffer is worked out: in as large steps as possible, or, slowly,
/// cycle by cycle. Both give the same estimate.
enum class Pace : std::uint8_t { kFast, kCycleByCycle };

/// `address` is where the program lies in memory. The program must be one that ends (docs/isa.md,
/// 2); throws tpu::Error if it does not.
Estimate EstimateProgram(std::span<const isa::Instruction> program, std::uint64_t address,
                         const isa::HardwareConfig& config, const Memory& memory = {},
                         Pace pace = Pace::kFast);

}  // namespace tpu::timing
