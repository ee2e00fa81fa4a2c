// SPDX-License-Identifier: Apache-2.0
#include "tensor/gradient.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <variant>

#include "base/error.h"
#include "tensor/gradient_rule.h"
#include "tensor/print.h"

namespace tpu::tensor {
namespace {

// For each value up to `last` whether a change of one of `wrt` may change it by a little.
std::vector<bool> DependentOn(const Graph& graph, ValueId last, std::span<const ValueId> wrt) {
  std::vector<bool> dependent(std::size_t{last} + 1, false);
  for (const ValueId id : wrt) {
    if (id <= last) dependent[id] = true;
  }
  for (ValueId id = 0; id <= last; ++id) {
    const Node& node = graph.nodes[id];
    if (!node.type.IsFloat() || std::holds_alternative<StopGradient>(node.operation)) continue;
    if (std::any_of(node.operands.begin(), node.operands.end(),
                    [&](ValueId operand) { return dependent[operand]; })) {
      dependent[id] = true;
    }
  }
  return dependent;
}

}  // namespace

std::vector<ValueId> VectorJacobianProduct(Builder& builder, ValueId output, ValueId cotangent,
                                           std::span<const ValueId> wrt) {
  const TensorType type = builder.TypeOf(output);
  if (!type.IsFloat() || !builder.TypeOf(cotangent).IsFloat() ||
      type.shape != builder.ShapeOf(cotangent)) {
    throw TypeError(fmt::format("the gradient of %{}, {}, does not begin with {}", output,
                                TypeText(type), TypeText(builder.TypeOf(cotangent))));
  }
  const std::vector<bool> dependent = DependentOn(builder.graph(), output, wrt);
  std::vector<std::optional<ValueId>> gradients(dependent.size());
  const auto wanted = [&](ValueId id) { return dependent[id]; };
  // A value's gradient is the sum over its uses.
  const auto give = [&](ValueId id, ValueId part) {
    if (builder.TypeOf(part) != TensorType{ElementType::kF32, builder.ShapeOf(id)}) {
      throw InternalError("the gradient of {} is {}", TypeText(builder.TypeOf(id)),
                          TypeText(builder.TypeOf(part)));
    }
    gradients[id] = gradients[id] ? builder.Add(*gradients[id], part) : part;
  };
  give(output, builder.Convert(cotangent, ElementType::kF32));
  for (ValueId id = output + 1; id-- > 0;) {
    if (!dependent[id] || !gradients[id] || builder.graph().nodes[id].operands.empty()) continue;
    GradientRule rule(builder, id, *gradients[id], wanted, give);
    ApplyRule(rule);
  }
  std::vector<ValueId> results;
  for (const ValueId id : wrt) {
    const std::optional<ValueId> known = id <= output ? gradients[id] : std::nullopt;
    results.push_back(known ? *known : builder.Splat({ElementType::kF32, builder.ShapeOf(id)}, 0));
  }
  return results;
}

std::vector<ValueId> Gradient(Builder& builder, ValueId loss, std::span<const ValueId> wrt) {
  if (!builder.ShapeOf(loss).empty()) {
    throw TypeError(
        fmt::format("the loss %{} is no scalar but {}", loss, TypeText(builder.TypeOf(loss))));
  }
  return VectorJacobianProduct(builder, loss, builder.Splat({ElementType::kF32, {}}, 1), wrt);
}

}  // namespace tpu::tensor
