// SPDX-License-Identifier: Apache-2.0
// How Simplify writes the new graph: each operation passes by the rules, which may replace it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "tensor/builder.h"

namespace tpu::tensor {

using Operands = std::vector<ValueId>;

class Rewriter {
 public:
  /// What the operation computes: a value that is there, or a new one.
  ValueId Emit(Operation operation, Operands operands);

  /// Says that one more operation, or an output, uses the value.
  void CountUses(ValueId value, std::int64_t uses) { uses_[value] += uses; }
  /// Whether nothing else uses the value, so that it is gone when its only use does without it.
  [[nodiscard]] bool UsedOnce(ValueId value) const {
    const auto at = uses_.find(value);
    return at == uses_.end() || at->second <= 1;
  }

  [[nodiscard]] TensorType TypeOf(ValueId value) const { return builder_.TypeOf(value); }
  [[nodiscard]] Shape ShapeOf(ValueId value) const { return builder_.ShapeOf(value); }
  /// The operation that makes a value, if it is of this kind; a copy, which stays.
  template <typename Op>
  [[nodiscard]] std::optional<Op> MakerOf(ValueId value) const {
    const auto* op = std::get_if<Op>(&builder_.graph().nodes.at(value).operation);
    if (op == nullptr) return {};
    return *op;
  }
  /// What the operation that makes a value is made of.
  [[nodiscard]] ValueId OperandOf(ValueId value, std::size_t i = 0) const {
    return builder_.graph().nodes.at(value).operands.at(i);
  }
  /// The number that all elements of a constant are.
  [[nodiscard]] std::optional<double> SplatOf(ValueId value) const;

  ValueId Splat(TensorType type, double value) {
    return Emit(Constant{std::move(type), {value}}, {});
  }
  ValueId Reshape(ValueId x, Shape shape) { return Emit(tensor::Reshape{std::move(shape)}, {x}); }
  ValueId Input(const Node& node);
  void Output(std::string name, ValueId value) { builder_.Output(std::move(name), value); }
  Graph Take() { return builder_.Take(); }

 private:
  Builder builder_;
  std::map<ValueId, std::int64_t> uses_;
  /// Values by the number of their kind of operation and by their operands.
  std::multimap<std::pair<std::size_t, Operands>, ValueId> known_;
};

// What an operation can be replaced by, if anything: of shapes (simplify_shapes.cpp), of products
// (simplify_products.cpp), of elements (simplify_elements.cpp).
std::optional<ValueId> RewriteShape(const Operation& operation, const Operands& operands,
                                    Rewriter& rewriter);
std::optional<ValueId> RewriteProduct(const Operation& operation, const Operands& operands,
                                      Rewriter& rewriter);
std::optional<ValueId> RewriteElements(const Operation& operation, const Operands& operands,
                                       Rewriter& rewriter);

}  // namespace tpu::tensor
