// SPDX-License-Identifier: Apache-2.0
#include "tensor/graph.h"

#include <algorithm>
#include <cstddef>
#include <set>

#include "base/error.h"
#include "tensor/print.h"

namespace tpu::tensor {

std::int64_t TensorType::Elements() const {
  std::int64_t elements = 1;
  for (const std::int64_t size : shape) elements *= size;
  return elements;
}

std::optional<ValueId> FindInput(const Graph& graph, std::string_view name) {
  const auto at = std::find_if(graph.inputs.begin(), graph.inputs.end(), [&](ValueId id) {
    return std::get<Input>(graph.nodes.at(id).operation).name == name;
  });
  if (at == graph.inputs.end()) return {};
  return *at;
}

std::optional<ValueId> FindOutput(const Graph& graph, std::string_view name) {
  const auto at = std::find_if(graph.outputs.begin(), graph.outputs.end(),
                               [&](const Output& output) { return output.name == name; });
  if (at == graph.outputs.end()) return {};
  return at->value;
}

void Verify(const Graph& graph) {
  std::set<std::string_view> names;
  std::vector<ValueId> inputs;
  for (ValueId id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    std::vector<TensorType> operands;
    for (const ValueId operand : node.operands) {
      if (operand >= id) {
        throw TypeError(fmt::format("{} %{}: operand %{} is not made before it",
                                    NameOf(node.operation), id, operand));
      }
      operands.push_back(graph.nodes[operand].type);
    }
    const TensorType inferred = InferType(node.operation, operands);
    if (inferred != node.type) {
      throw TypeError(fmt::format("{} %{}: its type is {}, not {}", NameOf(node.operation), id,
                                  TypeText(inferred), TypeText(node.type)));
    }
    if (const auto* input = std::get_if<Input>(&node.operation)) {
      inputs.push_back(id);
      if (!names.insert(input->name).second) {
        throw TypeError(fmt::format("two inputs have the name {}", input->name));
      }
    }
  }
  std::vector<ValueId> listed = graph.inputs;
  std::sort(listed.begin(), listed.end());
  if (listed != inputs) throw TypeError("the graph's inputs are not its input operations");
  names.clear();
  for (const Output& output : graph.outputs) {
    if (output.value >= graph.nodes.size()) {
      throw TypeError(fmt::format("output {}: there is no value %{}", output.name, output.value));
    }
    if (!names.insert(output.name).second) {
      throw TypeError(fmt::format("two outputs have the name {}", output.name));
    }
  }
}

}  // namespace tpu::tensor
