// SPDX-License-Identifier: Apache-2.0
// The chunks that LOAD and STORE cut an instruction's bytes into, and the rows that they go to or
// come from (rtl/memory/tpu_chunk_walker.v).
#pragma once

#include <algorithm>
#include <cstdint>

namespace tpu::timing {

struct ChunkWalk {
  std::uint64_t left = 0;  ///< Bytes of the instruction that are left.
  std::uint32_t pixel_bytes = 0;
  std::uint32_t pixel_left = 0;  ///< Bytes of the pixel that are left.
  std::uint32_t limit = 0;       ///< A chunk has at most this many bytes.
  std::uint32_t row = 0;
  std::uint32_t pixel_row = 0;
  std::uint32_t plane_stride = 0;
  std::uint32_t pixel_stride = 0;

  /// Bytes of the next chunk.
  [[nodiscard]] std::uint32_t Length() const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>({left, pixel_left, limit}));
  }
  /// Whether the next chunk has `limit` bytes and is not the last one.
  [[nodiscard]] bool whole() const { return left > limit && pixel_left >= limit; }
  /// Goes past the next chunk, which has `length` bytes.
  void Step(std::uint32_t length) {
    left -= length;
    pixel_left -= length;
    row += plane_stride;
    if (pixel_left != 0) return;
    pixel_left = pixel_bytes;
    pixel_row += pixel_stride;
    row = pixel_row;
  }
};

}  // namespace tpu::timing
