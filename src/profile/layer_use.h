// SPDX-License-Identifier: Apache-2.0
// How a run's cycles divide among the layers, and what the machine did in them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "executable/executable.h"
#include "isa/instruction.h"
#include "runtime/instruction_trace.h"
#include "runtime/session.h"

namespace tpu::profile {

/// The counters of a part of a run.
struct Use {
  runtime::Counters counters{};     ///< What each counter counted; kCycles is the part's length.
  std::uint64_t useful_cycles = 0;  ///< The useful cycles of kArrayActive: see LayerUse.

  Use& operator+=(const Use& other);
};

/// The window of each layer of the executable in one run of it. Layers overlap, so a layer's window
/// is the time by which it makes its program longer: from the completion of all layers before it
/// to the completion of its own last instruction. It may be empty. What the machine needs to finish
/// behind the last instruction belongs to the layer that ends last; so the windows sum to the run.
/// They tell what happened in that time, whichever layer it happened for.
///
/// Useful cycles are those that the array, were it always full, would need for the MACs of its
/// rows: each row counts as the mean of its layer, MACs of the layer / rows of the layer / N^2.
///
/// What runs several times, in a loop, has the sum. `programs` has the instructions of each device
/// program. Throws tpu::Error when the trace is not that of a complete run.
std::vector<Use> LayerUse(const executable::Executable& executable,
                          std::span<const std::vector<isa::Instruction>> programs,
                          const runtime::Course& course, const runtime::InstructionTrace& trace);

}  // namespace tpu::profile
