// SPDX-License-Identifier: Apache-2.0
// Time in the performance model.
#pragma once

#include <cstdint>

namespace tpu::timing {

/// Counted as Counter::kCycles does: the first of a run is 1.
using Cycle = std::uint64_t;

/// Later than anything; also: not known yet. A few cycles may be added to it.
inline constexpr Cycle kNever = UINT64_MAX / 2;

/// Typical of the memories behind the bus, and the simulated one's: from an accepted read address
/// to its first beat, from the last write beat to its response.
inline constexpr Cycle kMemoryLatency = 64;

/// The reader of a memory with an output register sees a word two cycles after it was written
/// (rtl/common/tpu_fifo_ram.v).
inline constexpr Cycle kFifoRamLatency = 2;

}  // namespace tpu::timing
