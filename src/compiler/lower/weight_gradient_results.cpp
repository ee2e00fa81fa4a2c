// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/weight_gradient_results.h"

#include <utility>

#include "compiler/lower/operations.h"
#include "compiler/program/fields.h"
#include "compiler/program/parameters.h"

namespace tpu::compiler {
isa::Fvector DrainOf(std::int64_t accumulators, std::int64_t block_rows, std::int64_t blocks,
                     std::int64_t rows) {
  isa::Fvector vector = FloatOperation(ir::Activation::kNone);
  vector.source = isa::VectorSource::kAccumulators;
  vector.a_format = isa::NumberFormat::kFloat32;
  vector.n_cb = U32(blocks);
  vector.n_oh = 1;
  vector.n_ow = U32(rows);
  vector.a_row = S32(accumulators);
  vector.a_cb = S32(block_rows);
  vector.a_ow = 1;
  vector.y_bound = 1;
  vector.x_bound = 1;
  return vector;
}

WeightGradientResults::WeightGradientResults(const WeightGradientTensors& tensors,
                                             const WeightGradientShape& shape,
                                             const std::array<std::int64_t, 2>& rows,
                                             std::int64_t identity_row, Emitter& emitter)
    : tensors_(tensors),
      shape_(shape),
      rows_(rows),
      identity_row_(identity_row),
      n_(emitter.Lanes()),
      emitter_(emitter) {
  const std::vector<LaneParameters> entry(static_cast<std::size_t>(n_),
                                          FloatParameters(0.0F, 0.0F));
  const std::uint64_t address = emitter_.AddConstant(PackParameters(entry, emitter_.Config()));
  entry_ = emitter_.AllocateParameters(1);
  emitter_.LoadParameters(address, 1, entry_);
}

void WeightGradientResults::Emit(isa::Fvector vector, std::vector<Access> accesses) {
  vector.param_row = U32(entry_);
  accesses.push_back(BufferRows(entry_, 1, false));
  accesses.back().space = Space::kParameters;
  emitter_.Emit(vector, std::move(accesses));
}

void WeightGradientResults::Drain(const WeightGradientPart& part, std::int64_t tap,
                                  std::int64_t sums) {
  if (shape_.depthwise) {
    DrainDiagonal(part, tap, sums);
    return;
  }
  for (const ir::Range& blocks : ir::Split(part.inputs, kDrainedBlocks)) {
    DrainBlocks(part, tap, blocks, sums);
  }
}

// Between a tile in the buffer and its place among the numbers of a tensor.
template <typename Instruction>
Instruction WeightGradientResults::Transfer(const Placement& placement, const ResultTile& tile,
                                            std::int64_t row) {
  const std::int64_t bytes = placement.format.Bytes();
  Instruction transfer;
  transfer.format = isa::NumberFormatOf(placement.format);
  transfer.dram_addr = placement.address + static_cast<std::uint64_t>(bytes * tile.place);
  transfer.row_bytes = U32(tile.channels * bytes);
  transfer.rows = U32(tile.rows);
  transfer.row_stride = tile.rows > 1 ? U32(tile.stride * bytes) : 0;
  transfer.row = U32(row);
  transfer.plane_stride = U32(tile.rows * bytes);
  transfer.pixel_bytes = transfer.row_bytes;
  transfer.pixel_stride = U32(bytes);
  return transfer;
}

// The rows of a transfer one by one, as other tiles have their places between them.
template <typename Instruction>
void WeightGradientResults::EmitTransfer(const Instruction& transfer, bool write,
                                         const Access& rows) {
  std::vector<Access> accesses = {rows};
  std::uint64_t begin = transfer.dram_addr;
  for (std::uint32_t i = 0; i < transfer.rows; ++i) {
    accesses.push_back({.space = Space::kMemory,
                        .write = write,
                        .begin = begin,
                        .end = begin + transfer.row_bytes});
    begin += transfer.row_stride;
  }
  emitter_.Emit(transfer, std::move(accesses));
}

// Two places in the buffer take turns.
void WeightGradientResults::Place(ResultTile& tile) {
  tile.row = rows_.at(turn_++ % 2);
  tile.minuend = tile.row + tile.Numbers() * kFloat32Rows;
  tile.rounded = tile.minuend + (tensors_.minuend ? tile.Numbers() * kFloat32Rows : 0);
}

void WeightGradientResults::DrainBlocks(const WeightGradientPart& part, std::int64_t tap,
                                        const ir::Range& inputs, std::int64_t sums) {
  // [output][tap][input] in memory.
  const std::int64_t taps = shape_.down.size * shape_.across.size;
  ResultTile tile = {
      .place = (part.outputs.begin * n_ * taps + tap) * shape_.x.c + inputs.begin * n_,
      .channels = std::min(shape_.x.c, inputs.end * n_) - inputs.begin * n_,
      .blocks = inputs.Size(),
      .rows = part.Outputs(shape_, n_),
      .stride = taps * shape_.x.c};
  Place(tile);
  LoadMinuend(tile);
  sums += (inputs.begin - part.inputs.begin) * tile.rows;
  isa::Fvector vector = DrainOf(sums, tile.rows, tile.blocks, tile.rows);
  std::vector<Access> accesses = {AccumulatorRows(sums, tile.Numbers(), false)};
  if (tensors_.minuend) {
    vector.map = isa::FloatMap::kReverseSubtract;
    vector.b_format = isa::NumberFormat::kFloat32;
    vector.b_row = S32(tile.minuend);
    vector.b_cb = S32(tile.rows * kFloat32Rows);
    vector.b_ow = S32(kFloat32Rows);
    accesses.push_back(BufferRows(tile.minuend, tile.Numbers() * kFloat32Rows, false));
  }
  Write(vector, tile, std::move(accesses));
  StoreResults(tile);
}

// Each channel's sum with itself: of each lane, the sum of products with ones on the diagonal.
void WeightGradientResults::DrainDiagonal(const WeightGradientPart& part, std::int64_t tap,
                                          std::int64_t sums) {
  ResultTile tile = {.place = tap * shape_.x.c + part.inputs.begin * n_,
                     .channels = part.Outputs(shape_, n_)};
  Place(tile);
  LoadMinuend(tile);
  isa::Fvector vector = DrainOf(sums, tile.channels, 1, 1);
  vector.map = isa::FloatMap::kMultiply;
  vector.b_format = isa::NumberFormat::kBfloat16;
  vector.n_kh = U32(tile.channels);
  vector.a_kh = 1;
  vector.b_row = S32(identity_row_);
  vector.b_kh = S32(kBfloat16Rows);
  Write(vector, tile,
        {AccumulatorRows(sums, tile.channels, false),
         BufferRows(identity_row_, tile.channels * kBfloat16Rows, false)});
  if (tensors_.minuend) {
    isa::Fvector subtract = Elements(tile.row, tile);
    subtract.map = isa::FloatMap::kReverseSubtract;
    subtract.b_format = isa::NumberFormat::kFloat32;
    subtract.b_row = S32(tile.minuend);
    Write(
        subtract, tile,
        {BufferRows(tile.row, kFloat32Rows, false), BufferRows(tile.minuend, kFloat32Rows, false)});
  }
  StoreResults(tile);
}

// To the results' rows.
void WeightGradientResults::Write(isa::Fvector vector, const ResultTile& tile,
                                  std::vector<Access> accesses) {
  vector.o_format = isa::NumberFormat::kFloat32;
  vector.o_row = U32(tile.row);
  vector.o_cb = S32(tile.rows * kFloat32Rows);
  vector.o_ow = S32(kFloat32Rows);
  accesses.push_back(BufferRows(tile.row, tile.Numbers() * kFloat32Rows, true));
  Emit(vector, std::move(accesses));
}

// The tile's rows, from the buffer.
isa::Fvector WeightGradientResults::Elements(std::int64_t row, const ResultTile& tile) {
  isa::Fvector vector = FloatOperation(ir::Activation::kNone);
  vector.a_format = isa::NumberFormat::kFloat32;
  vector.n_cb = U32(tile.blocks);
  vector.n_ow = U32(tile.rows);
  vector.a_row = S32(row);
  vector.a_cb = S32(tile.rows * kFloat32Rows);
  vector.a_ow = S32(kFloat32Rows);
  vector.y_bound = 1;
  vector.x_bound = 1;
  return vector;
}

void WeightGradientResults::LoadMinuend(const ResultTile& tile) {
  if (!tensors_.minuend) return;
  const auto load = Transfer<isa::Load>(*tensors_.minuend, tile, tile.minuend);
  EmitTransfer(load, false, BufferRows(tile.minuend, tile.Numbers() * kFloat32Rows, true));
}

void WeightGradientResults::StoreResults(const ResultTile& tile) {
  const auto store = Transfer<isa::Store>(tensors_.result, tile, tile.row);
  EmitTransfer(store, true, BufferRows(tile.row, tile.Numbers() * kFloat32Rows, false));
  if (!tensors_.rounded) return;
  isa::Fvector vector = Elements(tile.row, tile);
  vector.o_format = isa::NumberFormat::kBfloat16;
  vector.o_row = U32(tile.rounded);
  vector.o_cb = S32(tile.rows * kBfloat16Rows);
  vector.o_ow = S32(kBfloat16Rows);
  Emit(vector, {BufferRows(tile.row, tile.Numbers() * kFloat32Rows, false),
                BufferRows(tile.rounded, tile.Numbers() * kBfloat16Rows, true)});
  const auto rounded = Transfer<isa::Store>(*tensors_.rounded, tile, tile.rounded);
  EmitTransfer(rounded, true, BufferRows(tile.rounded, tile.Numbers() * kBfloat16Rows, false));
}

void WeightGradientResults::DrainBias(const WeightGradientPart& part, std::int64_t sums) {
  ResultTile tile = {.place = part.outputs.begin * n_,
                     .channels = 1,  // The first lane of each row.
                     .rows = part.Outputs(shape_, n_),
                     .stride = 1};
  Place(tile);
  Write(DrainOf(sums, tile.rows, 1, tile.rows), tile, {AccumulatorRows(sums, tile.rows, false)});
  const auto store = Transfer<isa::Store>(*tensors_.bias, tile, tile.row);
  EmitTransfer(store, true, BufferRows(tile.row, tile.Numbers() * kFloat32Rows, false));
}

}  // namespace tpu::compiler
