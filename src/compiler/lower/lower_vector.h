// SPDX-License-Identifier: Apache-2.0
// Operations that the vector unit does by itself, from unified buffer to unified buffer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/program/emitter.h"
#include "compiler/program/parameters.h"
#include "compiler/program/placement.h"
#include "compiler/program/vector_operation.h"
#include "isa/element_format.h"

namespace tpu::compiler {

struct VectorJob {
  /// Operand A and, unless `weights` are, B: tensors of one shape, or one of the output's shape and
  /// one of a single image, row, column or channel block, which is repeated.
  std::vector<Placement> inputs;
  Placement output;
  /// In memory: the output, rounded to another floating-point format.
  std::optional<Placement> copy = {};
  ir::Window y;
  ir::Window x;
  /// Operation, zero points, clamp: all that does not depend on a tile.
  VectorOperation operation;
  /// Operand B as the bytes of constant rows of N elements [channel block][kh][kw]; empty: none.
  std::vector<std::uint8_t> weights;
  isa::ElementFormat weight_format = isa::kWeightFormat;
  /// One entry per channel block, or entries that all blocks share.
  std::vector<LaneParameters> parameters;
  bool shared_parameters = false;
  /// Number of the shared entry by the taps that an output's window has in the image; empty: always
  /// the first.
  std::vector<std::int64_t> entry_of_taps;
  /// A float32 of one element that a computation puts in the place of all multipliers.
  std::optional<Placement> multiplier;
  /// In memory: a parameter entry for each image row of the output, which operators made, in the
  /// place of `parameters`. The output has one image and one channel block.
  std::optional<Placement> row_entries = {};
  /// 256 bytes, by the byte looked up, or four such tables for IVECTOR; empty: no table.
  std::vector<std::uint8_t> table;
};

void LowerVector(const VectorJob& job, Emitter& emitter);

}  // namespace tpu::compiler
