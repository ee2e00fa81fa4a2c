// SPDX-License-Identifier: Apache-2.0
// Random programs in which all units of a machine with bf16 get into each other's way. What they
// compute means nothing: units race for rows of the unified buffer. Only their cycles are looked
// at.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/hardware_config.h"
#include "isa/instruction.h"

namespace tpu::system_test {

/// A program that ends without an error, in the memory of tests/system/program.h.
std::vector<isa::Instruction> MakeFloatProgram(const isa::HardwareConfig& config,
                                               std::uint64_t seed);

}  // namespace tpu::system_test
