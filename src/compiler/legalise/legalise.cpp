// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/legalise.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "compiler/legalise/legalise_rules.h"

namespace tpu::compiler {

ir::Graph Legalise(const ir::Graph& graph, const isa::HardwareConfig& config, Rounding rounding) {
  LegalGraph legal(graph, config, rounding);
  for (const ir::Operator& op : graph.operators) {
    const OperatorView view = {.graph = legal, .op = op};
    std::visit([&](const auto& attributes) { Legalise(view, attributes); }, op.attributes);
  }
  return legal.Take();
}

bool RunsOnHost(const ir::Operator& op) {
  return ir::HoldsAnyOf<ir::Softmax, ir::ArgMax, ir::Quantize, ir::Dequantize, ir::Resize,
                        ir::Divide, ir::SquaredDifference, ir::AddN, ir::L2Normalization,
                        ir::HostOperator, ir::If, ir::While>(op.attributes);
}

}  // namespace tpu::compiler
