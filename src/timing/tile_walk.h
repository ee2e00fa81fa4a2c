// SPDX-License-Identifier: Apache-2.0
// The rows of the unified buffer that UBWEIGHTS reads (rtl/memory/tpu_tile_reader.v).
#pragma once

#include <algorithm>
#include <cstdint>

#include "isa/instruction.h"
#include "timing/banks.h"

namespace tpu::timing {

class TileWalk {
 public:
  TileWalk() = default;
  TileWalk(const isa::UbWeights& weights, std::uint32_t n)
      : weights_(weights), n_(n), lines_(RowsOf(weights.format)) {}

  [[nodiscard]] bool done() const { return ob_ == weights_.n_ob; }
  /// Whether the row is read, and no row of zeros.
  [[nodiscard]] bool inside() const {
    const std::int64_t blocks =
        (weights_.along_ob != 0 ? ob_ : 0) + (weights_.along_cb != 0 ? cb_ : 0);
    return blocks * n_ + tile_row_ < std::int64_t{weights_.row_bound};
  }
  [[nodiscard]] Banks bank() const {
    const std::int64_t row = std::int64_t{weights_.row} + ob_ * weights_.s_ob +
                             cb_ * weights_.s_cb + tile_row_ * weights_.s_row + line_;
    return BankOf(static_cast<std::uint32_t>(row));
  }
  void Step() {
    if (++line_ < lines_) return;
    line_ = 0;
    if (++tile_row_ < n_) return;
    tile_row_ = 0;
    if (++cb_ < weights_.n_cb) return;
    cb_ = 0;
    ++ob_;
  }

 private:
  isa::UbWeights weights_;
  std::int64_t n_ = 0;
  std::int64_t lines_ = 1;
  std::int64_t ob_ = 0;
  std::int64_t cb_ = 0;
  std::int64_t tile_row_ = 0;
  std::int64_t line_ = 0;  // Of the rows that a row of numbers takes.
};

}  // namespace tpu::timing
