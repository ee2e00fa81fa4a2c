// SPDX-License-Identifier: Apache-2.0
// BATCH_MATMUL: products of two tensors that operators make, one matrix after the other.
#include <algorithm>
#include <array>

#include "compiler/legalise/legalise_rules.h"
#include "ir/range.h"

namespace tpu::compiler {
namespace {

// Each is an operator of its own. No reasonable model has more.
constexpr std::int64_t kMostProducts = 4096;

// The last two dimensions of a tensor, `transposed` or not, and those before.
struct Matrices {
  ir::Shape batch;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  bool transposed = false;

  [[nodiscard]] std::int64_t Size() const { return rows * columns; }
  [[nodiscard]] std::int64_t RowStride() const { return transposed ? 1 : columns; }
  [[nodiscard]] std::int64_t ColumnStride() const { return transposed ? rows : 1; }
};

Matrices MatricesOf(const OperatorView& view, const ir::Tensor& tensor, bool transposed) {
  ir::Shape shape = tensor.shape;
  view.Require(shape.size() >= 2, "{} must have 2 dimensions or more", tensor.name);
  Matrices matrices = {.batch = {shape.begin(), shape.end() - 2},
                       .rows = shape[shape.size() - 2],
                       .columns = shape.back(),
                       .transposed = transposed};
  if (transposed) std::swap(matrices.rows, matrices.columns);
  return matrices;
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

// Matrix number `member` of the tensor by itself.
ir::TensorId Matrix(const OperatorView& view, ir::TensorId tensor, const Matrices& matrices,
                    std::int64_t member) {
  if (view.graph.At(tensor).Elements() == matrices.Size() && !matrices.transposed) {
    return view.Reshaped(tensor, {matrices.rows, matrices.columns});
  }
  const ir::TensorId matrix =
      view.Like(view.graph.At(tensor), {matrices.rows, matrices.columns}, "matrix");
  view.Add({tensor}, matrix,
           ir::Move{.copies = {{.from = member * matrices.Size(),
                                .loops = {{.count = matrices.rows,
                                           .from_stride = matrices.RowStride(),
                                           .to_stride = matrices.columns},
                                          {.count = matrices.columns,
                                           .from_stride = matrices.ColumnStride(),
                                           .to_stride = 1}}}}});
  return matrix;
}

// Parts of an axis in blocks of `lanes`: the whole blocks, and what is left.
struct BlockRun {
  std::int64_t first = 0;  // Block.
  std::int64_t blocks = 0;
  std::int64_t size = 0;  // Of each block.
};

std::vector<BlockRun> BlockRuns(std::int64_t total, std::int64_t lanes) {
  std::vector<BlockRun> runs;
  if (total >= lanes) runs.push_back({.first = 0, .blocks = total / lanes, .size = lanes});
  if (total % lanes != 0) {
    runs.push_back({.first = total / lanes, .blocks = 1, .size = total % lanes});
  }
  return runs;
}

// Matrix number `member` in the tiles that the array takes: [output block][input block][k][n],
// zero where there is no channel.
ir::TensorId Tiles(const OperatorView& view, ir::TensorId tensor, const Matrices& matrices,
                   std::int64_t member) {
  const std::int64_t n = view.graph.Config().n;
  const std::int64_t tile = n * n;
  const std::int64_t input_blocks = ir::CeilDiv(matrices.rows, n);
  const std::int64_t output_blocks = ir::CeilDiv(matrices.columns, n);
  const ir::Tensor& like = view.graph.At(tensor);
  const ir::TensorId tiles = view.Like(like, {output_blocks, input_blocks, n, n}, "tiles");
  ir::Tensor zeros = {.name = view.op.name + "/zeros", .type = ElementType::kBfloat16};
  zeros.shape = {tile};
  zeros.data = std::vector<Bfloat16>(static_cast<std::size_t>(tile));

  ir::Move move;
  move.copies.push_back(
      {.input = 1,
       .loops = {{.count = output_blocks * input_blocks, .from_stride = 0, .to_stride = tile},
                 {.count = tile, .from_stride = 1, .to_stride = 1}}});
  for (const BlockRun& out : BlockRuns(matrices.columns, n)) {
    for (const BlockRun& in : BlockRuns(matrices.rows, n)) {
      move.copies.push_back(
          {.from = member * matrices.Size() + out.first * n * matrices.ColumnStride() +
                   in.first * n * matrices.RowStride(),
           .to = (out.first * input_blocks + in.first) * tile,
           .loops = {
               {.count = out.blocks,
                .from_stride = n * matrices.ColumnStride(),
                .to_stride = input_blocks * tile},
               {.count = in.blocks, .from_stride = n * matrices.RowStride(), .to_stride = tile},
               {.count = in.size, .from_stride = matrices.RowStride(), .to_stride = n},
               {.count = out.size, .from_stride = matrices.ColumnStride(), .to_stride = 1}}});
    }
  }
  view.Add({tensor, view.graph.AddTensor(std::move(zeros))}, tiles, std::move(move));
  return tiles;
}

}  // namespace

void Legalise(const OperatorView& view, const ir::BatchMatMul& op) {
  view.RequireFloats();
  const Matrices a = MatricesOf(view, view.Input(0), op.transposed[0]);
  const Matrices b = MatricesOf(view, view.Input(1), op.transposed[1]);
  const Matrices c = MatricesOf(view, view.Output(), false);
  view.Require(a.columns == b.rows && c.rows == a.rows && c.columns == b.columns,
               "{} x {} and {} x {} do not make {} x {}", a.rows, a.columns, b.rows, b.columns,
               c.rows, c.columns);
  const std::int64_t products = view.Output().Elements() / c.Size();
  view.Require(products <= kMostProducts, "{} products; at most {}", products, kMostProducts);
  const auto macs = static_cast<std::uint64_t>(c.Size() * a.columns);
  ir::Move join;
  std::vector<ir::TensorId> results;
  for (std::int64_t i = 0; i < products; ++i) {
    results.push_back(view.Like(view.Output(), {c.rows, c.columns}, "product"));
    view.Add({Matrix(view, view.op.inputs[0], a, Member(a, c.batch, i)),
              Tiles(view, view.op.inputs[1], b, Member(b, c.batch, i))},
             results.back(), ir::MatMul{}, macs);
    join.copies.push_back({.input = static_cast<std::size_t>(i),
                           .to = i * c.Size(),
                           .loops = {{.count = c.Size(), .from_stride = 1, .to_stride = 1}}});
  }
  if (products == 1) {
    view.Add(results, view.op.outputs[0], ir::Reshape{});
  } else {
    view.Add(results, view.op.outputs[0], join);
  }
}

}  // namespace tpu::compiler
