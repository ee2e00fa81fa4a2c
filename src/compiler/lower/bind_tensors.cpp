// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/bind_tensors.h"

namespace tpu::compiler {
namespace {

std::vector<executable::TensorBinding> BindingsOf(const std::vector<ir::TensorId>& ids,
                                                  const ir::Graph& graph,
                                                  const std::vector<Placement>& placements) {
  std::vector<executable::TensorBinding> bindings;
  bindings.reserve(ids.size());
  for (const ir::TensorId id : ids) {
    bindings.push_back(BindingOf(graph.tensors[id], placements[id]));
  }
  return bindings;
}

}  // namespace

executable::TensorBinding BindingOf(const ir::Tensor& tensor, const Placement& placement) {
  return {.name = tensor.name,
          .address = placement.address,
          .shape = tensor.shape,
          .type = tensor.type,
          .scale = tensor.scale,
          .zero_point = tensor.zero_point};
}

void BindTensors(const ir::Graph& graph, const std::vector<Placement>& placements,
                 executable::Executable& executable) {
  executable.inputs = BindingsOf(graph.inputs, graph, placements);
  executable.outputs = BindingsOf(graph.outputs, graph, placements);
  // The last ones are those of states.
  const std::size_t states = graph.states.size();
  executable.inputs.resize(executable.inputs.size() - states);
  executable.outputs.resize(executable.outputs.size() - states);
  for (const ir::State& state : graph.states) {
    executable.states.push_back(
        {.before = BindingOf(graph.tensors[state.before], placements[state.before]),
         .after = BindingOf(graph.tensors[state.after], placements[state.after]),
         .initial = state.initial});
  }
}

}  // namespace tpu::compiler
