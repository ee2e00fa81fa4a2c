// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/keep_intermediates.h"

#include <set>

namespace tpu::compiler {

void KeepIntermediates(Graph& graph) {
  std::set<TensorId> outputs(graph.outputs.begin(), graph.outputs.end());
  for (const Operator& op : graph.operators) {
    for (const TensorId id : op.outputs) {
      if (outputs.insert(id).second) graph.outputs.push_back(id);
    }
  }
}

}  // namespace tpu::compiler
