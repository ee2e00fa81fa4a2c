// SPDX-License-Identifier: Apache-2.0
// Rules for operations that only move elements, and for sums over them.
#include <algorithm>
#include <cstddef>
#include <numeric>

#include "tensor/rewriter.h"

namespace tpu::tensor {
namespace {

std::size_t Position(std::int64_t dimension) { return static_cast<std::size_t>(dimension); }

bool Ascending(const Dimensions& dimensions) {
  return std::is_sorted(dimensions.begin(), dimensions.end());
}

bool Has(const Dimensions& dimensions, std::int64_t d) {
  return std::find(dimensions.begin(), dimensions.end(), d) != dimensions.end();
}

// What a splat becomes under a function that only moves elements.
std::optional<ValueId> MovedSplat(Rewriter& r, ValueId x, const Shape& shape) {
  const std::optional<double> splat = r.SplatOf(x);
  if (!splat) return {};
  return r.Splat({r.TypeOf(x).element, shape}, *splat);
}

// Which of the dimensions of `to` those of `from` are, when dimensions of size 1 are all that was
// inserted.
std::optional<Dimensions> InsertedInto(const Shape& from, const Shape& to) {
  Dimensions places;
  std::size_t next = 0;
  for (std::size_t d = 0; d < to.size(); ++d) {
    if (next < from.size() && from[next] == to[d]) {
      places.push_back(static_cast<std::int64_t>(d));
      ++next;
    } else if (to[d] != 1) {
      return {};
    }
  }
  if (next < from.size()) return {};
  return places;
}

template <typename Op>
std::optional<ValueId> Rewrite(const Op& /*op*/, ValueId /*x*/, Rewriter& /*r*/) {
  return {};
}

std::optional<ValueId> Rewrite(const Reshape& op, ValueId x, Rewriter& r) {
  if (r.ShapeOf(x) == op.shape) return x;
  if (r.MakerOf<Reshape>(x)) return r.Reshape(r.OperandOf(x), op.shape);
  return MovedSplat(r, x, op.shape);
}

std::optional<ValueId> Rewrite(const Transpose& op, ValueId x, Rewriter& r) {
  if (Ascending(op.permutation)) return x;
  Shape shape;
  Dimensions moved;  // Without those of size 1, whose place does not matter.
  for (const std::int64_t d : op.permutation) {
    shape.push_back(r.ShapeOf(x)[Position(d)]);
    if (shape.back() != 1) moved.push_back(d);
  }
  if (Ascending(moved)) return r.Reshape(x, shape);
  if (const auto first = r.MakerOf<Transpose>(x)) {
    Dimensions both;
    for (const std::int64_t d : op.permutation) both.push_back(first->permutation[Position(d)]);
    return r.Emit(Transpose{both}, {r.OperandOf(x)});
  }
  return MovedSplat(r, x, shape);
}

std::optional<ValueId> Rewrite(const BroadcastInDim& op, ValueId x, Rewriter& r) {
  if (const auto moved = MovedSplat(r, x, op.shape)) return moved;
  const TensorType type = r.TypeOf(x);
  if (type.Elements() == TensorType{type.element, op.shape}.Elements() &&
      Ascending(op.broadcast_dimensions)) {
    return r.Reshape(x, op.shape);
  }
  if (const auto first = r.MakerOf<BroadcastInDim>(x)) {
    Dimensions both;
    for (const std::int64_t d : first->broadcast_dimensions) {
      both.push_back(op.broadcast_dimensions[Position(d)]);
    }
    return r.Emit(BroadcastInDim{op.shape, both}, {r.OperandOf(x)});
  }
  if (r.MakerOf<Reshape>(x)) {
    const ValueId inner = r.OperandOf(x);
    if (const auto places = InsertedInto(r.ShapeOf(inner), type.shape)) {
      Dimensions both;
      for (const std::int64_t d : *places) both.push_back(op.broadcast_dimensions[Position(d)]);
      return r.Emit(BroadcastInDim{op.shape, both}, {inner});
    }
  }
  return {};
}

std::optional<ValueId> Rewrite(const Reverse& op, ValueId x, Rewriter& r) {
  Dimensions dimensions = op.dimensions;
  std::erase_if(dimensions, [&](std::int64_t d) { return r.ShapeOf(x)[Position(d)] == 1; });
  std::sort(dimensions.begin(), dimensions.end());
  if (dimensions.empty()) return x;
  if (const auto first = r.MakerOf<Reverse>(x)) {
    Dimensions both;
    std::set_symmetric_difference(dimensions.begin(), dimensions.end(), first->dimensions.begin(),
                                  first->dimensions.end(), std::back_inserter(both));
    return r.Emit(Reverse{both}, {r.OperandOf(x)});
  }
  if (dimensions != op.dimensions) return r.Emit(Reverse{dimensions}, {x});
  return MovedSplat(r, x, r.ShapeOf(x));
}

std::optional<ValueId> Rewrite(const Slice& op, ValueId x, Rewriter& r) {
  if (op.limit_indices == r.ShapeOf(x) && op.start_indices == Dimensions(op.strides.size(), 0) &&
      op.strides == Dimensions(op.strides.size(), 1)) {
    return x;
  }
  return {};
}

std::optional<ValueId> Rewrite(const Concatenate& /*op*/, ValueId x, Rewriter& /*r*/) { return x; }

// A sum over elements that are all the same is a multiple of one of them.
std::optional<ValueId> ReducedBroadcast(const Reduce& op, ValueId x, Rewriter& r) {
  const auto broadcast = r.MakerOf<BroadcastInDim>(x);
  if (!broadcast) return {};
  Dimensions gone;  // Dimensions of the broadcast that the operand does not have.
  for (const std::int64_t d : op.dimensions) {
    if (!Has(broadcast->broadcast_dimensions, d)) gone.push_back(d);
  }
  if (gone.empty()) return {};
  const auto without = [&](std::int64_t d) {
    return d - std::count_if(gone.begin(), gone.end(), [&](std::int64_t g) { return g < d; });
  };
  BroadcastInDim less;
  Reduce rest = {.body = op.body, .dimensions = {}};
  double count = 1;
  for (std::size_t d = 0; d < broadcast->shape.size(); ++d) {
    if (Has(gone, static_cast<std::int64_t>(d))) {
      count *= static_cast<double>(broadcast->shape[d]);
    } else {
      less.shape.push_back(broadcast->shape[d]);
    }
  }
  for (const std::int64_t d : broadcast->broadcast_dimensions) {
    less.broadcast_dimensions.push_back(without(d));
  }
  for (const std::int64_t d : op.dimensions) {
    if (!Has(gone, d)) rest.dimensions.push_back(without(d));
  }
  const ValueId sum = r.Emit(rest, {r.Emit(less, {r.OperandOf(x)})});
  if (op.body != Reduction::kAdd) return sum;
  return r.Emit(Multiply{}, {sum, r.Splat(r.TypeOf(sum), count)});
}

std::optional<ValueId> Rewrite(const Reduce& op, ValueId x, Rewriter& r) {
  if (op.dimensions.empty()) return x;
  const Shape shape = r.ShapeOf(x);
  Shape kept;
  double count = 1;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (Has(op.dimensions, static_cast<std::int64_t>(d))) {
      count *= static_cast<double>(shape[d]);
    } else {
      kept.push_back(shape[d]);
    }
  }
  if (count == 1) return r.Reshape(x, kept);
  if (const auto splat = r.SplatOf(x)) {
    return r.Splat({r.TypeOf(x).element, kept},
                   op.body == Reduction::kAdd ? *splat * count : *splat);
  }
  if (const auto first = r.MakerOf<Reduce>(x); first && first->body == op.body) {
    // Dimensions of the first operand.
    const ValueId inner = r.OperandOf(x);
    Dimensions left = AllDimensions(r.TypeOf(inner).Rank());
    std::erase_if(left, [&](std::int64_t d) { return Has(first->dimensions, d); });
    Dimensions both = first->dimensions;
    for (const std::int64_t d : op.dimensions) both.push_back(left[Position(d)]);
    std::sort(both.begin(), both.end());
    if (r.UsedOnce(x)) return r.Emit(Reduce{op.body, both}, {inner});
  }
  return ReducedBroadcast(op, x, r);
}

}  // namespace

std::optional<ValueId> RewriteShape(const Operation& operation, const Operands& operands,
                                    Rewriter& rewriter) {
  if (const auto* pad = std::get_if<Pad>(&operation)) {
    const Dimensions none(pad->interior_padding.size(), 0);
    const bool same = pad->edge_padding_low == none && pad->edge_padding_high == none &&
                      pad->interior_padding == none;
    if (same) return operands[0];
  }
  if (operands.size() != 1) return {};
  return std::visit([&](const auto& op) { return Rewrite(op, operands[0], rewriter); }, operation);
}

}  // namespace tpu::tensor
