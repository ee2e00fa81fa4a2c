// SPDX-License-Identifier: Apache-2.0
// The derivative of each operation. In each rule g is the gradient of the result.
#include <algorithm>
#include <cstddef>
#include <variant>

#include "tensor/gradient_rule.h"

namespace tpu::tensor {
namespace {

std::size_t At(std::int64_t dimension) { return static_cast<std::size_t>(dimension); }

// A function of one element whose derivative at x is `slope`, or slope(x) in words.
void GiveScaled(GradientRule& rule, ValueId slope) {
  rule.Give(0, rule.builder.Multiply(rule.g, slope));
}

void Differentiate(const Abs& /*op*/, GradientRule& rule) {
  Builder& b = rule.builder;
  const ValueId x = rule.Operand(0);
  const ValueId positive = b.Compare(ComparisonDirection::kGe, x, rule.Zeros());
  rule.Give(0, b.Select(positive, rule.g, b.Negate(rule.g)));
}
void Differentiate(const Exponential& /*op*/, GradientRule& rule) {
  GiveScaled(rule, rule.Result());
}
void Differentiate(const Log& /*op*/, GradientRule& rule) {
  rule.Give(0, rule.builder.Divide(rule.g, rule.Operand(0)));
}
// y (1 - y).
void Differentiate(const Logistic& /*op*/, GradientRule& rule) {
  Builder& b = rule.builder;
  const ValueId y = rule.Result();
  GiveScaled(rule, b.Multiply(y, b.Subtract(b.SplatLike(y, 1), y)));
}
void Differentiate(const Negate& /*op*/, GradientRule& rule) {
  rule.Give(0, rule.builder.Negate(rule.g));
}
// -1/2 x^(-3/2).
void Differentiate(const Rsqrt& /*op*/, GradientRule& rule) {
  Builder& b = rule.builder;
  const ValueId y = rule.Result();
  GiveScaled(rule, b.Scale(b.Multiply(y, b.Multiply(y, y)), -0.5));
}
void Differentiate(const Sqrt& /*op*/, GradientRule& rule) {
  Builder& b = rule.builder;
  rule.Give(0, b.Scale(b.Divide(rule.g, rule.Result()), 0.5));
}
// 1 - y^2.
void Differentiate(const Tanh& /*op*/, GradientRule& rule) {
  Builder& b = rule.builder;
  const ValueId y = rule.Result();
  GiveScaled(rule, b.Subtract(b.SplatLike(y, 1), b.Multiply(y, y)));
}
// Rounding does not count. Of integers nobody wants the gradient.
void Differentiate(const Convert& /*op*/, GradientRule& rule) { rule.Give(0, rule.g); }

void Differentiate(const Add& /*op*/, GradientRule& rule) {
  if (rule.Wants(0)) rule.Give(0, rule.g);
  if (rule.Wants(1)) rule.Give(1, rule.g);
}
void Differentiate(const Subtract& /*op*/, GradientRule& rule) {
  if (rule.Wants(0)) rule.Give(0, rule.g);
  if (rule.Wants(1)) rule.Give(1, rule.builder.Negate(rule.g));
}
void Differentiate(const Multiply& /*op*/, GradientRule& rule) {
  if (rule.Wants(0)) rule.Give(0, rule.builder.Multiply(rule.g, rule.Operand(1)));
  if (rule.Wants(1)) rule.Give(1, rule.builder.Multiply(rule.g, rule.Operand(0)));
}
// 1/b, and -a/b^2 = -(1/b) (a/b).
void Differentiate(const Divide& /*op*/, GradientRule& rule) {
  Builder& b = rule.builder;
  const ValueId quotient = b.Divide(rule.g, rule.Operand(1));
  if (rule.Wants(0)) rule.Give(0, quotient);
  if (rule.Wants(1)) rule.Give(1, b.Negate(b.Multiply(quotient, rule.Result())));
}
// The first operand gets g where `pred` holds, the second one elsewhere.
void GiveSelected(GradientRule& rule, ValueId pred, std::size_t first) {
  Builder& b = rule.builder;
  if (rule.Wants(first)) rule.Give(first, b.Select(pred, rule.g, rule.Zeros()));
  if (rule.Wants(first + 1)) rule.Give(first + 1, b.Select(pred, rule.Zeros(), rule.g));
}
// Of equal elements the second one counts, so that maximum(x, 0) has the slope 0 at 0.
void Differentiate(const Maximum& /*op*/, GradientRule& rule) {
  const auto [x, y] = std::pair(rule.node.operands[0], rule.node.operands[1]);
  GiveSelected(rule, rule.builder.Compare(ComparisonDirection::kGt, x, y), 0);
}
void Differentiate(const Minimum& /*op*/, GradientRule& rule) {
  const auto [x, y] = std::pair(rule.node.operands[0], rule.node.operands[1]);
  GiveSelected(rule, rule.builder.Compare(ComparisonDirection::kLt, x, y), 0);
}
void Differentiate(const Select& /*op*/, GradientRule& rule) {
  GiveSelected(rule, rule.node.operands[0], 1);
}

// The sum over all places that an element went to.
void Differentiate(const BroadcastInDim& op, GradientRule& rule) {
  Builder& b = rule.builder;
  const Shape from = rule.ShapeOf(0);
  Dimensions kept;  // In the operand's order.
  for (std::size_t d = 0; d < from.size(); ++d) {
    const std::int64_t to = op.broadcast_dimensions[d];
    if (from[d] == op.shape[At(to)]) kept.push_back(to);
  }
  Dimensions summed = AllDimensions(static_cast<std::int64_t>(op.shape.size()));
  std::erase_if(
      summed, [&](std::int64_t d) { return std::find(kept.begin(), kept.end(), d) != kept.end(); });
  const ValueId sum = b.Reduce(rule.g, Reduction::kAdd, summed);
  Dimensions ascending = kept;
  std::sort(ascending.begin(), ascending.end());
  Dimensions permutation;
  for (const std::int64_t d : kept) {
    permutation.push_back(std::find(ascending.begin(), ascending.end(), d) - ascending.begin());
  }
  rule.Give(0, b.Reshape(b.Transpose(sum, permutation), from));
}
void Differentiate(const Reshape& /*op*/, GradientRule& rule) {
  rule.Give(0, rule.builder.Reshape(rule.g, rule.ShapeOf(0)));
}
void Differentiate(const Transpose& op, GradientRule& rule) {
  Dimensions inverse(op.permutation.size());
  for (std::size_t d = 0; d < inverse.size(); ++d) {
    inverse[At(op.permutation[d])] = static_cast<std::int64_t>(d);
  }
  rule.Give(0, rule.builder.Transpose(rule.g, inverse));
}
void Differentiate(const Reverse& op, GradientRule& rule) {
  rule.Give(0, rule.builder.Reverse(rule.g, op.dimensions));
}
void Differentiate(const Slice& op, GradientRule& rule) {
  const Shape shape = rule.ShapeOf(0);
  Pad pad = {.edge_padding_low = op.start_indices, .edge_padding_high = {}, .interior_padding = {}};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::int64_t last = op.start_indices[d] + (rule.node.type.shape[d] - 1) * op.strides[d];
    pad.edge_padding_high.push_back(shape[d] - 1 - last);
    pad.interior_padding.push_back(op.strides[d] - 1);
  }
  rule.Give(0, rule.builder.Pad(rule.g, 0, pad));
}
// The opposite padding leaves the operand's elements, those of the interior padding between them.
void Differentiate(const Pad& op, GradientRule& rule) {
  Builder& b = rule.builder;
  const Shape shape = rule.ShapeOf(0);
  Pad inverse = {.edge_padding_low = {}, .edge_padding_high = {}, .interior_padding = {}};
  Slice slice = {.start_indices = {}, .limit_indices = {}, .strides = {}};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    inverse.edge_padding_low.push_back(-op.edge_padding_low[d]);
    inverse.edge_padding_high.push_back(-op.edge_padding_high[d]);
    inverse.interior_padding.push_back(0);
    slice.start_indices.push_back(0);
    slice.strides.push_back(op.interior_padding[d] + 1);
    slice.limit_indices.push_back((shape[d] - 1) * slice.strides[d] + 1);
  }
  const ValueId inner = b.Append(slice, {b.Pad(rule.g, 0, inverse)});
  if (rule.Wants(0)) rule.Give(0, inner);
  if (rule.Wants(1)) {
    const auto total = [&](ValueId x) {
      return b.Reduce(x, Reduction::kAdd, AllDimensions(b.TypeOf(x).Rank()));
    };
    rule.Give(1, b.Subtract(total(rule.g), total(inner)));
  }
}
void Differentiate(const Concatenate& op, GradientRule& rule) {
  const std::size_t d = At(op.dimension);
  Dimensions start(rule.node.type.shape.size(), 0);
  Dimensions limit = rule.node.type.shape;
  const Dimensions strides(start.size(), 1);
  for (std::size_t i = 0; i < rule.node.operands.size(); ++i) {
    limit[d] = start[d] + rule.ShapeOf(i)[d];
    if (rule.Wants(i)) rule.Give(i, rule.builder.Slice(rule.g, start, limit, strides));
    start[d] = limit[d];
  }
}

