// SPDX-License-Identifier: Apache-2.0
#include "compiler/from_tensor/formats.h"

#include <algorithm>
#include <variant>

namespace tpu::compiler {
namespace {

using tensor::Operation;
using tensor::ValueId;

template <typename... Ops>
bool HoldsAnyOf(const Operation& operation) {
  return (std::holds_alternative<Ops>(operation) || ...);
}

// What adds up many numbers, with float32 in between.
bool IsSum(const Operation& operation) {
  return HoldsAnyOf<tensor::DotGeneral, tensor::Convolution, tensor::Reduce, tensor::ReduceWindow,
                    tensor::SelectAndScatter>(operation);
}

class Marking {
 public:
  explicit Marking(const tensor::Graph& graph) : graph_(graph), wide_(graph.nodes.size()) {}

  std::vector<bool> Run() {
    for (const tensor::Output& output : graph_.outputs) {
      const bool is_state = tensor::FindInput(graph_, output.name).has_value();
      MarkBackwards(output.value, !is_state);
    }
    for (ValueId id = 0; id < graph_.nodes.size(); ++id) {
      const tensor::Node& node = graph_.nodes[id];
      if (IsSum(node.operation) || HoldsAnyOf<tensor::Input, tensor::Convert>(node.operation)) {
        continue;
      }
      const bool of_loss = std::any_of(node.operands.begin(), node.operands.end(), [&](ValueId o) {
        return wide_[o] && !HoldsAnyOf<tensor::Input, tensor::Constant>(graph_.nodes[o].operation);
      });
      if (of_loss) wide_[id] = true;
    }
    for (const ValueId id : graph_.inputs) wide_[id] = true;
    return std::move(wide_);
  }

 private:
  void MarkBackwards(ValueId id, bool through_reductions) {
    if (wide_[id]) return;
    wide_[id] = true;
    const tensor::Node& node = graph_.nodes[id];
    const bool reduction = HoldsAnyOf<tensor::Reduce>(node.operation);
    if (HoldsAnyOf<tensor::Convert>(node.operation)) return;
    if (IsSum(node.operation) && !(reduction && through_reductions)) return;
    for (const ValueId operand : node.operands) MarkBackwards(operand, through_reductions);
  }

  const tensor::Graph& graph_;
  std::vector<bool> wide_;
};

}  // namespace

std::vector<bool> Float32Values(const tensor::Graph& graph) { return Marking(graph).Run(); }

bool OnlyMoves(const Operation& operation) {
  return HoldsAnyOf<tensor::BroadcastInDim, tensor::Reshape, tensor::Transpose, tensor::Reverse,
                    tensor::Slice, tensor::Pad, tensor::Concatenate, tensor::StopGradient>(
      operation);
}

}  // namespace tpu::compiler
