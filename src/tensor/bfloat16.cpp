// SPDX-License-Identifier: Apache-2.0
#include "tensor/bfloat16.h"

#include <map>
#include <utility>
#include <variant>

#include "tensor/builder.h"

namespace tpu::tensor {

Graph UseBfloat16(const Graph& graph) {
  Builder builder;
  std::vector<ValueId> now = CopyInputs(graph, builder);
  for (ValueId id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    if (std::holds_alternative<Input>(node.operation)) continue;
    const bool product = std::holds_alternative<DotGeneral>(node.operation) ||
                         std::holds_alternative<Convolution>(node.operation);
    std::vector<ValueId> operands;
    for (const ValueId operand : node.operands) {
      operands.push_back(product ? builder.Convert(now[operand], ElementType::kBf16)
                                 : now[operand]);
    }
    now[id] = builder.Append(node.operation, std::move(operands));
  }
  for (const Output& output : graph.outputs) builder.Output(output.name, now[output.value]);
  return builder.Take();
}

std::string CopyName(std::string_view name) { return std::string(name) + "/bfloat16"; }

Graph KeepCopies(const Graph& graph, const std::set<std::string, std::less<>>& parameters) {
  Builder builder;
  std::vector<ValueId> now = CopyInputs(graph, builder);
  std::map<ValueId, ValueId> copies;
  const auto name_of = [&](ValueId id) -> const std::string* {
    const auto* input = std::get_if<Input>(&graph.nodes[id].operation);
    return input != nullptr && parameters.contains(input->name) ? &input->name : nullptr;
  };
  const auto is_copy = [&](const Node& node) {
    const auto* convert = std::get_if<Convert>(&node.operation);
    return convert != nullptr && convert->element == ElementType::kBf16 &&
           name_of(node.operands[0]) != nullptr;
  };
  for (const Node& node : graph.nodes) {
    if (!is_copy(node) || copies.contains(node.operands[0])) continue;
    copies[node.operands[0]] = builder.Input(CopyName(*name_of(node.operands[0])), node.type);
  }
  for (ValueId id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    if (std::holds_alternative<Input>(node.operation)) continue;
    if (is_copy(node)) {
      now[id] = copies.at(node.operands[0]);
      continue;
    }
    std::vector<ValueId> operands;
    for (const ValueId operand : node.operands) operands.push_back(now[operand]);
    now[id] = builder.Append(node.operation, std::move(operands));
  }
  for (const Output& output : graph.outputs) builder.Output(output.name, now[output.value]);
  for (const Output& output : graph.outputs) {
    const auto input = FindInput(graph, output.name);
    if (!input || !copies.contains(*input)) continue;
    builder.Output(CopyName(output.name), builder.Convert(now[output.value], ElementType::kBf16));
  }
  return builder.Take();
}

}  // namespace tpu::tensor
