// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/keep_intermediates.h"

#include <set>

namespace tpu::compiler {

void KeepIntermediates(ir::Graph& graph) {
  std::set<ir::TensorId> outputs(graph.outputs.begin(), graph.outputs.end());
  for (const ir::Operator& op : graph.operators) {
    for (const ir::TensorId id : op.outputs) {
      if (outputs.insert(id).second) graph.outputs.push_back(id);
    }
  }
}

}  // namespace tpu::compiler
