// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower_network.h"

#include <cstddef>

#include "compiler/lower/lower_operator.h"

namespace tpu::compiler {

void LowerNetwork(const ir::Graph& graph, const std::vector<Placement>& placements,
                  const ResidencyPlan& residency, Rounding rounding, Emitter& emitter) {
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    emitter.SetFreeRows(residency.free[i]);
    LowerOperator(
        {.graph = graph, .op = graph.operators[i], .placements = placements, .rounding = rounding},
        emitter);
  }
}

}  // namespace tpu::compiler
