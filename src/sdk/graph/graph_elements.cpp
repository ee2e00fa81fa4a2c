// SPDX-License-Identifier: Apache-2.0
// Operators on elements by themselves, reductions, and what the host computes along an axis.
#include <algorithm>
#include <cmath>
#include <set>

#include "sdk/graph/graph_state.h"

namespace tpu {
namespace {

using enum ElementType;

double Scale(const ir::Tensor& tensor) { return static_cast<double>(tensor.scale); }

// What the kernels of some functions on int8 are made for.
template <typename Operator>
void RequireMadeFor(Operator& op, float scale, std::int32_t zero_point) {
  op.RequireComputed();
  if (op.OnFloats()) return;
  op.Default(kInt8, scale, zero_point);
  op.Require(op.Output().zero_point == zero_point, "the result must have zero point {}, not {}",
             zero_point, op.Output().zero_point);
}

}  // namespace

Graph::Tensor Graph::Binary(BinaryKind kind, Tensor first, Tensor second, Activation activation,
                            const Result& result) {
  const ir::Binary attributes = {.kind = kind, .activation = activation};
  NewOperator op(*state_, attributes, result);
  const ir::Tensor& a = op.Activations(first);
  const ir::Tensor& b = op.Activations(second);
  op.RequireScalable(kind == BinaryKind::kMul ? Scale(a) * Scale(b) : std::max(Scale(a), Scale(b)));
  if (kind == BinaryKind::kMaximum || kind == BinaryKind::kMinimum) {
    op.RequireSameQuantization(a);
    op.RequireSameQuantization(b);
    op.Require(activation == Activation::kNone, "an activation is not supported");
  }
  return op.Make(attributes, op.Broadcast(a.shape, b.shape));
}

Graph::Tensor Graph::Unary(UnaryKind kind, Tensor input, const Result& result) {
  NewOperator op(*state_, ir::Unary{.kind = kind}, result);
  const ir::Tensor& x = op.Activations(input);
  if (kind == UnaryKind::kLogistic) {
    RequireMadeFor(op, 1.0F / 256, -128);
  } else if (kind == UnaryKind::kTanh) {
    RequireMadeFor(op, 1.0F / 128, 0);
  } else if (kind == UnaryKind::kRelu6) {
    op.RequireComputed();
  } else {
    op.RequireScalable(Scale(x));
  }
  if (kind == UnaryKind::kHardSwish && !op.OnFloats()) {
    op.Require(x.scale < 128.0F * op.Output().scale,
               "the result's scale, {}, is too small for an input scale of {}", op.Output().scale,
               x.scale);
  }
  return op.Make(ir::Unary{.kind = kind}, x.shape);
}

Graph::Tensor Graph::LeakyRelu(Tensor input, float alpha, const Result& result) {
  NewOperator op(*state_, ir::LeakyRelu{}, result);
  const ir::Tensor& x = op.Activations(input);
  op.Require(std::isfinite(alpha), "alpha is {}", alpha);
  op.RequireScalable(Scale(x) * std::max(1.0, std::abs(static_cast<double>(alpha))));
  return op.Make(ir::LeakyRelu{.alpha = alpha}, x.shape);
}

Graph::Tensor Graph::Prelu(Tensor input, Tensor slopes, const Result& result) {
  NewOperator op(*state_, ir::Prelu{}, result);
  const ir::Tensor& x = op.Activations(input);
  const ir::Tensor& s = op.Activations(slopes);
  op.Require(s.IsConstant(), "the slopes ({}) must be constant", s.name);
  op.Require(op.Broadcast(x.shape, s.shape) == x.shape, "the slopes {} do not broadcast to {}",
             sdk::Text(s.shape), sdk::Text(x.shape));
  op.RequireScalable(std::max(Scale(x), Scale(x) * Scale(s)));
  return op.Make(ir::Prelu{}, x.shape);
}

Graph::Tensor Graph::Lookup(Tensor input, const std::array<std::int8_t, 256>& table,
                            const Result& result) {
  NewOperator op(*state_, ir::Lookup{}, result);
  const ir::Tensor& x = op.Operand(input);
  op.RequireType(x, {kInt8, kUint8});
  op.RequireResult({kInt8, kUint8});
  return op.Make(ir::Lookup{.table = table}, x.shape);
}

Graph::Tensor Graph::Quantize(Tensor input, const Result& result) {
  NewOperator op(*state_, ir::Quantize{}, result);
  const ir::Tensor& x = op.Operand(input);
  op.RequireType(x, {kFloat32, kInt8, kUint8, kInt16});
  if (x.type != kInt8) op.Default(kInt8, x.scale, 0);
  op.RequireResult({kInt8, kUint8, kInt16});
  if (x.type != kFloat32) op.RequireFactor(Scale(x));
  return op.Make(ir::Quantize{}, x.shape);
}

Graph::Tensor Graph::Dequantize(Tensor input, const Result& result) {
  NewOperator op(*state_, ir::Dequantize{}, result);
  const ir::Tensor& x = op.Operand(input);
  op.RequireType(x, {kInt8, kUint8, kInt16});
  op.Default(kFloat32, 1.0F, 0);
  op.RequireResult({kFloat32});
  return op.Make(ir::Dequantize{}, x.shape);
}

Graph::Tensor Graph::Softmax(Tensor input, float beta, const Result& result) {
  NewOperator op(*state_, ir::Softmax{}, result);
  const ir::Tensor& x = op.Activations(input);
  op.Require(std::isfinite(beta) && beta > 0.0F, "beta is {}", beta);
  op.Require(!x.shape.empty(), "{} has no dimensions", x.name);
  RequireMadeFor(op, 1.0F / 256, -128);
  op.Require(op.OnFloats() || op.Output().scale == 1.0F / 256,
             "the result must have scale {}, not {}", 1.0F / 256, op.Output().scale);
  return op.Make(ir::Softmax{.beta = beta}, x.shape);
}

Graph::Tensor Graph::L2Normalization(Tensor input, const Result& result) {
  NewOperator op(*state_, ir::L2Normalization{}, result);
  const ir::Tensor& x = op.Operand(input);
  op.RequireType(x, {kInt8});
  op.Require(!x.shape.empty(), "{} has no dimensions", x.name);
  op.Default(kInt8, 1.0F / 128, 0);
  op.RequireResult({kInt8});
  return op.Make(ir::L2Normalization{}, x.shape);
}

Graph::Tensor Graph::Reduce(ReduceKind kind, Tensor input, const std::vector<std::int64_t>& axes,
                            bool keep_axes, const Result& result) {
  NewOperator op(*state_, ir::Reduce{.kind = kind, .axes = {}}, result);
  const ir::Tensor& x = op.Activations(input);
  std::set<std::int64_t> reduced;
  for (const std::int64_t axis : axes) {
    reduced.insert(static_cast<std::int64_t>(op.Axis(axis, x.shape.size())));
  }
  op.Require(!reduced.empty(), "there are no axes to reduce");
  op.RequireScalable(Scale(x));
  Shape shape;
  for (std::size_t i = 0; i < x.shape.size(); ++i) {
    const bool is_reduced = reduced.contains(static_cast<std::int64_t>(i));
    if (!is_reduced || keep_axes) shape.push_back(is_reduced ? 1 : x.shape[i]);
  }
  return op.Make(ir::Reduce{.kind = kind, .axes = {reduced.begin(), reduced.end()}}, shape,
                 /*may_be_reshaped=*/true);
}

Graph::Tensor Graph::ArgExtreme(Tensor input, std::int64_t axis, bool smallest,
                                const Result& result) {
  NewOperator op(*state_, ir::ArgMax{.smallest = smallest}, result);
  const ir::Tensor& x = op.Activations(input);
  const std::size_t a = op.Axis(axis, x.shape.size());
  op.Default(kInt32, 1.0F, 0);
  op.RequireResult({kInt32, kInt64});
  Shape shape = x.shape;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(a));
  return op.Make(ir::ArgMax{.axis = static_cast<std::int64_t>(a), .smallest = smallest}, shape);
}

Graph::Tensor Graph::ArgMax(Tensor input, std::int64_t axis, const Result& result) {
  return ArgExtreme(input, axis, false, result);
}

Graph::Tensor Graph::ArgMin(Tensor input, std::int64_t axis, const Result& result) {
  return ArgExtreme(input, axis, true, result);
}

}  // namespace tpu
