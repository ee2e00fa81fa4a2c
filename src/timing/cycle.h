// SPDX-License-Identifier: Apache-2.0
// Time in the performance model.
#pragma once

#include <cstdint>

namespace tpu::timing {

/// The number of a cycle, as Counter::kCycles counts: the first cycle of a run is 1.
using Cycle = std::uint64_t;

/// Later than any cycle of a run. Functions also return kNever for "not known yet". Adding a few
/// cycles to kNever does not overflow.
inline constexpr Cycle kNever = UINT64_MAX / 2;

/// Cycles from an accepted read address to its first beat, and from the last write beat to its
/// response. The simulated memory has this latency, which is typical of memories behind a bus.
inline constexpr Cycle kMemoryLatency = 64;

/// The reader of a memory with an output register sees a word two cycles after it was written
/// (rtl/common/tpu_fifo_ram.v).
inline constexpr Cycle kFifoRamLatency = 2;

}  // namespace tpu::timing
