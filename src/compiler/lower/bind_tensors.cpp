// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/bind_tensors.h"

namespace tpu::compiler {
namespace {

std::vector<isa::TensorBinding> BindingsOf(const std::vector<TensorId>& ids, const Graph& graph,
                                           const std::vector<Placement>& placements) {
  std::vector<isa::TensorBinding> bindings;
  bindings.reserve(ids.size());
  for (const TensorId id : ids) {
    bindings.push_back(BindingOf(graph.tensors[id], placements[id]));
  }
  return bindings;
}

}  // namespace

isa::TensorBinding BindingOf(const Tensor& tensor, const Placement& placement) {
  return {.name = tensor.name,
          .address = placement.address,
          .shape = tensor.shape,
          .type = tensor.type,
          .scale = tensor.scale,
          .zero_point = tensor.zero_point};
}

void BindTensors(const Graph& graph, const std::vector<Placement>& placements,
                 isa::Executable& executable) {
  executable.inputs = BindingsOf(graph.inputs, graph, placements);
  executable.outputs = BindingsOf(graph.outputs, graph, placements);
}

}  // namespace tpu::compiler
