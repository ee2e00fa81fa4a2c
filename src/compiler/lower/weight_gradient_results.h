// SPDX-License-Identifier: Apache-2.0
// The way of a weight gradient's sums from the accumulators to memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/program/emitter.h"
#include "compiler/program/placement.h"
#include "compiler/tile/weight_gradient_tiling.h"
#include "isa/instruction.h"

namespace tpu::compiler {

struct WeightGradientTensors {
  Placement x;
  Placement g;
  Placement result;
  std::optional<Placement> bias;     ///< A second result,
  std::optional<Placement> rounded;  ///< and the first one in bfloat16.
  std::optional<Placement> minuend;  ///< What the first result is subtracted from.
};

/// Channel blocks and taps whose sums are in the accumulators at the same time.
struct WeightGradientPart {
  ir::Range outputs;
  ir::Range inputs;
  ir::Range taps;
  std::int64_t sums = 0;  ///< The first accumulator.

  /// Channels of g.
  [[nodiscard]] std::int64_t Outputs(const WeightGradientShape& shape, std::int64_t lanes) const {
    return std::min(shape.g.c, outputs.end * lanes) - outputs.begin * lanes;
  }
};

/// Rows of the unified buffer.
inline Access BufferRows(std::int64_t first, std::int64_t count, bool write) {
  return {.space = Space::kUnifiedBuffer,
          .write = write,
          .begin = static_cast<std::uint64_t>(first),
          .end = static_cast<std::uint64_t>(first + count)};
}
/// Rows of the accumulators.
inline Access AccumulatorRows(std::int64_t first, std::int64_t count, bool write) {
  Access access = BufferRows(first, count, write);
  access.space = Space::kAccumulators;
  return access;
}

/// Rows of accumulators as they are, to rows of numbers.
isa::Fvector DrainOf(std::int64_t accumulators, std::int64_t block_rows, std::int64_t blocks,
                     std::int64_t rows);

class WeightGradientResults {
 public:
  /// `rows` are the first UB rows of two places that take turns; at `identity_row` are rows of
  /// bfloat16 with ones on the diagonal. Loads what it needs.
  WeightGradientResults(const WeightGradientTensors& tensors, const WeightGradientShape& shape,
                        const std::array<std::int64_t, 2>& rows, std::int64_t identity_row,
                        Emitter& emitter);

  /// Emits a FVECTOR that scales nothing.
  void Emit(isa::Fvector vector, std::vector<Access> accesses);
  /// Appends what drains the sums of a tap, which begin at accumulator `sums`.
  void Drain(const WeightGradientPart& part, std::int64_t tap, std::int64_t sums);
  /// The same of the sums for the bias, in the first lane.
  void DrainBias(const WeightGradientPart& part, std::int64_t sums);

 private:
  // Places of a part's results in memory and in the buffer.
  struct ResultTile {
    std::int64_t place = 0;  // Among the results, of the first number.
    std::int64_t channels = 0;
    std::int64_t blocks = 1;
    std::int64_t rows = 1;    // Of a block.
    std::int64_t stride = 0;  // Between the rows in memory, in numbers.
    // UB rows of the results, of what they are subtracted from, of them in bfloat16.
    std::int64_t row = 0;
    std::int64_t minuend = 0;
    std::int64_t rounded = 0;

    [[nodiscard]] std::int64_t Numbers() const { return blocks * rows; }
  };

  void Place(ResultTile& tile);
  void DrainBlocks(const WeightGradientPart& part, std::int64_t tap, const ir::Range& inputs,
                   std::int64_t sums);
  void DrainDiagonal(const WeightGradientPart& part, std::int64_t tap, std::int64_t sums);
  void Write(isa::Fvector vector, const ResultTile& tile, std::vector<Access> accesses);
  void LoadMinuend(const ResultTile& tile);
  void StoreResults(const ResultTile& tile);
  static isa::Fvector Elements(std::int64_t row, const ResultTile& tile);
  template <typename Instruction>
  static Instruction Transfer(const Placement& placement, const ResultTile& tile, std::int64_t row);
  template <typename Instruction>
  void EmitTransfer(const Instruction& transfer, bool write, const Access& rows);

  const WeightGradientTensors& tensors_;
  const WeightGradientShape& shape_;
  std::array<std::int64_t, 2> rows_;
  std::size_t turn_ = 0;
  std::int64_t identity_row_;
  std::int64_t entry_ = 0;  // Of the parameters, which FVECTOR reads in any case.
  std::int64_t n_;
  Emitter& emitter_;
};

}  // namespace tpu::compiler
