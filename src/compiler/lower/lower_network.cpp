// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower_network.h"

#include <cstddef>
#include <span>
#include <string_view>

#include "compiler/lower/lower_control.h"
#include "compiler/lower/lower_operator.h"
#include "compiler/quantise/float_rounding.h"
#include "ir/regions.h"

namespace tpu::compiler {
namespace {

// The name of the model's operator that the operator stands for.
std::string_view NameOf(const ir::Operator& op) {
  return op.origin.empty() ? ir::OperatorName(op.attributes) : std::string_view(op.origin);
}

}  // namespace

void LowerNetwork(const ir::Graph& graph, const std::vector<Placement>& placements,
                  const ResidencyPlan& residency, Rounding rounding, Emitter& emitter) {
  std::span<const ResidencyPlan> regions = residency.regions;
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const ir::Operator& op = graph.operators[i];
    const OperatorContext context = {.graph = graph,
                                     .op = op,
                                     .placements = placements,
                                     .rounding = RoundingOf(NameOf(op), rounding)};
    emitter.SetFreeRows(residency.free[i]);
    const std::size_t count = ir::RegionsOf(context.op.attributes).size();
    if (count == 0) {
      LowerOperator(context, emitter);
    } else {
      LowerControl(context, regions.first(count), emitter);
    }
    regions = regions.subspan(count);
  }
}

}  // namespace tpu::compiler
