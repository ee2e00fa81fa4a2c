// SPDX-License-Identifier: Apache-2.0
// How an operation of the vector unit is cut into pieces that fit the unified buffer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/program/placement.h"
#include "isa/hardware_config.h"

namespace tpu::compiler {

struct VectorShape {
  std::vector<Placement> inputs;  ///< All of one shape.
  Placement output;
  std::optional<Placement> copy = {};  ///< Of the output, in another format.
  ir::Window y;
  ir::Window x;
  std::int64_t weight_rows = 0;           ///< UB rows of constant operands per channel block.
  std::int64_t parameters_per_block = 0;  ///< Parameter entries per channel block, 0 or 1.
  std::int64_t parameters_per_row = 0;    ///< Those per image row of the output, 0 or 1.
};

/// Loops, outermost first: channel block groups, images, output rows, output columns.
struct VectorTiling {
  std::vector<ir::Range> blocks;
  std::vector<ir::Range> rows;
  std::vector<ir::Range> columns;
  std::int64_t input_pixels = 0;  ///< Pixels times channel blocks of the largest input tile.
  std::int64_t output_rows = 0;   ///< UB rows of the largest output tile.
  std::int64_t copy_rows = 0;     ///< Those of its copy.
  double cycles = 0;              ///< Estimate.

  [[nodiscard]] std::int64_t Tiles(std::int64_t images) const {
    return static_cast<std::int64_t>(blocks.size() * rows.size() * columns.size()) * images;
  }
};

/// UB rows of a tile of `pixels` pixels times channel blocks of each input that is not resident.
std::int64_t InputRows(const std::vector<Placement>& inputs, std::int64_t pixels);

/// The tiling with the fewest estimated cycles whose tiles fit `buffer_rows` rows of unified
/// buffer; one without rows when there is none.
VectorTiling ChooseVectorTiling(const VectorShape& shape, const isa::HardwareConfig& config,
                                std::int64_t buffer_rows);

}  // namespace tpu::compiler
