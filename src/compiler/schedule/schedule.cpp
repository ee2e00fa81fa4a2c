// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/schedule.h"

#include <utility>
#include <variant>

#include "compiler/cost/estimate_cycles.h"
#include "compiler/schedule/orders.h"
#include "compiler/schedule/synchronize.h"

namespace tpu::compiler {

SequentialProgram Schedule(const SequentialProgram& program, const isa::HardwareConfig& config,
                           Overlap overlap) {
  SequentialProgram best;
  timing::Cycle best_cycles = timing::kNever;
  for (SequentialProgram& candidate : Orders(program, config, overlap)) {
    Synchronize(candidate);
    const timing::Cycle cycles = EstimateCycles(candidate, config);
    if (cycles >= best_cycles) continue;
    best = std::move(candidate);
    best_cycles = cycles;
  }
  return best;
}

timing::Cycle ScheduleNetwork(SequentialNetwork& network, Overlap overlap) {
  timing::Cycle cycles = 0;
  for (auto& step : network.steps) {
    if (auto* program = std::get_if<SequentialProgram>(&step)) {
      *program = Schedule(*program, network.config, overlap);
      cycles += EstimateCycles(*program, network.config);
    }
  }
  return cycles;
}

}  // namespace tpu::compiler
