// SPDX-License-Identifier: Apache-2.0
// How a convolution is cut into pieces that fit the machine, chosen by estimated cycles.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/program/pixel_block.h"
#include "compiler/program/placement.h"
#include "ir/range.h"
#include "isa/hardware_config.h"

namespace tpu::compiler {

/// Bytes of an activation that the array multiplies one after the other, with sums of their own:
/// two of int16, else one.
constexpr std::int64_t Planes(isa::ElementFormat format) {
  return format.type == ElementType::kInt16 ? 2 : 1;
}

/// The numbers that the choice of a tiling depends on. Image rows of the output, and positions of
/// the rows' window, count rows of blocks of pixels.
struct ConvShape {
  Images input;
  Images output;
  ir::Window y;
  ir::Window x;
  std::int64_t input_pixel_bytes = 0;                  ///< In memory, all channels.
  std::int64_t output_pixel_bytes = 0;                 ///< In memory, all channels.
  isa::ElementFormat format = isa::kActivationFormat;  ///< Of the input, and of weights but int8's.
  isa::ElementFormat output_format = isa::kActivationFormat;
  std::int64_t input_pixel_rows = 1;  ///< UB rows from a pixel of an input tile to the next one.
  bool input_scattered = false;  ///< Memory holds NHWC: a group of channel blocks is in pieces.
  bool output_scattered = false;
  bool input_resident = false;  ///< In the unified buffer already: no tiles to load.
  bool output_resident = false;
  bool thin = false;  ///< Kernel columns and channels together fill the lanes.
  /// Each output channel block is a sum over the input's channel block of the same index.
  bool depthwise = false;
  PixelBlock block = {};  ///< Pixels of a piece of a channel block that are a row of the array.
  /// Output tiles begin and end at multiples of so many rows.
  std::int64_t rows_together = 1;
  /// Each sum has one more block of accumulators, which is added to all output channel blocks.
  bool common_sums = false;

  /// Times that the array goes through the activations: int16 are multiplied byte by byte.
  [[nodiscard]] std::int64_t Planes() const { return compiler::Planes(format); }
  /// Neighbouring outputs that a row of the array makes.
  [[nodiscard]] std::int64_t OutputsOfRow() const { return block.Pixels(); }
};

/// Output pixels and channel blocks that are summed, drained and stored together.
struct OutputPart {
  ir::Range rows;
  ir::Range columns;
  ir::Range blocks;
};

/// The loops around the instructions, outermost first: images, `rows`, `columns` of the output,
/// groups of output channel blocks, then groups of input channel blocks and of kernel rows, which
/// accumulate. The only input channel block of a depthwise convolution is the output's own one.
/// Nothing overlaps the first load and the last drain, so they come in parts.
struct ConvTiling {
  std::vector<ir::Range> rows;
  std::vector<ir::Range> columns;
  std::vector<ir::Range> output_blocks;
  std::vector<ir::Range> input_blocks;
  std::vector<ir::Range> kernel_rows;
  /// Takes the place of `input_blocks` in the first group of output channel blocks. The first input
  /// tile is loaded in these parts, so that the array begins when the first part is there.
  std::vector<ir::Range> first_parts;
  /// Take the place of the last output tile's last group of output channel blocks, so that little
  /// is left to drain when the array has finished.
  std::vector<OutputPart> last_parts;
  std::int64_t input_rows = 0;   ///< UB rows of the largest input tile.
  std::int64_t output_rows = 0;  ///< UB rows of the largest output tile.
  double cycles = 0;             ///< Estimate.
  bool depthwise = false;

  [[nodiscard]] std::int64_t KGroups() const {
    return static_cast<std::int64_t>(input_blocks.size() * kernel_rows.size());
  }
  /// Whether each sum, or each part of one, has an input tile of its own.
  [[nodiscard]] bool LoadsForEachSum() const { return depthwise || KGroups() > 1; }
  /// Input tiles of one image that are loaded one after the other.
  [[nodiscard]] std::int64_t Loads() const {
    return LoadsForEachSum() ? Stores() * KGroups()
                             : static_cast<std::int64_t>(rows.size() * columns.size());
  }
  [[nodiscard]] std::int64_t Stores() const {
    return static_cast<std::int64_t>(rows.size() * columns.size() * output_blocks.size() +
                                     last_parts.size() - 1);
  }
  /// Groups of input channel blocks for this group of output channel blocks.
  [[nodiscard]] const std::vector<ir::Range>& InputGroups(std::size_t output_group) const {
    return output_group == 0 ? first_parts : input_blocks;
  }
};

/// Weight tiles of one kernel row of one input channel block, or of one piece of it.
std::int64_t KernelColumnTiles(const ConvShape& shape, std::int64_t lanes);

/// Tilings whose tiles fit `buffer_rows` rows of unified buffer: the few that look best, first the
/// one with the fewest estimated cycles; none when nothing fits.
std::vector<ConvTiling> ConvTilings(const ConvShape& shape, const isa::HardwareConfig& config,
                                    std::int64_t buffer_rows);

}  // namespace tpu::compiler
