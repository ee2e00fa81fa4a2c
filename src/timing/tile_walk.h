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
      : weights_(weights), n_(n), pair_(RowsOf(weights.format) == 2) {}

  [[nodiscard]] bool done() const { return ob_ == weights_.n_ob; }
  /// Whether the row is read, and no row of zeros.
  [[nodiscard]] bool inside() const {
    const std::int64_t blocks =
        (weights_.along_ob != 0 ? ob_ : 0) + (weights_.along_cb != 0 ? cb_ : 0);
    return blocks * n_ + tile_row_ < std::int64_t{weights_.row_bound};
  }
  /// The bank of the row, or those of the two rows that a row of bf16 takes.
  [[nodiscard]] Banks banks() const {
    const std::int64_t row = std::int64_t{weights_.row} + ob_ * weights_.s_ob +
                             cb_ * weights_.s_cb + tile_row_ * weights_.s_row;
    const Banks bank = BankOf(static_cast<std::uint32_t>(row));
    return pair_ ? bank | Further(bank, 1) : bank;
  }
  void Step() {
    if (++tile_row_ < n_) return;
    tile_row_ = 0;
    if (++cb_ < weights_.n_cb) return;
    cb_ = 0;
    ++ob_;
  }

 private:
  isa::UbWeights weights_;
  std::int64_t n_ = 0;
  bool pair_ = false;
  std::int64_t ob_ = 0;
  std::int64_t cb_ = 0;
  std::int64_t tile_row_ = 0;
};

}  // namespace tpu::timing
