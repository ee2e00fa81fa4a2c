// SPDX-License-Identifier: Apache-2.0
// Convolutions and matrix products on the systolic array.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/lower/weights.h"
#include "compiler/program/emitter.h"
#include "compiler/program/parameters.h"
#include "compiler/program/vector_operation.h"

namespace tpu::compiler {

/// A convolution ready for the machine. Matrix products are 1x1 convolutions of one image row.
struct ConvJob {
  Placement input;
  Placement output;
  ir::Window y;
  ir::Window x;
  DenseWeights weights;
  /// Each output channel block is a sum over the input's channel block of the same index, and
  /// `weights` has N input channels.
  bool depthwise = false;
  /// Depthwise only: lanes hold two pixels of half a channel block (docs/depthwise.md).
  bool pairs = false;
  /// Where operators left the weights, in tiles: output blocks, input blocks. None: `weights` has
  /// the values.
  std::optional<std::uint64_t> tiles;
  std::vector<LaneParameters>
      parameters;  ///< Per output channel, the input's zero point folded in.
  std::int32_t input_zero = 0;
  VectorOperation operation;        ///< What makes outputs from the sums.
  std::vector<std::uint8_t> table;  ///< 256 bytes, by the byte looked up; empty: no table.
};

void LowerConv(const ConvJob& job, Emitter& emitter);

}  // namespace tpu::compiler
