// SPDX-License-Identifier: Apache-2.0
#include "compiler/from_tensor/sums.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tpu::compiler {

using tensor::ValueId;

namespace {

// The vector of which each element is added to all of a column of `id`, if the value repeats one.
std::optional<ValueId> BiasOf(const Translation& to, ValueId id) {
  const auto* broadcast = to.If<tensor::BroadcastInDim>(id);
  if (broadcast == nullptr) return std::nullopt;
  const ValueId vector = to.NodeOf(id).operands[0];
  const auto last = static_cast<std::int64_t>(broadcast->shape.size()) - 1;
  if (to.ShapeOf(vector).size() != 1 || broadcast->broadcast_dimensions[0] != last ||
      to.ShapeOf(vector)[0] != broadcast->shape.back() || to.If<tensor::Input>(vector) == nullptr) {
    return std::nullopt;
  }
  return vector;
}

}  // namespace

bool IsProduct(const Translation& to, ValueId id) {
  return to.If<tensor::DotGeneral>(id) != nullptr || to.If<tensor::Convolution>(id) != nullptr;
}

std::optional<Product> AsBiasedProduct(const Translation& to, ValueId sum) {
  if (to.If<tensor::Add>(sum) == nullptr) return std::nullopt;
  const std::vector<ValueId>& operands = to.NodeOf(sum).operands;
  for (const std::size_t i : {0U, 1U}) {
    const ValueId product = operands[i];
    const auto bias = BiasOf(to, operands[1 - i]);
    if (bias && IsProduct(to, product) && to.Uses(product) == 1) {
      return Product{.node = product, .bias = bias};
    }
  }
  return std::nullopt;
}

std::optional<MultiplyAdd> AsMultiplyAdd(const Translation& to, ValueId sum) {
  if (to.If<tensor::Add>(sum) == nullptr || AsBiasedProduct(to, sum)) return std::nullopt;
  const std::vector<ValueId>& operands = to.NodeOf(sum).operands;
  for (const std::size_t i : {0U, 1U}) {
    const ValueId product = operands[i];
    const ValueId addend = operands[1 - i];
    if (to.If<tensor::Multiply>(product) == nullptr || to.Uses(product) != 1 || to.Splat(addend)) {
      continue;
    }
    for (const std::size_t k : {0U, 1U}) {
      const auto constant = to.Splat(to.NodeOf(product).operands[k]);
      const ValueId x = to.NodeOf(product).operands[1 - k];
      if (constant && !to.Splat(x)) {
        return MultiplyAdd{.product = product, .x = x, .constant = *constant, .addend = addend};
      }
    }
  }
  return std::nullopt;
}

std::optional<SquareSum> AsSquareSum(const Translation& to, ValueId sum) {
  if (to.If<tensor::Add>(sum) == nullptr || AsBiasedProduct(to, sum) || AsMultiplyAdd(to, sum)) {
    return std::nullopt;
  }
  const std::vector<ValueId>& operands = to.NodeOf(sum).operands;
  for (const std::size_t i : {0U, 1U}) {
    const ValueId square = operands[i];
    const ValueId addend = operands[1 - i];
    const std::vector<ValueId>& factors = to.NodeOf(square).operands;
    if (to.If<tensor::Multiply>(square) != nullptr && to.Uses(square) == 1 &&
        factors[0] == factors[1] && !to.Splat(factors[0]) && !to.Splat(addend)) {
      return SquareSum{.square = square, .root = factors[0], .addend = addend};
    }
  }
  return std::nullopt;
}

}  // namespace tpu::compiler
