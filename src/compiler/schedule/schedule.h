// SPDX-License-Identifier: Apache-2.0
// Moves instructions across layers so that units do not wait for each other longer than the data
// needs.
#pragma once

#include "compiler/program/overlap.h"
#include "compiler/program/sequential.h"
#include "isa/hardware_config.h"
#include "timing/cycle.h"

namespace tpu::compiler {

struct ScheduledProgram {
  SequentialProgram program;
  timing::Cycle cycles = 0;  ///< By the timing model.
};

/// Returns the instructions with semaphores (Synchronize), in an order that keeps every conflicting
/// pair as it is and, by the timing model, ends soonest: while one layer's last tiles are on the
/// array, the next layer's first ones may be on the vector unit. A WEIGHTS or UBWEIGHTS and the
/// MATMUL behind it stay together.
ScheduledProgram Schedule(const SequentialProgram& program, const isa::HardwareConfig& config,
                          Overlap overlap = Overlap::kEnds);

/// For tries: about how long the scheduled instructions take, by one order in place of all.
timing::Cycle EstimateSchedule(const SequentialProgram& program, const isa::HardwareConfig& config,
                               Overlap overlap = Overlap::kEnds);

/// The same for every program of the network. Returns how long they take together by the timing
/// model.
timing::Cycle ScheduleNetwork(SequentialNetwork& network, Overlap overlap = Overlap::kEnds);

}  // namespace tpu::compiler
