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
  if (tile.pieces > 1) return isa::NumberFormat::kInt8;
  // FVECTOR alone tells words from each other.
  if (placement.format.type == ElementType::kInt32) return isa::NumberFormat::kFloat32;
  return isa::NumberFormatOf(placement.format);
}

std::vector<Transfer> BlockedTransfers(const Placement& placement, std::uint64_t image_address,
                                       ir::Range blocks, const Tile& tile, std::int64_t lanes) {
  const Images& images = placement.images;
  const std::int64_t pixel = placement.PixelBytes(lanes);
  const std::int64_t plane_bytes = images.h * images.w * pixel;
  const std::int64_t plane_stride = tile.pieces > 1 ? blocks.Size() * tile.plane : 0;
  const bool whole_rows = tile.xs.Size() == images.w;
  const auto first = image_address +
                     static_cast<std::uint64_t>(blocks.begin * plane_bytes +
                                                (tile.ys.begin * images.w + tile.xs.begin) * pixel);
  if (whole_rows && tile.plane == tile.ys.Size() * tile.pitch) {
    return {Merged({.address = first,
                    .row_bytes = tile.plane / tile.pixel * pixel,
                    .rows = blocks.Size(),
                    .row_stride = plane_bytes,
                    .ub_row = tile.row,
                    .plane_stride = plane_stride,
                    .pixel_bytes = pixel,
                    .pixel_stride = tile.pixel,
                    .format = FormatOf(placement, tile)})};
  }
  std::vector<Transfer> transfers;
  for (std::int64_t b = 0; b < blocks.Size(); ++b) {
    transfers.push_back(Merged({.address = first + static_cast<std::uint64_t>(b * plane_bytes),
                                .row_bytes = tile.xs.Size() * pixel,
                                .rows = tile.ys.Size(),
                                .row_stride = images.w * pixel,
                                .ub_row = tile.row + b * tile.plane,
                                .plane_stride = plane_stride,
                                .pixel_bytes = pixel,
                                .pixel_stride = tile.pixel,
                                .format = FormatOf(placement, tile)}));
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
  blocks *= pieces;
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
  return placement.layout == Layout::kBlocked
             ? BlockedTransfers(placement, address, blocks, tile, lanes)
             : NhwcTransfers(placement, address, blocks, tile, lanes);
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
