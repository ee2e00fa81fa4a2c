// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/expose_states.h"

namespace tpu::compiler {

void ExposeStates(ir::Graph& graph) {
  for (const ir::State& state : graph.states) {
    graph.inputs.push_back(state.before);
    graph.outputs.push_back(state.after);
  }
}

}  // namespace tpu::compiler
