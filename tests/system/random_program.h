// Legal programs with random fields.
#pragma once

#include <cstdint>

#include "isa/executable.h"
#include "isa/hardware_config.h"

namespace tpu::system_test {

/// Fills all on-chip memories, runs `count` random MATMUL, VECTOR, LOAD and STORE instructions,
/// each after the one before, and stores the unified buffer. Every field that an instruction has
/// takes many values, also combinations no compiler makes.
isa::Executable RandomProgram(const isa::HardwareConfig& config, int count, std::uint64_t seed);

}  // namespace tpu::system_test
