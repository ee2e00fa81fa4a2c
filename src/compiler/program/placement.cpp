// SPDX-License-Identifier: Apache-2.0
#include "compiler/program/placement.h"

#include <algorithm>

namespace tpu::compiler {
namespace {

// More rows than this are described to the synchronisation by the span they lie in.
constexpr std::int64_t kMostExactRows = 64;

// Rows that follow each other without a gap are one row.
Transfer Merged(Transfer transfer) {
  if (transfer.row_bytes == transfer.row_stride) {
    transfer.row_bytes *= transfer.rows;
    transfer.rows = 1;
  }
  if (transfer.rows == 1) transfer.row_stride = 0;
  return transfer;
}

// Pieces are cut as chunks of bytes.
isa::NumberFormat FormatOf(const Placement& placement, const Tile& tile) {
  if (tile.together.Pixels() > 1) return isa::NumberFormat::kInt8;
  // FVECTOR alone tells words from each other.
  if (placement.format.type == ElementType::kInt32) return isa::NumberFormat::kFloat32;
  return isa::NumberFormatOf(placement.format);
}

// Rows of pixels that lie below each other take a transfer for each of these image rows.
std::vector<Transfer> BlockedTransfers(const Placement& placement, std::uint64_t image_address,
                                       ir::Range blocks, const Tile& tile, std::int64_t lanes) {
  const Images& images = placement.images;
  const std::int64_t pixel = placement.PixelBytes(lanes);
  const std::int64_t row_bytes = images.w * pixel;
  const std::int64_t plane_bytes = images.h * row_bytes;
  const std::int64_t down = tile.together.down;
  const std::int64_t piece = blocks.Size() * tile.plane;
  const bool contiguous = tile.xs.Size() == images.w && tile.plane == tile.ys.Size() * tile.pitch;
  std::vector<Transfer> transfers;
  for (std::int64_t line = 0; line < down; ++line) {
    const std::int64_t first = blocks.begin * plane_bytes +
                               (tile.ys.begin * down + line) * row_bytes + tile.xs.begin * pixel;
    Transfer transfer = Merged({.address = image_address + static_cast<std::uint64_t>(first),
                                .row_bytes = tile.xs.Size() * pixel,
                                .rows = tile.ys.Size(),
                                .row_stride = down * row_bytes,
                                .ub_row = tile.row + line * tile.together.across * piece,
                                .plane_stride = tile.together.Pixels() > 1 ? piece : 0,
                                .pixel_bytes = pixel,
                                .pixel_stride = tile.pixel,
                                .format = FormatOf(placement, tile)});
    if (contiguous && transfer.rows == 1) {
      transfer.rows = blocks.Size();
      transfer.row_stride = plane_bytes;
      transfers.push_back(Merged(transfer));
    } else if (contiguous && transfer.rows * transfer.row_stride == plane_bytes) {
      transfer.rows *= blocks.Size();
      transfers.push_back(transfer);
    } else {
      for (std::int64_t b = 0; b < blocks.Size(); ++b) {
        transfers.push_back(transfer);
        transfer.address += static_cast<std::uint64_t>(plane_bytes);
        transfer.ub_row += tile.plane;
      }
    }
  }
  return transfers;
}

std::vector<Transfer> NhwcTransfers(const Placement& placement, std::uint64_t image_address,
                                    ir::Range blocks, const Tile& tile, std::int64_t lanes) {
  const Images& images = placement.images;
  const std::int64_t pixel = placement.PixelBytes(lanes);
  const std::int64_t first_channel = blocks.begin * lanes;
  const std::int64_t channels = std::min(images.c, blocks.end * lanes) - first_channel;
  const std::int64_t bytes = placement.format.BytesOf(channels);
  const auto address_of = [&](std::int64_t y) {
    return image_address + static_cast<std::uint64_t>((y * images.w + tile.xs.begin) * pixel +
                                                      placement.format.BytesOf(first_channel));
  };
  Transfer transfer = {.address = address_of(tile.ys.begin),
                       .ub_row = tile.row,
                       .plane_stride = tile.plane,
                       .pixel_bytes = bytes,
                       .pixel_stride = tile.pixel,
                       .format = FormatOf(placement, tile)};
  if (channels == images.c) {
    transfer.row_bytes = tile.xs.Size() * bytes;
    transfer.rows = tile.ys.Size();
    transfer.row_stride = images.w * bytes;
    return {Merged(transfer)};
  }
  // Pixels are apart: each is a row of the transfer.
  transfer.row_bytes = bytes;
  transfer.row_stride = pixel;
  if (tile.xs.Size() == images.w) {
    transfer.rows = tile.ys.Size() * tile.xs.Size();
    return {Merged(transfer)};
  }
  std::vector<Transfer> transfers;
  for (std::int64_t y = tile.ys.begin; y < tile.ys.end; ++y) {
    transfer.address = address_of(y);
    transfer.rows = tile.xs.Size();
    transfer.ub_row = tile.row + (y - tile.ys.begin) * tile.pitch;
    transfers.push_back(Merged(transfer));
  }
  return transfers;
}

}  // namespace

std::vector<Access> Tile::Accesses(ir::Range rows, std::int64_t blocks, bool write) const {
  std::vector<Access> accesses;
  if (rows.Empty()) return accesses;
  const std::int64_t offset = (rows.begin - ys.begin) * pitch;
  const std::int64_t size = rows.Size() * pitch;
  const bool contiguous = size == plane;
  blocks *= together.Pixels();
  for (std::int64_t b = 0; b < (contiguous ? 1 : blocks); ++b) {
    const std::int64_t begin = row + b * plane + offset;
    const std::int64_t end = begin + (contiguous ? size * blocks : size);
    accesses.push_back({.space = Space::kUnifiedBuffer,
                        .write = write,
                        .begin = static_cast<std::uint64_t>(begin),
                        .end = static_cast<std::uint64_t>(end)});
  }
  return accesses;
}

std::vector<Transfer> WideTransfers(const Placement& placement, std::int64_t image,
                                    ir::Range blocks, const Tile& tile, std::int64_t lanes) {
  const std::uint64_t address =
      placement.address + static_cast<std::uint64_t>(image * placement.ImageBytes(lanes));
  return placement.layout == Layout::kNhwc
             ? NhwcTransfers(placement, address, blocks, tile, lanes)
             : BlockedTransfers(placement, address, blocks, tile, lanes);
}

Transfer ThinTransfer(const Placement& placement, std::int64_t image, const Tile& tile,
                      std::int64_t lanes) {
  const Images& images = placement.images;
  const std::int64_t pixel = placement.PixelBytes(lanes);
  const std::int64_t row_bytes = tile.xs.Size() * pixel;
  return Merged(
      {.address = placement.address +
                  static_cast<std::uint64_t>(image * placement.ImageBytes(lanes) +
                                             (tile.ys.begin * images.w + tile.xs.begin) * pixel),
       .row_bytes = row_bytes,
       .rows = tile.ys.Size(),
       .row_stride = images.w * pixel,
       .ub_row = tile.row,
       .plane_stride = 1,
       .pixel_bytes = row_bytes,
       .pixel_stride = tile.pitch});
}

std::vector<Access> TileAccesses(const Transfer& transfer, const Tile& tile, std::int64_t blocks,
                                 bool write) {
  if (tile.together.Pixels() == 1) return tile.Accesses(tile.ys, blocks, write);
  const std::int64_t pixels = transfer.row_bytes * transfer.rows / transfer.pixel_bytes;
  std::vector<Access> accesses;
  for (std::int64_t piece = 0; piece < tile.together.across; ++piece) {
    const std::int64_t begin = transfer.ub_row + piece * transfer.plane_stride;
    accesses.push_back({.space = Space::kUnifiedBuffer,
                        .write = write,
                        .begin = static_cast<std::uint64_t>(begin),
                        .end = static_cast<std::uint64_t>(begin + pixels)});
  }
  return accesses;
}

std::vector<Access> MemoryAccesses(const Transfer& transfer, bool write) {
  Access access = {.space = Space::kMemory, .write = write, .begin = transfer.address, .end = 0};
  const auto row_bytes = static_cast<std::uint64_t>(transfer.row_bytes);
  const auto stride = static_cast<std::uint64_t>(transfer.row_stride);
  if (transfer.rows > kMostExactRows) {
    access.end = access.begin + static_cast<std::uint64_t>(transfer.rows - 1) * stride + row_bytes;
    return {access};
  }
  std::vector<Access> accesses;
  for (std::int64_t r = 0; r < transfer.rows; ++r) {
    access.end = access.begin + row_bytes;
    accesses.push_back(access);
    access.begin += stride;
  }
  return accesses;
}

}  // namespace tpu::compiler
