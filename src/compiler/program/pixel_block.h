// SPDX-License-Identifier: Apache-2.0
// Depthwise convolutions on the array in pairs and in blocks of pixels (docs/depthwise.md): a row
// of activations holds neighbouring pixels of one piece of a channel block, and makes as many
// neighbouring outputs of it.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/range.h"

namespace tpu::compiler {

/// Pixels that share the lanes of a row. A channel block is cut into as many pieces.
struct PixelBlock {
  std::int64_t across = 1;
  std::int64_t down = 1;
  [[nodiscard]] std::int64_t Pixels() const { return across * down; }
  friend bool operator==(const PixelBlock&, const PixelBlock&) = default;
};

inline constexpr PixelBlock kPair = {.across = 2};
inline constexpr PixelBlock kSquare = {.across = 2, .down = 2};

/// Weight tiles along one axis: groups of `pixels` positions that as many outputs need.
inline std::int64_t TilesAlong(const ir::Window& window, std::int64_t pixels) {
  if (pixels == 1) return window.size;
  return ir::CeilDiv(window.Reach({.begin = 0, .end = pixels}, window.AllTaps()).Size(), pixels);
}

/// The tap by which an output of the group reads a pixel of weight tile `tile`.
inline std::optional<std::int64_t> TapOf(const ir::Window& window, std::int64_t pixels,
                                         std::int64_t tile, std::int64_t pixel,
                                         std::int64_t output) {
  if (pixels == 1) return tile;
  const std::int64_t position = pixels * tile + pixel - output * window.stride;
  const std::int64_t tap = position / window.dilation;
  if (position < 0 || position % window.dilation != 0 || tap >= window.size) return std::nullopt;
  return tap;
}

/// The output row, 0 or before the image, from which on blocks read whole blocks of the input.
inline std::int64_t FirstRow(const ir::Window& y, const PixelBlock& block) {
  return -(y.pad % block.down);
}

/// The rows' window as one over rows of blocks.
inline ir::Window OverBlocks(const ir::Window& y, const PixelBlock& block) {
  if (block.down == 1) return y;
  return {.size = TilesAlong(y, block.down),
          .stride = y.stride,
          .pad = (y.pad - FirstRow(y, block)) / block.down,
          .input = y.input / block.down};
}

/// The output's rows that these rows of blocks make; some may lie beside the image.
inline ir::Range OutputRows(ir::Range blocks, const ir::Window& y, const PixelBlock& block) {
  const std::int64_t first = FirstRow(y, block);
  return {.begin = blocks.begin * block.down + first, .end = blocks.end * block.down + first};
}

/// Rows of blocks that make `rows` rows of the output.
inline std::int64_t RowsOfBlocks(std::int64_t rows, const ir::Window& y, const PixelBlock& block) {
  return ir::CeilDiv(rows - FirstRow(y, block), block.down);
}

}  // namespace tpu::compiler
