// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower_network.h"

#include <cstddef>
#include <utility>

#include "compiler/lower/lower_operator.h"
#include "compiler/place/place_tensors.h"
#include "compiler/program/emitter.h"

namespace tpu::compiler {

LoweredNetwork LowerNetwork(const Graph& graph, const ResidencyPlan& residency,
                            const isa::HardwareConfig& config, Rounding rounding,
                            bool tries_tilings) {
  Emitter emitter(config, tries_tilings);
  std::vector<Placement> placements = PlaceTensors(graph, residency, emitter);
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    emitter.SetFreeRows(residency.free[i]);
    LowerOperator(
        {.graph = graph, .op = graph.operators[i], .placements = placements, .rounding = rounding},
        emitter);
  }
  return {.network = emitter.Take(), .placements = std::move(placements)};
}

}  // namespace tpu::compiler
