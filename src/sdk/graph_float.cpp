// SPDX-License-Identifier: Apache-2.0
// Operators on float32 alone.
#include "sdk/graph_state.h"

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
  const ir::Tensor& x = op.Floats(input);
  op.RequireComputed();
  return op.Make(ir::Function{.kind = kind}, x.shape);
}

Graph::Tensor Graph::Divide(Tensor first, Tensor second, Activation activation,
                            const Result& result) {
  const ir::Divide attributes = {.activation = activation};
  NewOperator op(*state_, attributes, result);
  const ir::Tensor& a = op.Floats(first);
  const ir::Tensor& b = op.Floats(second);
  op.RequireComputed();
  return op.Make(attributes, op.Broadcast(a.shape, b.shape));
}

Graph::Tensor Graph::SquaredDifference(Tensor first, Tensor second, const Result& result) {
  NewOperator op(*state_, ir::SquaredDifference{}, result);
  const ir::Tensor& a = op.Floats(first);
  const ir::Tensor& b = op.Floats(second);
  op.RequireComputed();
  return op.Make(ir::SquaredDifference{}, op.Broadcast(a.shape, b.shape));
}

Graph::Tensor Graph::BatchMatMul(Tensor first, Tensor second, bool first_transposed,
                                 bool second_transposed, const Result& result) {
  const ir::BatchMatMul attributes = {.transposed = {first_transposed, second_transposed}};
  NewOperator op(*state_, attributes, result);
  const auto operand = [&](Tensor tensor, bool transposed) {
    const ir::Tensor& x = op.Floats(tensor);
    op.Require(x.shape.size() >= 2, "{} {} must have 2 dimensions or more", x.name,
               sdk::Text(x.shape));
    return MatricesOf(x.shape, transposed);
  };
  const Matrices a = operand(first, first_transposed);
  const Matrices b = operand(second, second_transposed);
  op.RequireComputed();
  op.Require(a.columns == b.rows, "{} columns of the first matrices meet {} rows of the second",
             a.columns, b.rows);
  Shape shape = op.Broadcast(a.batch, b.batch);
  shape.insert(shape.end(), {a.rows, b.columns});
  return op.Make(attributes, std::move(shape));
}

}  // namespace tpu
