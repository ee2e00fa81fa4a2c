// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/padded_tile.h"

#include <algorithm>
#include <cstdint>

#include "compiler/program/fields.h"

namespace tpu::compiler {
namespace {

// Pixels of zeros, `step` UB rows apart, in all of the tile's blocks.
void FillZeros(const Tile& tile, std::int64_t blocks, std::int64_t row, std::int64_t pixels,
               std::int64_t step, std::uint64_t zeros, Emitter& emitter) {
  const std::int64_t bytes = tile.pixel * emitter.Lanes();
  for (std::int64_t block = 0; block < blocks; ++block) {
    isa::Load load;
    load.format = isa::NumberFormat::kBfloat16;
    load.dram_addr = zeros;
    load.row_bytes = U32(bytes);
    load.rows = U32(pixels);
    load.row = U32(row + block * tile.plane);
    load.pixel_bytes = U32(bytes);
    load.pixel_stride = U32(step);
    const std::int64_t first = row + block * tile.plane;
    emitter.Emit(load,
                 {{.space = Space::kUnifiedBuffer,
                   .write = true,
                   .begin = static_cast<std::uint64_t>(first),
                   .end = static_cast<std::uint64_t>(first + (pixels - 1) * step + tile.pixel)}});
  }
}

}  // namespace

void LoadPadded(const Placement& placement, std::int64_t image, const ir::Range& blocks,
                const Tile& tile, std::uint64_t zeros, PaddedColumns& columns, Emitter& emitter) {
  const Images& images = placement.images;
  const ir::Range ys = {.begin = std::clamp<std::int64_t>(tile.ys.begin, 0, images.h),
                        .end = std::clamp<std::int64_t>(tile.ys.end, 0, images.h)};
  const ir::Range xs = {.begin = std::clamp<std::int64_t>(tile.xs.begin, 0, images.w),
                        .end = std::clamp<std::int64_t>(tile.xs.end, 0, images.w)};
  for (const ir::Range& rows : {ir::Range{.begin = tile.ys.begin, .end = ys.begin},
                                ir::Range{.begin = ys.end, .end = tile.ys.end}}) {
    if (rows.Empty()) continue;
    FillZeros(tile, blocks.Size(), tile.RowOf(rows.begin, tile.xs.begin),
              rows.Size() * tile.xs.Size(), tile.pixel, zeros, emitter);
  }
  const bool has_zeros = columns.rows == tile.ys.Size() && columns.blocks >= blocks.Size();
  for (const ir::Range& beside : {ir::Range{.begin = tile.xs.begin, .end = xs.begin},
                                  ir::Range{.begin = xs.end, .end = tile.xs.end}}) {
    for (std::int64_t column = beside.begin; column < beside.end && !ys.Empty() && !has_zeros;
         ++column) {
      FillZeros(tile, blocks.Size(), tile.RowOf(ys.begin, column), ys.Size(), tile.pitch, zeros,
                emitter);
    }
  }
  if (!has_zeros) columns = {.rows = tile.ys.Size(), .blocks = blocks.Size()};
  if (ys.Empty() || xs.Empty()) return;
  Tile inside = tile;
  inside.row = tile.RowOf(ys.begin, xs.begin);
  inside.xs = xs;
  if (xs.Size() == tile.xs.Size()) {
    inside.ys = ys;
    emitter.LoadWide(placement, image, blocks, inside);
    return;
  }
  // A row by itself ends with its last pixel, so that a load does not wait for the zeros behind.
  inside.pitch = xs.Size() * tile.pixel;
  for (std::int64_t y = ys.begin; y < ys.end; ++y) {
    inside.ys = {.begin = y, .end = y + 1};
    inside.row = tile.RowOf(y, xs.begin);
    emitter.LoadWide(placement, image, blocks, inside);
  }
}

}  // namespace tpu::compiler
