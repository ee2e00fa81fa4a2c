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

/// One matrix for each image: a row for each input channel and a column for each output channel or,
/// `transposed`, the other way round.
struct WeightMatrices {
  Placement placement;  ///< An image row of matrix rows.
  bool transposed = false;
};

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
  /// What operators made, as the weights of a 1x1 convolution. None: `weights` has the values.
  std::optional<WeightMatrices> matrices;
  std::vector<LaneParameters>
      parameters;  ///< Per output channel, the input's zero point folded in.
  /// The tensor of bfloat16 that operators made and that `weights`, being places, is taken from.
  std::optional<Placement> computed_weights;
  /// What operators made, float32 [output channels], in the place of the parameters' biases.
  std::optional<Placement> bias;
  std::int32_t input_zero = 0;
  VectorOperation operation;        ///< What makes outputs from the sums.
  std::vector<std::uint8_t> table;  ///< 256 bytes, by the byte looked up; empty: no table.
};

void LowerConv(const ConvJob& job, Emitter& emitter);

}  // namespace tpu::compiler
