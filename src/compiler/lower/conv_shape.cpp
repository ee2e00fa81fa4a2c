// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/conv_shape.h"

#include "compiler/place/layout.h"
#include "compiler/program/fields.h"

namespace tpu::compiler {

std::int64_t InputPixelRows(const ConvJob& job) {
  const std::int64_t rows = job.input.PixelRows();
  const bool same_banks = rows > 1 && job.x.stride * rows % kBufferBanks == 0;
  return same_banks && job.block.Pixels() == 1 ? rows + 1 : rows;
}

ConvShape ShapeOf(const ConvJob& job, bool thin, std::int64_t lanes) {
  Images output = job.output.images;
  output.h = RowsOfBlocks(output.h, job.y, job.block);
  return {.input = job.input.images,
          .output = output,
          .y = RowsOf(job),
          .x = job.x,
          .input_pixel_bytes = job.input.ChannelBytes(lanes),
          .output_pixel_bytes = job.output.ChannelBytes(lanes),
          .format = job.input.format,
          .output_format = job.output.format,
          .input_pixel_rows = InputPixelRows(job),
          .input_scattered = job.input.layout == Layout::kNhwc,
          .output_scattered = job.output.layout == Layout::kNhwc,
          .input_resident = job.input.row.has_value(),
          .output_resident = job.output.row.has_value(),
          .thin = thin,
          .depthwise = job.depthwise,
          .block = job.block,
          .rows_together = job.output.layout == Layout::kRowPairs ? kSquare.down : 1,
          .common_sums = HasCommonSums(job)};
}

}  // namespace tpu::compiler
