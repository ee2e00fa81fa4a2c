// SPDX-License-Identifier: Apache-2.0
// Weights that operators made: matrices that go from memory to the unified buffer, and from there
// to the weight FIFO.
#pragma once

#include <cstdint>
#include <optional>

#include "compiler/lower/lower_conv.h"
#include "compiler/program/emitter.h"
#include "compiler/program/placement.h"
#include "ir/range.h"
#include "isa/hardware_config.h"

namespace tpu::compiler {

/// Places in the unified buffer that take turns; each holds a whole matrix, or as many tiles of it
/// as there is room for.
struct MatrixBuffers {
  std::int64_t count = 0;  ///< None for matrices that lie in the unified buffer.
  std::int64_t rows = 0;   ///< Of each.
  bool whole = true;

  [[nodiscard]] std::int64_t Rows() const { return count * rows; }
};

/// The buffers of the emitter's layer: at most half of its rows of the unified buffer.
MatrixBuffers MatrixBuffersOf(const WeightMatrices& matrices, const Emitter& emitter);

class MatrixWeights {
 public:
  /// With the buffers from row `row` on.
  MatrixWeights(const WeightMatrices& matrices, const MatrixBuffers& buffers, std::int64_t row,
                Emitter& emitter);

  /// So many tiles can be brought together.
  [[nodiscard]] std::int64_t MostTiles() const;

  /// Appends the instructions that bring the tiles of these blocks of output and of input channels,
  /// at most MostTiles().
  void Bring(std::int64_t image, ir::Range outputs, ir::Range inputs);

 private:
  // Rows and column blocks of a matrix.
  struct Part {
    std::int64_t image = 0;
    ir::Range rows;
    ir::Range blocks;
    friend bool operator==(const Part&, const Part&) = default;
  };

  // The part in the unified buffer, with or without others around it.
  Tile Fetch(const Part& part);

  WeightMatrices matrices_;
  MatrixBuffers buffers_;
  Emitter& emitter_;
  std::int64_t n_;
  std::int64_t next_row_;        // Of the buffer whose turn is next.
  std::int64_t other_row_;       // Of the other one; the same when there is one.
  std::optional<Part> fetched_;  // What the last LOADs brought, to `tile_`.
  Tile tile_;
};

}  // namespace tpu::compiler
