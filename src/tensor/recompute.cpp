// SPDX-License-Identifier: Apache-2.0
#include "tensor/recompute.h"

#include <cstddef>
#include <map>
#include <utility>
#include <variant>

#include "base/error.h"
#include "tensor/builder.h"

namespace tpu::tensor {
namespace {

bool IsOnElements(const Operation& operation) {
  return std::visit(
      []<typename Op>(const Op&) {
        return UnaryOperation<Op> || BinaryOperation<Op> ||
               OneOf<Op, Convert, Compare, Select, BroadcastInDim>;
      },
      operation);
}

// The two passes of a step.
class Passes {
 public:
  explicit Passes(const Graph& graph)
      : graph_(graph), forward_(graph.nodes.size()), kept_(graph.nodes.size()) {
    const auto loss = FindOutput(graph, "loss");
    if (!loss) throw InternalError("a step has no loss");
    forward_[*loss] = true;
    for (std::size_t id = graph.nodes.size(); id-- > 0;) {
      std::vector<bool>& users = forward_[id] ? forward_ : kept_;
      for (const ValueId operand : graph.nodes[id].operands) users[operand] = true;
    }
  }

  [[nodiscard]] bool IsForward(ValueId id) const { return forward_[id]; }
  // Whether the backward pass needs a value as long as nothing is computed again.
  [[nodiscard]] bool IsKept(ValueId id) const {
    const Operation& operation = graph_.nodes[id].operation;
    return kept_[id] || std::holds_alternative<Input>(operation) ||
           std::holds_alternative<Constant>(operation);
  }
  [[nodiscard]] bool IsMadeOfKept(ValueId id) const {
    const Node& node = graph_.nodes[id];
    if (!IsOnElements(node.operation)) return false;
    for (const ValueId operand : node.operands) {
      if (!IsKept(operand) && !IsMadeOfKept(operand)) return false;
    }
    return true;
  }
  // A number in another format is the value itself for the machine, which chooses formats.
  [[nodiscard]] bool IsKeptInAnotherFormat(ValueId id) const {
    const Node& node = graph_.nodes[id];
    return std::holds_alternative<Convert>(node.operation) && IsKept(node.operands[0]);
  }

 private:
  const Graph& graph_;
  std::vector<bool> forward_;
  std::vector<bool> kept_;
};

}  // namespace

std::vector<ValueId> Recomputable(const Graph& graph) {
  const Passes passes(graph);
  std::vector<ValueId> values;
  for (ValueId id = 0; id < graph.nodes.size(); ++id) {
    if (!passes.IsForward(id) || !passes.IsKept(id) || passes.IsKeptInAnotherFormat(id)) continue;
    if (passes.IsMadeOfKept(id)) values.push_back(id);
  }
  return values;
}

Graph Recompute(const Graph& graph, const std::set<ValueId>& values) {
  const Passes passes(graph);
  Builder builder;
  std::vector<ValueId> now = CopyInputs(graph, builder);
  std::map<ValueId, ValueId> again;
  // A value as the backward pass takes it.
  const auto backward = [&](const auto& self, ValueId id) -> ValueId {
    if (!passes.IsForward(id) || (passes.IsKept(id) && !values.contains(id))) return now[id];
    if (const auto found = again.find(id); found != again.end()) return found->second;
    std::vector<ValueId> operands;
    for (const ValueId operand : graph.nodes[id].operands) operands.push_back(self(self, operand));
    const ValueId value = builder.Append(graph.nodes[id].operation, std::move(operands));
    again.emplace(id, value);
    return value;
  };
  for (ValueId id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    if (std::holds_alternative<Input>(node.operation)) continue;
    std::vector<ValueId> operands;
    for (const ValueId operand : node.operands) {
      operands.push_back(passes.IsForward(id) ? now[operand] : backward(backward, operand));
    }
    now[id] = builder.Append(node.operation, std::move(operands));
  }
  for (const Output& output : graph.outputs) builder.Output(output.name, now[output.value]);
  return builder.Take();
}

}  // namespace tpu::tensor
