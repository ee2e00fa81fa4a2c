// SPDX-License-Identifier: Apache-2.0
// Tensors as strings of elements, of which N at a time are a pixel.
#pragma once

#include <cstdint>

#include "compiler/program/emitter.h"
#include "compiler/program/placement.h"

namespace tpu::compiler {

/// The tensor's elements from number `first` on as so many pixels.
inline Placement PixelsOf(Placement placement, std::int64_t first, std::int64_t channels,
                          std::int64_t pixels) {
  placement.address += static_cast<std::uint64_t>(placement.format.BytesOf(first));
  placement.layout = Layout::kNhwc;
  placement.images = {.w = pixels, .c = channels};
  return placement;
}

/// Some of these pixels from a row of the buffer on, each of so many rows.
inline Tile FlatTile(std::int64_t row, const ir::Range& pixels, std::int64_t rows) {
  return Tile::Wide(row, {.begin = 0, .end = 1}, pixels, rows);
}

inline Access RowsOf(Space space, std::int64_t first, std::int64_t count, bool write) {
  return {.space = space,
          .write = write,
          .begin = static_cast<std::uint64_t>(first),
          .end = static_cast<std::uint64_t>(first + count)};
}

}  // namespace tpu::compiler
