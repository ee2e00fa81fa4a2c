// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/schedule.h"

#include <utility>
#include <variant>

#include "compiler/cost/estimate_cycles.h"
#include "compiler/schedule/orders.h"
#include "compiler/schedule/synchronize.h"

namespace tpu::compiler {

ScheduledProgram Schedule(const SequentialProgram& program, const isa::HardwareConfig& config,
                          Overlap overlap) {
  ScheduledProgram best = {.program = {}, .cycles = timing::kNever};
  for (SequentialProgram& candidate : Orders(program, config, overlap)) {
    Synchronize(candidate);
    const timing::Cycle cycles = EstimateCycles(candidate, config);
    if (cycles < best.cycles) best = {.program = std::move(candidate), .cycles = cycles};
  }
  return best;
}

timing::Cycle EstimateSchedule(const SequentialProgram& program, const isa::HardwareConfig& config,
                               Overlap overlap) {
  SequentialProgram typical = TypicalOrder(program, config, overlap);
  Synchronize(typical);
  return EstimateCycles(typical, config);
}

timing::Cycle ScheduleNetwork(SequentialNetwork& network, Overlap overlap) {
  timing::Cycle cycles = 0;
  for (auto& step : network.steps) {
    if (auto* program = std::get_if<SequentialProgram>(&step)) {
      ScheduledProgram scheduled = Schedule(*program, network.config, overlap);
      *program = std::move(scheduled.program);
      cycles += scheduled.cycles;
    }
  }
  return cycles;
}

}  // namespace tpu::compiler
