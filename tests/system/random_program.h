// SPDX-License-Identifier: Apache-2.0
// Legal programs with random instructions in which all units run at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "executable/executable.h"
#include "isa/hardware_config.h"
#include "isa/instruction.h"

namespace tpu::system_test {

struct RandomProgram {
  isa::HardwareConfig config;
  std::uint64_t memory_seed = 0;  ///< Of the bytes that it loads.
  std::vector<isa::Instruction> body;
};

/// `count` random instructions, ordered by semaphores only where they conflict, and the WEIGHTS
/// that they need, up to four ahead. Throws tpu::Error when the verifier objects to it.
RandomProgram MakeRandomProgram(const isa::HardwareConfig& config, int count, std::uint64_t seed);

/// What the verifier says, and whether the body writes memory that it must not; empty: legal.
std::string WhyIllegal(const RandomProgram& program);

/// Three programs: one fills all on-chip memories, the body runs, and a third one brings all that
/// they hold to memory: unified buffer and accumulators as they are, lookup tables and parameters
/// by what they make of given bytes.
executable::Executable ToExecutable(const RandomProgram& program);

}  // namespace tpu::system_test