// Of a maximum all elements that are equal to it get the same share.
void Differentiate(const Reduce& op, GradientRule& rule) {
  Builder& b = rule.builder;
  const Shape shape = rule.ShapeOf(0);
  if (op.body == Reduction::kAdd) {
    rule.Give(0, b.BroadcastBack(rule.g, shape, op.dimensions));
    return;
  }
  const ValueId extreme = b.BroadcastBack(rule.Result(), shape, op.dimensions);
  const ValueId reached = b.Compare(ComparisonDirection::kEq, rule.Operand(0), extreme);
  const ValueId count =
      b.Reduce(b.Convert(reached, ElementType::kF32), Reduction::kAdd, op.dimensions);
  const ValueId share = b.BroadcastBack(b.Divide(rule.g, count), shape, op.dimensions);
  rule.Give(0, b.Select(reached, share, b.SplatLike(share, 0)));
}

// What has no operands, or none whose gradient anybody wants.
template <typename Op>
requires OneOf<Op, Input, Constant, Iota, Compare, StopGradient>
void Differentiate(const Op& /*op*/, GradientRule& /*rule*/) {}

}  // namespace

void ApplyRule(GradientRule& rule) {
  std::visit([&](const auto& op) { Differentiate(op, rule); }, rule.node.operation);
}

}  // namespace tpu::tensor
