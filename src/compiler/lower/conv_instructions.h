// SPDX-License-Identifier: Apache-2.0
// The instructions of a convolution whose tiling is chosen.
#pragma once

#include <cstdint>

#include "compiler/lower/lower_conv.h"
#include "compiler/tile/conv_tiling.h"

namespace tpu::compiler {

/// Weight tiles in memory.
struct WeightTiles {
  std::uint64_t address = 0;
  bool transposed = false;  ///< Of each tile, rows are output lanes.
  bool computed = false;    ///< Instructions of the program write them.
};

/// Where a convolution's constants begin, in bytes.
struct ConvConstants {
  WeightTiles weights;
  WeightTiles zero_tiles;  ///< Tiles of the zero parts of matrices, for each input channel block.
  std::uint64_t parameters = 0;
};

/// Appends the instructions.
void EmitConvInstructions(const ConvJob& job, bool thin, const ConvTiling& tiling,
                          const ConvConstants& constants, Emitter& emitter);

}  // namespace tpu::compiler
