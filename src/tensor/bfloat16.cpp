// SPDX-License-Identifier: Apache-2.0
#include "tensor/bfloat16.h"

#include <utility>
#include <variant>

#include "tensor/builder.h"

namespace tpu::tensor {

Graph UseBfloat16(const Graph& graph) {
  Builder builder;
  std::vector<ValueId> now(graph.nodes.size());
  // Arguments keep their order, which need not be that of the nodes.
  for (const ValueId id : graph.inputs) {
    const auto& input = std::get<Input>(graph.nodes[id].operation);
    now[id] = builder.Input(input.name, input.type);
  }
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

}  // namespace tpu::tensor
