// SPDX-License-Identifier: Apache-2.0
// The rows that LOAD and STORE cut an instruction's bytes into, and where they lie in the unified
// buffer (rtl/memory/tpu_chunk_walker.v). A chunk of numbers of several bytes is as many rows.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tpu::timing {

struct ChunkWalk {
  std::uint64_t left = 0;  ///< Bytes of the instruction that are left.
  std::uint32_t pixel_bytes = 0;
  std::uint32_t pixel_left = 0;  ///< Bytes of the pixel that are left.
  std::uint32_t limit = 0;       ///< A row has at most this many bytes.
  std::uint32_t row = 0;
  std::uint32_t pixel_row = 0;
  std::uint32_t plane_stride = 0;
  std::uint32_t pixel_stride = 0;
  std::uint32_t rows = 1;  ///< Rows of a chunk.
  bool pads = false;       ///< A pixel's last chunk has all of its rows, the last ones of no bytes.
  std::uint32_t line = 0;  ///< Number of the next row within its chunk.

  /// Whether all rows are passed.
  [[nodiscard]] bool done() const { return left == 0 && line == 0; }
  /// Bytes of the next row.
  [[nodiscard]] std::uint32_t Length() const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>({left, pixel_left, limit}));
  }
  /// Whether the next row has `limit` bytes and is not the last one that has any.
  [[nodiscard]] bool whole() const { return left > limit && pixel_left >= limit; }
  /// Goes past the next row, which has `length` bytes.
  void Step(std::uint32_t length) {
    left -= length;
    pixel_left -= length;
    const bool ends_chunk = line + 1 == rows;
    row += ends_chunk ? plane_stride - line : 1;
    line = ends_chunk ? 0 : line + 1;
    if (pixel_left != 0 && left != 0) return;
    if (pads && !ends_chunk) return;
    line = 0;
    pixel_left = pixel_bytes;
    pixel_row += pixel_stride;
    row = pixel_row;
  }
};

}  // namespace tpu::timing
