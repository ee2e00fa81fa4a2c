// SPDX-License-Identifier: Apache-2.0
// When the instructions of a program started and ended, and what the machine did in each cycle.
// Only a simulator can see this.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/instruction.h"
#include "isa/registers.h"

namespace tpu::runtime {

/// Cycles are counted as Counter::kCycles does: the first of a run is 1. Element k belongs to the
/// unit's k-th instruction in program order, since each unit starts and completes in order.
struct UnitTrace {
  std::vector<std::uint64_t> started;
  std::vector<std::uint64_t> completed;
};

/// Successive cycles in which the same hardware counters count: bit i is set when isa::Counter i
/// counts.
struct EventRun {
  std::uint32_t events = 0;
  std::uint32_t cycles = 0;
};
static_assert(isa::kNumCounters <= 32);

inline bool Counts(std::uint32_t events, isa::Counter counter) {
  return (events >> static_cast<unsigned>(counter) & 1U) != 0;
}

/// One run of one device program.
struct ProgramTrace {
  std::array<UnitTrace, static_cast<std::size_t>(isa::Unit::kStore) + 1> units;  ///< By isa::Unit.
  std::vector<EventRun> events;  ///< From the first cycle to the last.
  std::uint64_t cycles = 0;      ///< From start to done.
};

/// Programs in the order in which they ran.
using InstructionTrace = std::vector<ProgramTrace>;

/// Devices with the ability `trace` implement this interface beside Device.
class Tracing {
 public:
  Tracing() = default;
  Tracing(const Tracing&) = delete;
  Tracing& operator=(const Tracing&) = delete;
  virtual ~Tracing() = default;

  /// Adds an entry to `trace` for every program that runs from now on; null ends that. The trace
  /// must live so long.
  virtual void TraceInstructions(InstructionTrace* trace) = 0;
};

}  // namespace tpu::runtime
