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
  Placement placement;  ///< An image row of matrix rows or, `tiled`, of rows of tiles.
  bool transposed = false;
  /// In memory, as the tiles that WEIGHTS brings: all inputs of the first output block, then those
  /// of the next one.
  bool tiled = false;
  std::int32_t zero_point = 0;
  /// Weights that add up to -zero_point.
  std::vector<std::int8_t> zero_parts = {};
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
  /// Depthwise only: the pixels that share the lanes of a row (docs/depthwise.md).
  PixelBlock block = {};
  /// What operators made, as the weights of a 1x1 convolution. None: `weights` has the values.
  std::optional<WeightMatrices> matrices;
  std::vector<LaneParameters>
      parameters;  ///< Per output channel, the input's zero point folded in.
  /// The tensor of bfloat16 that operators made and that `weights`, being places, is taken from.
  std::optional<Placement> computed_weights;
  /// What operators made, float32 [output channels], in the place of the parameters' biases.
  std::optional<Placement> bias;
  /// `parameters` has whole blocks of lanes for each image, one image's behind the other's.
  bool parameters_of_images = false;
  /// The matrices' columns, times the input's zero point, are subtracted from the biases.
  bool subtracts_columns = false;
  std::int32_t input_zero = 0;
  VectorOperation operation;        ///< What makes outputs from the sums.
  std::vector<std::uint8_t> table;  ///< 256 bytes, by the byte looked up; empty: no table.
};

/// Whether the matrices go through the unified buffer.
inline bool UsesMatrixBuffers(const ConvJob& job) { return job.matrices && !job.matrices->tiled; }
/// The rows' window as one over rows of what the array's rows hold.
inline ir::Window RowsOf(const ConvJob& job) { return OverBlocks(job.y, job.block); }
/// Whether instructions write biases before they are loaded.
inline bool HasComputedBiases(const ConvJob& job) {
  return job.bias.has_value() || job.subtracts_columns;
}
/// Whether all blocks of an output pixel have a part of their sums in common.
inline bool HasCommonSums(const ConvJob& job) {
  return job.matrices && !job.matrices->zero_parts.empty();
}

void LowerConv(const ConvJob& job, Emitter& emitter);

}  // namespace tpu::compiler
