// SPDX-License-Identifier: Apache-2.0
// The instructions that make a convolution's outputs from its sums.
#pragma once

#include <cstdint>

#include "compiler/lower/lower_conv.h"
#include "compiler/program/emitter.h"
#include "compiler/program/placement.h"
#include "compiler/tile/conv_tiling.h"

namespace tpu::compiler {

/// Where the sums of one part of the output lie, and what makes outputs from them.
struct ConvSums {
  OutputPart part;
  Tile output;                   ///< From the part's first channel block on, all of its rows.
  std::int64_t rows = 0;         ///< Accumulator rows of a channel block, or of a piece of one.
  std::int64_t rows_across = 0;  ///< Those of one image row, or of each of its planes.
  std::int64_t planes = 1;       ///< Of an image row: 2 for int16, high bytes before low bytes.
  std::int64_t accumulators = 0;
  /// The part has one more block of accumulators before all others. Its sums are added to each
  /// block's.
  bool common_sums = false;
  std::int64_t parameters = 0;  ///< Entry of the part's first channel block, or of its first piece.
  std::int64_t lookup = 0;
};

/// Appends the instructions, without STORE.
void EmitDrain(const ConvJob& job, const ConvSums& sums, Emitter& emitter);

}  // namespace tpu::compiler
