// SPDX-License-Identifier: Apache-2.0
// IF and WHILE, whose subgraphs become graphs of their own or, with a condition that is known, a
// part of the graph around them.
#include <cstddef>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "frontends/tflite/operator_reader.h"

namespace tpu::tflite {
namespace {

void RequireCondition(const OperatorReader& op, const ir::Tensor& tensor) {
  op.Require(tensor.type == ElementType::kBool && tensor.Elements() == 1,
             "condition {} is {} {}; it must be one bool", tensor.name,
             ElementTypeName(tensor.type), Text(tensor.shape));
}

bool ValueOf(const ir::Tensor& constant) { return constant.DataBytes().front() != 0; }

// The subgraph makes what the operator does.
void SettleOutputs(OperatorReader& op, const ir::Graph& region) {
  op.Require(region.outputs.size() == op.Outputs(),
             "has {} outputs, and a subgraph that it runs {}", op.Outputs(), region.outputs.size());
  for (std::size_t i = 0; i < region.outputs.size(); ++i) {
    const ir::Tensor& made = region.tensors[region.outputs[i]];
    op.RequireSameType(made, op.Output(i));
    if (made.Elements() != op.Output(i).Elements()) op.SettleOutput(made.shape, i);
  }
}

class Inlining {
 public:
  Inlining(const ir::Operator& op, ir::Graph& graph) : op_(op), graph_(graph) {}

  // The same bytes under another name.
  void Alias(ir::TensorId from, ir::TensorId to) {
    if (graph_.tensors[from].IsConstant()) {
      graph_.tensors[to].data = graph_.tensors[from].data;
    } else {
      graph_.operators.push_back(
          {.name = op_.name, .inputs = {from}, .outputs = {to}, .attributes = ir::Reshape{}});
    }
  }

  void Splice(const ir::Graph& region, std::span<const ir::TensorId> inputs) {
    const auto first = static_cast<ir::TensorId>(graph_.tensors.size());
    graph_.tensors.insert(graph_.tensors.end(), region.tensors.begin(), region.tensors.end());
    for (std::size_t i = 0; i < inputs.size(); ++i) Alias(inputs[i], first + region.inputs[i]);
    for (ir::Operator op : region.operators) {
      for (auto* ids : {&op.inputs, &op.outputs}) {
        for (ir::TensorId& id : *ids) id += first;
      }
      graph_.operators.push_back(std::move(op));
    }
    for (ir::State state : region.states) {
      state.before += first;
      state.after += first;
      graph_.states.push_back(std::move(state));
    }
    for (std::size_t i = 0; i < op_.outputs.size(); ++i) {
      Alias(first + region.outputs[i], op_.outputs[i]);
    }
  }

 private:
  const ir::Operator& op_;
  ir::Graph& graph_;
};

}  // namespace

// A constant condition leaves one graph, whatever the other one holds.
ir::Attributes DecodeIf(OperatorReader& op) {
  const auto& options = op.OptionsAs<schema::IfOptionsT>();
  const ir::Tensor& condition = op.Operand(0);
  RequireCondition(op, condition);
  const bool is_known = condition.IsConstant();
  const bool may_be_true = !is_known || ValueOf(condition);
  const bool may_be_false = !is_known || !ValueOf(condition);
  for (std::size_t i = 1; i < op.Inputs(); ++i) op.Operand(i);
  ir::If result;
  if (may_be_true) result.then_graph = op.Region(options.then_subgraph_index, "then", 1);
  if (may_be_false) result.else_graph = op.Region(options.else_subgraph_index, "else", 1);
  op.Require(op.Outputs() > 0, "has no outputs");
  for (const auto* region : {result.then_graph.get(), result.else_graph.get()}) {
    if (region != nullptr) SettleOutputs(op, *region);
  }
  return result;
}

// A condition that is always false leaves no body.
ir::Attributes DecodeWhile(OperatorReader& op) {
  const auto& options = op.OptionsAs<schema::WhileOptionsT>();
  op.Require(op.Inputs() > 0 && op.Outputs() == op.Inputs(),
             "has {} inputs and {} outputs; there must be as many, and one at least", op.Inputs(),
             op.Outputs());
  for (std::size_t i = 0; i < op.Inputs(); ++i) {
    const ir::Tensor& value = op.Operand(i);
    op.RequireSameType(value, op.Output(i));
    if (value.Elements() != op.Output(i).Elements()) op.SettleOutput(ir::Shape(value.shape), i);
  }
  ir::While result = {.condition = op.Region(options.cond_subgraph_index, "condition", 0)};
  op.Require(result.condition->outputs.size() == 1, "its condition has {} outputs; there must be 1",
             result.condition->outputs.size());
  const ir::Tensor& condition = result.condition->tensors[result.condition->outputs[0]];
  RequireCondition(op, condition);
  if (condition.IsConstant()) {
    op.Require(!ValueOf(condition), "its condition is always true, so that it would never end");
    return result;
  }
  result.body = op.Region(options.body_subgraph_index, "body", 0);
  SettleOutputs(op, *result.body);
  return result;
}

bool Inline(const ir::Operator& op, ir::Graph& graph) {
  Inlining inlining(op, graph);
  if (const auto* branch = std::get_if<ir::If>(&op.attributes)) {
    const bool has_both = branch->then_graph != nullptr && branch->else_graph != nullptr;
    if (has_both) return false;
    inlining.Splice(branch->then_graph ? *branch->then_graph : *branch->else_graph,
                    std::span(op.inputs).subspan(1));
    return true;
  }
  const auto* loop = std::get_if<ir::While>(&op.attributes);
  if (loop == nullptr || loop->body != nullptr) return false;
  for (std::size_t i = 0; i < op.inputs.size(); ++i) inlining.Alias(op.inputs[i], op.outputs[i]);
  return true;
}

}  // namespace tpu::tflite
