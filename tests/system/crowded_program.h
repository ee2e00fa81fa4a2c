// SPDX-License-Identifier: Apache-2.0
// Random programs in which all units of a machine get into each other's way, in all formats that
// the machine has. What they compute means nothing: units race for rows of the unified buffer. Only
// their cycles are looked at.
//
// Without bf16 the timing model does not know that a row of the accumulators waits while the same
// half is added to. There MATMUL has the lower half, and the vector unit the upper one.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/hardware_config.h"
#include "isa/instruction.h"

namespace tpu::system_test {

/// A program that ends without an error, in the memory of tests/system/program.h.
std::vector<isa::Instruction> MakeCrowdedProgram(const isa::HardwareConfig& config,
                                                 std::uint64_t seed);

}  // namespace tpu::system_test
