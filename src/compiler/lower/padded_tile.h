// SPDX-License-Identifier: Apache-2.0
// Tiles that reach over the image's edges.
#pragma once

#include <cstdint>

#include "compiler/program/emitter.h"
#include "compiler/program/placement.h"

namespace tpu::compiler {

/// Rows and channel blocks of the tile that was the last in some part of the buffer. Its columns
/// beside the image are zero.
struct PaddedColumns {
  std::int64_t rows = 0;
  std::int64_t blocks = 0;
};

/// Loads the part of the image that a wide tile of bfloat16 has, and zeros where the tile reaches
/// over the image. At `zeros` in memory are N numbers that are zero. `columns` is of the last tile
/// in this part of the buffer, which had the same columns: their zeros stay for the next one.
void LoadPadded(const Placement& placement, std::int64_t image, const ir::Range& blocks,
                const Tile& tile, std::uint64_t zeros, PaddedColumns& columns, Emitter& emitter);

}  // namespace tpu::compiler
