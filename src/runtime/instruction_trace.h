// When instructions ran, as a simulator can see it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/instruction.h"

namespace tpu::runtime {

/// Cycles are counted as Counter::kCycles does: the first of a run is 1. Element k belongs to the
/// unit's k-th instruction in program order, since each unit starts and completes in order.
struct UnitTrace {
  std::vector<std::uint64_t> started;
  std::vector<std::uint64_t> completed;
};

/// One run of one device program.
struct ProgramTrace {
  std::array<UnitTrace, static_cast<std::size_t>(isa::Unit::kStore) + 1> units;  ///< By isa::Unit.
  std::uint64_t cycles = 0;  ///< From start to done.
};

/// Programs in the order in which they ran.
using InstructionTrace = std::vector<ProgramTrace>;

}  // namespace tpu::runtime
