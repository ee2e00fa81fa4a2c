// SPDX-License-Identifier: Apache-2.0
#include "tensor/simplify.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "tensor/rewriter.h"

namespace tpu::tensor {
namespace {

// How often operations that are needed, and outputs, use each value; 0: nothing needs it.
std::vector<std::int64_t> UsesOf(const Graph& graph) {
  std::vector<std::int64_t> uses(graph.nodes.size(), 0);
  for (const Output& output : graph.outputs) ++uses[output.value];
  for (std::size_t id = graph.nodes.size(); id-- > 0;) {
    if (uses[id] == 0) continue;
    for (const ValueId operand : graph.nodes[id].operands) ++uses[operand];
  }
  return uses;
}

// One round of all rules, or none of them but removal.
Graph Rewritten(const Graph& graph, bool without_stop_gradients) {
  Rewriter rewriter;
  const std::vector<std::int64_t> uses = UsesOf(graph);
  std::vector<ValueId> now(graph.nodes.size());
  for (const ValueId id : graph.inputs) now[id] = rewriter.Input(graph.nodes[id]);
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    const bool input = std::holds_alternative<Input>(node.operation);
    if (uses[id] == 0 && !input) continue;
    Operands operands;
    for (const ValueId operand : node.operands) operands.push_back(now[operand]);
    const bool gone =
        without_stop_gradients && std::holds_alternative<StopGradient>(node.operation);
    if (!input) now[id] = gone ? operands[0] : rewriter.Emit(node.operation, operands);
    rewriter.CountUses(now[id], uses[id]);
    if (rewriter.TypeOf(now[id]) != node.type) {
      throw InternalError("simplifying {} changes its type", NameOf(node.operation));
    }
  }
  for (const Output& output : graph.outputs) rewriter.Output(output.name, now[output.value]);
  return rewriter.Take();
}

// The gradient of a maximum tells its operands apart.
bool Commutes(const Operation& operation) {
  return std::holds_alternative<Add>(operation) || std::holds_alternative<Multiply>(operation);
}

}  // namespace

ValueId Rewriter::Emit(Operation operation, Operands operands) {
  // Constants stand on the right, so that rules look at one side.
  if (Commutes(operation) && SplatOf(operands[0])) std::swap(operands[0], operands[1]);
  for (const auto rewrite : {RewriteShape, RewriteProduct, RewriteElements}) {
    if (const std::optional<ValueId> other = rewrite(operation, operands, *this)) return *other;
  }
  Operands sorted = operands;
  if (Commutes(operation)) std::sort(sorted.begin(), sorted.end());
  const std::pair key(operation.index(), sorted);
  for (auto [at, end] = known_.equal_range(key); at != end; ++at) {
    if (builder_.graph().nodes[at->second].operation == operation) return at->second;
  }
  const ValueId id = builder_.Append(std::move(operation), std::move(operands));
  known_.emplace(key, id);
  return id;
}

std::optional<double> Rewriter::SplatOf(ValueId value) const {
  const auto* constant = std::get_if<Constant>(&builder_.graph().nodes.at(value).operation);
  if (constant == nullptr || !constant->IsSplat()) return {};
  return constant->values[0];
}

ValueId Rewriter::Input(const Node& node) {
  const auto& input = std::get<tensor::Input>(node.operation);
  return builder_.Input(input.name, input.type);
}

Graph Simplify(const Graph& graph) {
  Graph simple = Rewritten(graph, false);
  while (true) {
    Graph next = Rewritten(simple, false);
    if (next.nodes == simple.nodes) return next;
    simple = std::move(next);
  }
}

Graph WithoutStopGradients(const Graph& graph) { return Rewritten(graph, true); }

}  // namespace tpu::tensor
