// SPDX-License-Identifier: Apache-2.0
// Where tensors lie, in memory and in the unified buffer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/program/pixel_block.h"
#include "compiler/program/sequential.h"
#include "ir/range.h"
#include "isa/element_format.h"

namespace tpu::compiler {

/// A tensor as images of h x w pixels of c channels.
struct Images {
  std::int64_t n = 1;
  std::int64_t h = 1;
  std::int64_t w = 1;
  std::int64_t c = 1;
  friend bool operator==(const Images&, const Images&) = default;
};

/// Order of a tensor's bytes in memory. Blocked: [n][channel block][h][w][N], lanes beyond the
/// channels unspecified. Row pairs: blocked, of bfloat16, but the 2 N numbers of two pixels, one
/// below the other in rows 2j and 2j + 1, lie in quarters of the channels: the upper pixel's place
/// has the first quarter of both pixels, then the second, and the lower pixel's place the others.
enum class Layout : std::uint8_t { kNhwc, kBlocked, kRowPairs };

/// A tensor in memory or, with `row`, in the unified buffer: [channel block][h][w] rows of N
/// channels, as many rows as an element has bytes.
struct Placement {
  std::uint64_t address = 0;
  std::optional<std::int64_t> row;
  Layout layout = Layout::kNhwc;
  Images images;
  isa::ElementFormat format = isa::kActivationFormat;

  [[nodiscard]] std::int64_t Blocks(std::int64_t lanes) const {
    return ir::CeilDiv(images.c, lanes);
  }
  /// UB rows of N channels of a pixel.
  [[nodiscard]] std::int64_t PixelRows() const { return format.Bytes(); }
  /// Bytes from one pixel to the next one.
  [[nodiscard]] std::int64_t PixelBytes(std::int64_t lanes) const {
    return format.BytesOf(layout == Layout::kNhwc ? images.c : lanes);
  }
  /// Bytes of a pixel's channels, which need not lie side by side.
  [[nodiscard]] std::int64_t ChannelBytes(std::int64_t lanes) const {
    return PixelBytes(lanes) * (layout == Layout::kNhwc ? 1 : Blocks(lanes));
  }
  [[nodiscard]] std::int64_t ImageBytes(std::int64_t lanes) const {
    return images.h * images.w * ChannelBytes(lanes);
  }
};

/// A rectangle of pixels in the unified buffer, the rows of N channels per pixel and channel block
/// (wide), or the bytes of each image row contiguous from a row boundary (thin).
struct Tile {
  std::int64_t row = 0;  ///< UB row of the first pixel.
  ir::Range ys;          ///< Image rows and columns it covers.
  ir::Range xs;
  std::int64_t pitch = 0;  ///< UB rows from one image row to the next.
  std::int64_t plane = 0;  ///< UB rows from one channel block to the next.
  std::int64_t pixel = 1;  ///< UB rows from one pixel to the next; wide only.
  /// The N channels of a pixel are cut into pieces. A UB row has a piece of pixels that lie below
  /// each other, and `ys` counts rows of such pixels. The planes of a piece lie together, behind
  /// those of the piece before; wide only.
  PixelBlock together = {};

  /// A wide tile by itself, of pixels with so many rows per channel block.
  static Tile Wide(std::int64_t row, ir::Range ys, ir::Range xs, std::int64_t pixel_rows) {
    const std::int64_t pitch = xs.Size() * pixel_rows;
    return {.row = row,
            .ys = ys,
            .xs = xs,
            .pitch = pitch,
            .plane = pitch * ys.Size(),
            .pixel = pixel_rows};
  }
  /// A wide tile by itself, cut into pieces where pixels share rows.
  static Tile InPieces(std::int64_t row, ir::Range ys, ir::Range xs, const PixelBlock& together,
                       std::int64_t pixel_rows = 1) {
    Tile tile = Wide(row, ys, xs, together.Pixels() > 1 ? 1 : pixel_rows);
    tile.together = together;
    return tile;
  }
  /// A thin tile of pixels of `pixel_bytes` bytes.
  static Tile Thin(std::int64_t row, ir::Range ys, ir::Range xs, std::int64_t pixel_bytes,
                   std::int64_t row_bytes) {
    const std::int64_t pitch = ir::CeilDiv(xs.Size() * pixel_bytes, row_bytes);
    return {.row = row, .ys = ys, .xs = xs, .pitch = pitch, .plane = pitch * ys.Size()};
  }

  /// The whole of a resident tensor from channel block `block` on.
  static Tile Resident(const Placement& placement, std::int64_t block) {
    const Images& images = placement.images;
    return Wide(*placement.row, {.begin = 0, .end = images.h}, {.begin = 0, .end = images.w},
                placement.PixelRows())
        .FromBlock(block);
  }
  /// The same pixels, from the tile's channel block `block` on.
  [[nodiscard]] Tile FromBlock(std::int64_t block) const {
    Tile tile = *this;
    tile.row += block * plane;
    return tile;
  }
  /// One piece of the tile's pixels, of `blocks` channel blocks in all.
  [[nodiscard]] Tile Piece(std::int64_t piece, std::int64_t blocks) const {
    Tile tile = FromBlock(piece * blocks);
    tile.together = {};
    return tile;
  }
  /// Some rows of the tile.
  [[nodiscard]] Tile Rows(ir::Range rows) const {
    Tile tile = *this;
    tile.row = RowOf(rows.begin, xs.begin);
    tile.ys = rows;
    return tile;
  }
  /// UB row of pixel (y, x) of the first channel block; may lie outside the tile.
  [[nodiscard]] std::int64_t RowOf(std::int64_t y, std::int64_t x) const {
    return row + (y - ys.begin) * pitch + (x - xs.begin) * pixel;
  }

  /// Rows read or written for image rows `rows` of `blocks` channel blocks.
  [[nodiscard]] std::vector<Access> Accesses(ir::Range rows, std::int64_t blocks, bool write) const;
};

/// The fields that LOAD and STORE share.
struct Transfer {
  std::uint64_t address = 0;
  std::int64_t row_bytes = 0;
  std::int64_t rows = 1;
  std::int64_t row_stride = 0;
  std::int64_t ub_row = 0;
  std::int64_t plane_stride = 0;
  std::int64_t pixel_bytes = 0;
  std::int64_t pixel_stride = 1;
  isa::NumberFormat format = isa::NumberFormat::kInt8;  ///< Bytes as they are, or numbers.
};

/// Moves the tile's pixels of channel blocks `blocks` of image `image` between memory and a wide
/// tile whose columns are contiguous (pitch is its width).
std::vector<Transfer> WideTransfers(const Placement& placement, std::int64_t image,
                                    ir::Range blocks, const Tile& tile, std::int64_t lanes);

/// Moves all channels of the tile's pixels to a thin tile. The tensor must be NHWC.
Transfer ThinTransfer(const Placement& placement, std::int64_t image, const Tile& tile,
                      std::int64_t lanes);

/// Rows of the tile that one of its transfers of `blocks` channel blocks touches: of a tile in
/// pieces its own rows alone, else all.
std::vector<Access> TileAccesses(const Transfer& transfer, const Tile& tile, std::int64_t blocks,
                                 bool write);

/// Bytes of memory that a transfer touches; for many short rows everything between the first and
/// the last.
std::vector<Access> MemoryAccesses(const Transfer& transfer, bool write);

}  // namespace tpu::compiler
