// SPDX-License-Identifier: Apache-2.0
// One step of the chain rule: from the gradient of an operation's result to those of its operands.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>

#include "tensor/builder.h"

namespace tpu::tensor {

/// What a rule sees of its operation, and whom it gives its results.
class GradientRule {
 public:
  /// `wanted` says whether an operand's gradient is of use, `give` takes it.
  GradientRule(Builder& b, ValueId id, ValueId gradient, std::function<bool(ValueId)> wanted,
               std::function<void(ValueId, ValueId)> give)
      : builder(b),
        node(b.graph().nodes.at(id)),
        g(gradient),
        id_(id),
        wanted_(std::move(wanted)),
        give_(std::move(give)) {}

  Builder& builder;
  const Node node;
  const ValueId g;

  [[nodiscard]] Shape ShapeOf(std::size_t operand) const {
    return builder.ShapeOf(node.operands.at(operand));
  }
  [[nodiscard]] bool Wants(std::size_t operand) const { return wanted_(node.operands.at(operand)); }
  void Give(std::size_t operand, ValueId gradient) { give_(node.operands.at(operand), gradient); }

  /// An operand as f32, and the result.
  ValueId Operand(std::size_t operand) {
    return builder.Convert(node.operands.at(operand), ElementType::kF32);
  }
  ValueId Result() { return builder.Convert(id_, ElementType::kF32); }
  /// Zeros of the result's shape.
  ValueId Zeros() { return builder.SplatLike(g, 0); }

 private:
  ValueId id_;
  std::function<bool(ValueId)> wanted_;
  std::function<void(ValueId, ValueId)> give_;
};

/// gradient_rules.cpp, and the next four in gradient_window_rules.cpp.
void ApplyRule(GradientRule& rule);

void Differentiate(const ReduceWindow& op, GradientRule& rule);
void Differentiate(const SelectAndScatter& op, GradientRule& rule);
void Differentiate(const DotGeneral& op, GradientRule& rule);
void Differentiate(const Convolution& op, GradientRule& rule);

}  // namespace tpu::tensor
