// How a convolution is cut into pieces that fit the machine, chosen by estimated cycles.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/placement.h"
#include "compiler/range.h"
#include "isa/hardware_config.h"

namespace tpu::compiler {

/// What the tiling depends on.
struct ConvShape {
  Images input;
  Images output;
  Window y;
  Window x;
  std::int64_t input_pixel_bytes = 0;   ///< In memory, all channels.
  std::int64_t output_pixel_bytes = 0;  ///< In memory, all channels.
  bool input_scattered = false;  ///< Memory holds NHWC: a group of channel blocks is in pieces.
  bool output_scattered = false;
  bool input_resident = false;  ///< In the unified buffer already: no tiles to load.
  bool output_resident = false;
  bool thin = false;  ///< Kernel columns and channels together fill the lanes.
};

/// The loops around the instructions, outermost first: images, `rows`, `columns` of the output,
/// groups of output channel blocks, then groups of input channel blocks and of kernel rows, which
/// accumulate.
struct ConvTiling {
  std::vector<Range> rows;
  std::vector<Range> columns;
  std::vector<Range> output_blocks;
  std::vector<Range> input_blocks;
  std::vector<Range> kernel_rows;
  std::int64_t input_rows = 0;   ///< UB rows of the largest input tile.
  std::int64_t output_rows = 0;  ///< UB rows of the largest output tile.
  double cycles = 0;             ///< Estimate.

  [[nodiscard]] std::int64_t KGroups() const {
    return static_cast<std::int64_t>(input_blocks.size() * kernel_rows.size());
  }
  /// Input tiles of one image that are loaded one after the other.
  [[nodiscard]] std::int64_t Loads() const {
    const auto tiles = static_cast<std::int64_t>(rows.size() * columns.size());
    return KGroups() == 1 ? tiles
                          : tiles * KGroups() * static_cast<std::int64_t>(output_blocks.size());
  }
  [[nodiscard]] std::int64_t Stores() const {
    return static_cast<std::int64_t>(rows.size() * columns.size() * output_blocks.size());
  }
};

/// Weight tiles of one kernel row of one input channel block.
std::int64_t KernelColumnTiles(const ConvShape& shape, std::int64_t lanes);

/// The tiling with the fewest estimated cycles whose tiles fit `buffer_rows` rows of unified
/// buffer; one without rows when there is none.
ConvTiling ChooseConvTiling(const ConvShape& shape, const isa::HardwareConfig& config,
                            std::int64_t buffer_rows);

}  // namespace tpu::compiler
