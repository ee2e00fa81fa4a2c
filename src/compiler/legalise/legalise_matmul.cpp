// SPDX-License-Identifier: Apache-2.0
// BATCH_MATMUL: products of two tensors that operators make.
#include <algorithm>

#include "compiler/legalise/copy_elements.h"
#include "compiler/legalise/legalise_rules.h"
#include "ir/range.h"

namespace tpu::compiler {
namespace {

// Each has instructions of its own. No reasonable model has more.
constexpr std::int64_t kMostProducts = 4096;

// The last two dimensions of a tensor and those before, none of which is a leading 1.
struct Matrices {
  ir::Shape batch;
  std::int64_t rows = 0;
  std::int64_t columns = 0;

  [[nodiscard]] std::int64_t Size() const { return rows * columns; }
};

Matrices MatricesOf(const OperatorView& view, const ir::Tensor& tensor) {
  const ir::Shape& shape = tensor.shape;
  view.Require(shape.size() >= 2, "{} must have 2 dimensions or more", tensor.name);
  const auto last = shape.end() - 2;
  return {.batch = {std::find_if(shape.begin(), last, [](std::int64_t d) { return d != 1; }), last},
          .rows = shape[shape.size() - 2],
          .columns = shape.back()};
}

// Which of the matrices belongs to number `index` of those of `batch`, by numpy's rules.
std::int64_t Member(const Matrices& matrices, const ir::Shape& batch, std::int64_t index) {
  std::int64_t member = 0;
  std::int64_t stride = 1;
  for (std::size_t d = 0; d < batch.size(); ++d) {  // From the last dimension on.
    const std::int64_t size = batch[batch.size() - 1 - d];
    const std::int64_t own =
        d < matrices.batch.size() ? matrices.batch[matrices.batch.size() - 1 - d] : 1;
    if (own != 1) member += index % size * stride;
    stride *= own;
    index /= size;
  }
  return member;
}

// A matrix for each product of `batch`, in the order of the products, with rows for columns when
// `turned`.
ir::TensorId ForEachProduct(const OperatorView& view, ir::TensorId tensor, const Matrices& matrices,
                            const ir::Shape& batch, std::int64_t products, bool turned) {
  if (matrices.batch == batch && !turned) {
    return view.Reshaped(tensor, {products, 1, matrices.rows, matrices.columns});
  }
  ir::Shape shape = {products, 1, matrices.rows, matrices.columns};
  if (turned) std::swap(shape[2], shape[3]);
  const ir::TensorId made = view.Like(view.graph.At(tensor), shape, "matrices");
  ir::Move move;
  for (std::int64_t i = 0; i < products; ++i) {
    move.copies.push_back(
        {.from = Member(matrices, batch, i) * matrices.Size(),
         .to = i * matrices.Size(),
         .loops = {
             {.count = shape[2],
              .from_stride = turned ? 1 : matrices.columns,
              .to_stride = shape[3]},
             {.count = shape[3], .from_stride = turned ? matrices.columns : 1, .to_stride = 1}}});
  }
  view.Add({tensor}, made, std::move(move));
  return made;
}

// Where an element of a matrix lies among those of its tensor.
struct MatrixStrides {
  std::int64_t row = 0;
  std::int64_t column = 0;
};

// The shape of the matrices' weight tiles.
ir::Shape TilesOf(std::int64_t products, std::int64_t rows, std::int64_t columns,
                  std::int64_t lanes) {
  return {products * ir::CeilDiv(columns, lanes), 1, ir::RoundUp(rows, lanes), lanes};
}

// The copies that make the tiles of one matrix, whose element 0 lies at `from`, of those behind
// `to`.
void AddTileCopies(ir::Move& move, std::int64_t rows, std::int64_t columns,
                   const MatrixStrides& strides, std::int64_t from, std::int64_t to,
                   std::int64_t lanes) {
  const std::int64_t block = ir::RoundUp(rows, lanes) * lanes;
  const std::int64_t whole = columns / lanes;
  const auto add = [&](std::int64_t first, std::int64_t blocks, std::int64_t width) {
    if (blocks * width == 0) return;
    move.copies.push_back(
        {.from = from + first * lanes * strides.column,
         .to = to + first * block,
         .loops = {{.count = blocks, .from_stride = lanes * strides.column, .to_stride = block},
                   {.count = rows, .from_stride = strides.row, .to_stride = lanes},
                   {.count = width, .from_stride = strides.column, .to_stride = 1}}});
  };
  add(0, whole, lanes);
  add(whole, 1, columns % lanes);
}

// The weight tiles of a matrix for each product, whose rows and columns are those of the product's
// second factor.
ir::TensorId TilesForEachProduct(const OperatorView& view, ir::TensorId tensor,
                                 const Matrices& matrices, const ir::Shape& batch,
                                 std::int64_t products, bool transposed) {
  const std::int64_t lanes = view.graph.Config().n;
  const std::int64_t rows = transposed ? matrices.columns : matrices.rows;
  const std::int64_t columns = transposed ? matrices.rows : matrices.columns;
  const MatrixStrides strides = {.row = transposed ? 1 : matrices.columns,
                                 .column = transposed ? matrices.columns : 1};
  const ir::Tensor from = view.graph.At(tensor);
  const bool are_tiles = columns == lanes && rows % lanes == 0 && !transposed;
  if (are_tiles && matrices.batch == batch && !from.IsConstant()) {
    return view.Reshaped(tensor, TilesOf(products, rows, columns, lanes));
  }
  ir::Tensor to = {.name = view.op.name + "/tiles", .type = from.type};
  to.shape = TilesOf(products, rows, columns, lanes);
  to.scale = from.scale;
  to.zero_point = from.zero_point;
  view.Require(to.Elements() <= kMostConstant, "the matrices {} are too large", from.name);
  ir::Move move;
  const std::int64_t size = to.Elements() / products;
  for (std::int64_t i = 0; i < products; ++i) {
    AddTileCopies(move, rows, columns, strides, Member(matrices, batch, i) * matrices.Size(),
                  i * size, lanes);
  }
  if (const auto* values = std::get_if<std::vector<std::int8_t>>(&from.data)) {
    std::vector<std::int8_t> tiles(static_cast<std::size_t>(to.Elements()), 0);
    for (const ir::Move::Copy& copy : move.copies) CopyElements(*values, copy, tiles);
    to.data = std::move(tiles);
    return view.graph.AddTensor(std::move(to));
  }
  std::vector<ir::TensorId> inputs = {tensor};
  if (rows % lanes != 0) {
    ir::Tensor zeros = {.name = view.op.name + "/zeros", .shape = {lanes}};
    zeros.data = std::vector<std::int8_t>(static_cast<std::size_t>(lanes), 0);
    inputs.push_back(view.graph.AddTensor(std::move(zeros)));
    const std::int64_t padded = to.shape[2];
    move.copies.push_back({.input = 1,
                           .to = rows * lanes,
                           .loops = {{.count = to.shape[0], .to_stride = padded * lanes},
                                     {.count = padded - rows, .to_stride = lanes},
                                     {.count = lanes, .from_stride = 1, .to_stride = 1}}});
  }
  const ir::TensorId made = view.graph.AddTensor(std::move(to));
  view.Add(std::move(inputs), made, std::move(move));
  return made;
}

}  // namespace

void Legalise(const OperatorView& view, const ir::BatchMatMul& op) {
  view.RequireComputable({&view.Input(0), &view.Input(1), &view.Output()});
  Matrices a = MatricesOf(view, view.Input(0));
  const Matrices b = MatricesOf(view, view.Input(1));
  Matrices c = MatricesOf(view, view.Output());
  const std::int64_t rows = op.transposed[0] ? a.columns : a.rows;
  const std::int64_t terms = op.transposed[0] ? a.rows : a.columns;
  const std::int64_t b_terms = op.transposed[1] ? b.columns : b.rows;
  const std::int64_t columns = op.transposed[1] ? b.rows : b.columns;
  view.Require(terms == b_terms && c.rows == rows && c.columns == columns,
               "{} x {} and {} x {} do not make {} x {}", rows, terms, b_terms, columns, c.rows,
               c.columns);
  std::int64_t products = view.Output().Elements() / c.Size();
  view.Require(products <= kMostProducts, "{} products; at most {}", products, kMostProducts);
  if (b.batch.empty() && !op.transposed[0] && a.batch == c.batch) {
    // Of one second factor all rows make one product.
    a = {.batch = {}, .rows = rows * products, .columns = terms};
    c = {.batch = {}, .rows = rows * products, .columns = columns};
    products = 1;
  }
  const ir::TensorId result =
      view.Like(view.Output(), {products, 1, c.rows, c.columns}, "products");
  // Machines with bf16 take computed factors from the unified buffer, as they lie or transposed.
  const bool tiled =
      !view.ComputesFloats() && (view.graph.Config().bf16 == 0 || view.Input(1).IsConstant());
  const ir::TensorId first =
      ForEachProduct(view, view.op.inputs[0], a, c.batch, products, op.transposed[0]);
  const ir::TensorId second =
      tiled ? TilesForEachProduct(view, view.op.inputs[1], b, c.batch, products, op.transposed[1])
            : ForEachProduct(view, view.op.inputs[1], b, c.batch, products, false);
  view.Add({first, second}, result,
           ir::MatMul{.transposed = !tiled && op.transposed[1], .tiled = tiled},
           static_cast<std::uint64_t>(products * c.Size() * terms));
  view.Add({result}, view.op.outputs[0], ir::Reshape{});
}

}  // namespace tpu::compiler
