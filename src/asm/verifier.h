// SPDX-License-Identifier: Apache-2.0
// Checks what docs/isa.md demands of programs: sections 2 (semaphores, weight FIFO), 3 (addresses)
// and 8 (order).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "asm/finding.h"
#include "isa/hardware_config.h"
#include "isa/instruction.h"

namespace tpu::assembly {

struct VerifyOptions {
  std::uint64_t memory_bytes = 0;  ///< The program may use memory bytes 0 .. memory_bytes-1.
  /// Where the program lies in memory, to check that it does not overwrite itself.
  std::optional<std::uint64_t> program_address;
  std::size_t max_findings = 100;  ///< Stop after so many.
};

/// The findings in order of their index; none if the program is correct. Two accesses conflict when
/// both touch a place and at least one writes it; of each instruction, each memory and each kind of
/// conflict with a unit only one place is reported.
std::vector<Finding> Verify(std::span<const isa::Instruction> program,
                            const isa::HardwareConfig& config, const VerifyOptions& options);

/// "instruction 7 (vector), with instruction 5 (load): message".
std::string ToString(const Finding& finding, std::span<const isa::Instruction> program);

}  // namespace tpu::assembly
