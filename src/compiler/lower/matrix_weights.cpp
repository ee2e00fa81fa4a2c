// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/matrix_weights.h"

#include <algorithm>
#include <utility>

#include "compiler/program/fields.h"
#include "isa/element_format.h"

namespace tpu::compiler {
namespace {

// Shares of a layer's rows: matrices that fit a half are loaded once. Parts of larger ones take
// turns in two buffers of an eighth.
constexpr std::int64_t kWholeShare = 2;
constexpr std::int64_t kPartShare = 8;

// UB rows of N columns of N rows of a matrix.
std::int64_t RowsOfTile(const Placement& placement, std::int64_t lanes) {
  return lanes * placement.PixelRows();
}

}  // namespace

MatrixBuffers MatrixBuffersOf(const WeightMatrices& matrices, const Emitter& emitter) {
  const Placement& placement = matrices.placement;
  if (placement.row) return {};
  const std::int64_t n = emitter.Lanes();
  const std::int64_t layer_rows = emitter.LayerRows();
  MatrixBuffers buffers = {.count = placement.images.n > 1 ? 2 : 1,
                           .rows = placement.images.w * placement.PixelRows() * placement.Blocks(n),
                           .whole = true};
  if (buffers.Rows() <= layer_rows / kWholeShare) return buffers;
  const std::int64_t tile = RowsOfTile(placement, n);
  return {.count = 2,
          .rows = std::max<std::int64_t>(layer_rows / kPartShare / tile, 1) * tile,
          .whole = false};
}

MatrixWeights::MatrixWeights(const WeightMatrices& matrices, const MatrixBuffers& buffers,
                             std::int64_t row, Emitter& emitter)
    : matrices_(matrices),
      buffers_(buffers),
      emitter_(emitter),
      n_(emitter.Lanes()),
      next_row_(row),
      other_row_(row + (buffers.count - 1) * buffers.rows) {
  if (matrices.placement.row) tile_ = Tile::Resident(matrices.placement, 0);
}

std::int64_t MatrixWeights::MostTiles() const {
  const Placement& placement = matrices_.placement;
  if (!buffers_.whole) return buffers_.rows / RowsOfTile(placement, n_);
  return ir::CeilDiv(placement.images.w, n_) * placement.Blocks(n_);
}

void MatrixWeights::Bring(std::int64_t image, ir::Range outputs, ir::Range inputs) {
  const Placement& placement = matrices_.placement;
  const ir::Range tiles_down = matrices_.transposed ? outputs : inputs;
  const Part part = {.image = image,
                     .rows = {.begin = tiles_down.begin * n_,
                              .end = std::min(tiles_down.end * n_, placement.images.w)},
                     .blocks = matrices_.transposed ? inputs : outputs};
  const Tile tile = Fetch(part);
  const auto down = S32(n_ * tile.pixel);
  const auto across = S32(tile.plane);
  isa::UbWeights weights;
  weights.format = isa::NumberFormatOf(placement.format);
  weights.transpose = matrices_.transposed ? 1 : 0;
  weights.row = U32(tile.row);
  weights.s_row = S32(tile.pixel);
  weights.row_bound = U32(part.rows.Size());
  weights.n_ob = U32(outputs.Size());
  weights.n_cb = U32(inputs.Size());
  weights.s_ob = matrices_.transposed ? down : across;
  weights.s_cb = matrices_.transposed ? across : down;
  weights.along_ob = matrices_.transposed ? 1 : 0;
  weights.along_cb = matrices_.transposed ? 0 : 1;
  emitter_.Emit(weights, tile.Accesses(tile.ys, part.blocks.Size(), false));
}

Tile MatrixWeights::Fetch(const Part& part) {
  const Placement& placement = matrices_.placement;
  if (!placement.row) {
    const Part load = buffers_.whole ? Part{.image = part.image,
                                            .rows = {.begin = 0, .end = placement.images.w},
                                            .blocks = {.begin = 0, .end = placement.Blocks(n_)}}
                                     : part;
    if (fetched_ != load) {
      tile_ = Tile::Wide(next_row_, {.begin = 0, .end = 1}, load.rows, placement.PixelRows());
      emitter_.LoadWide(placement, load.image, load.blocks, tile_);
      std::swap(next_row_, other_row_);
      fetched_ = load;
    }
    if (!buffers_.whole) return tile_;
  }
  Tile tile = tile_.FromBlock(part.blocks.begin);
  tile.row += part.rows.begin * tile.pixel;
  tile.xs = part.rows;
  tile.pitch = part.rows.Size() * tile.pixel;
  return tile;
}

}  // namespace tpu::compiler
