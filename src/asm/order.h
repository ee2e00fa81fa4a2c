// SPDX-License-Identifier: Apache-2.0
// What semaphores promise about the order of instructions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "asm/finding.h"
#include "isa/instruction.h"

namespace tpu::assembly {

/// Index for arrays by unit.
inline std::size_t UnitIndex(const isa::Instruction& instruction) {
  return static_cast<std::size_t>(isa::UnitOf(isa::OpcodeOf(instruction)));
}

/// Per unit, how many of its instructions, from the first, have certainly completed.
using Clock = std::array<std::uint32_t, isa::kNumUnits>;

struct Order {
  /// Position of each instruction among those of its unit, from 1.
  std::vector<std::uint32_t> ordinal;
  /// What has completed when each instruction starts: instruction i has, if
  /// at_start[j][unit of i] >= ordinal[i]. Instructions of a unit complete in order.
  std::vector<Clock> at_start;
  /// Program index by unit and ordinal - 1.
  std::array<std::vector<std::size_t>, isa::kNumUnits> index_of;
};

/// Matches the k-th wait for each semaphore with its k-th post and propagates what each wait
/// implies. Adds findings for waits without an earlier post, and for semaphores posted or waited
/// for by two units.
Order FindOrder(std::span<const isa::Instruction> program, std::vector<Finding>& findings);

}  // namespace tpu::assembly
