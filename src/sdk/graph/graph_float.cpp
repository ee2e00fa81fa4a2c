// SPDX-License-Identifier: Apache-2.0
// Operators on float32 that are tables, host calls or products of two results on int8.
#include <algorithm>
#include <cmath>

#include "sdk/graph/graph_state.h"

namespace tpu {
namespace {

// A tensor as matrices.
struct Matrices {
  Shape batch;
  std::int64_t rows;
  std::int64_t columns;
};

Matrices MatricesOf(const Shape& shape, bool transposed) {
  const std::size_t n = shape.size();
  const auto [rows, columns] =
      transposed ? std::pair{shape[n - 1], shape[n - 2]} : std::pair{shape[n - 2], shape[n - 1]};
  return {.batch = {shape.begin(), shape.end() - 2}, .rows = rows, .columns = columns};
}

}  // namespace

Graph::Tensor Graph::Function(FunctionKind kind, Tensor input, const Result& result) {
  NewOperator op(*state_, ir::Function{.kind = kind}, result);
  const bool on_integers = kind == FunctionKind::kAbsolute || kind == FunctionKind::kRsqrt;
  const ir::Tensor& x = on_integers ? op.Activations(input) : op.Floats(input);
  const double scale = kind == FunctionKind::kRsqrt ? 1.0 / std::sqrt(static_cast<double>(x.scale))
                                                    : static_cast<double>(x.scale);
  op.RequireScalable(scale);
  op.Require(kind != FunctionKind::kRsqrt || op.OnFloats() ||
                 scale / static_cast<double>(op.Output().scale) >= std::ldexp(1.0, -12),
             "the scales make too small a factor");
  return op.Make(ir::Function{.kind = kind}, x.shape);
}

Graph::Tensor Graph::Divide(Tensor first, Tensor second, Activation activation,
                            const Result& result) {
  const ir::Divide attributes = {.activation = activation};
  NewOperator op(*state_, attributes, result);
  const ir::Tensor& a = op.Activations(first);
  const ir::Tensor& b = op.Activations(second);
  op.RequireScalable(static_cast<double>(a.scale) / static_cast<double>(b.scale));
  return op.Make(attributes, op.Broadcast(a.shape, b.shape));
}

Graph::Tensor Graph::SquaredDifference(Tensor first, Tensor second, const Result& result) {
  NewOperator op(*state_, ir::SquaredDifference{}, result);
  const ir::Tensor& a = op.Activations(first);
  const ir::Tensor& b = op.Activations(second);
  const auto larger = static_cast<double>(std::max(a.scale, b.scale));
  op.RequireScalable(larger * larger);
  return op.Make(ir::SquaredDifference{}, op.Broadcast(a.shape, b.shape));
}

Graph::Tensor Graph::AddN(std::span<const Tensor> inputs, const Result& result) {
  NewOperator op(*state_, ir::AddN{}, result);
  op.Require(inputs.size() >= 2, "has {} inputs; at least 2", inputs.size());
  const ir::Tensor& first = op.Activations(inputs[0]);
  for (const Tensor input : inputs.subspan(1)) {
    const ir::Tensor& x = op.Activations(input);
    op.Require(x.shape == first.shape, "{} {} and {} {} must have the same shape", first.name,
               sdk::Text(first.shape), x.name, sdk::Text(x.shape));
    op.Require(op.OnFloats() || (x.scale == first.scale && x.zero_point == first.zero_point),
               "{} and {} must have the same scale and zero point", first.name, x.name);
  }
  op.RequireScalable(static_cast<double>(first.scale));
  return op.Make(ir::AddN{}, first.shape);
}

Graph::Tensor Graph::BatchMatMul(Tensor first, Tensor second, bool first_transposed,
                                 bool second_transposed, const Result& result) {
  const ir::BatchMatMul attributes = {.transposed = {first_transposed, second_transposed}};
  NewOperator op(*state_, attributes, result);
  double unit = 1.0;
  const auto operand = [&](Tensor tensor, bool transposed) {
    const ir::Tensor& x = op.Activations(tensor);
    unit *= static_cast<double>(x.scale);
    op.Require(x.shape.size() >= 2, "{} {} must have 2 dimensions or more", x.name,
               sdk::Text(x.shape));
    return MatricesOf(x.shape, transposed);
  };
  const Matrices a = operand(first, first_transposed);
  const Matrices b = operand(second, second_transposed);
  op.RequireScalable(unit);
  op.Require(a.columns == b.rows, "{} columns of the first matrices meet {} rows of the second",
             a.columns, b.rows);
  Shape shape = op.Broadcast(a.batch, b.batch);
  shape.insert(shape.end(), {a.rows, b.columns});
  return op.Make(attributes, std::move(shape));
}

}  // namespace tpu
