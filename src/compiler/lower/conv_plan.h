// SPDX-License-Identifier: Apache-2.0
// In which order a convolution's parts are loaded and multiplied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compiler/lower/lower_conv.h"
#include "compiler/tile/conv_tiling.h"
#include "ir/range.h"

namespace tpu::compiler {

/// The part of an image that is loaded for the products that follow.
struct InputTile {
  std::int64_t image = 0;
  ir::Range rows;  ///< Rows of the output.
  ir::Range columns;
  ir::Range blocks;
  ir::Range kernel_rows;
};

/// One pass through the innermost loops: a part of the output, and the part of the kernel whose
/// products this pass adds to that output.
struct ConvStep {
  std::int64_t image = 0;
  OutputPart output;
  ir::Range input_blocks;
  ir::Range kernel_rows;
  bool first_of_sum = false;
  bool last_of_sum = false;
  std::size_t input = 0;          ///< Index of its input tile.
  std::uint64_t weight_tile = 0;  ///< Index of its first weight tile.
  std::int64_t weight_tiles = 0;
  /// The pass's weights wait until these channel blocks of the input tile are loaded.
  ir::Range weights_after = {};
};

struct ConvPlan {
  std::vector<InputTile> inputs;
  std::vector<ConvStep> steps;
};

/// `column_tiles`: weight tiles of one row of tiles of one input channel block, all of its pieces.
ConvPlan PlanConv(const ConvJob& job, const ConvTiling& tiling, std::int64_t column_tiles);

}  // namespace tpu::compiler
