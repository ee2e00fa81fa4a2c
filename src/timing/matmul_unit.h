// SPDX-License-Identifier: Apache-2.0
// MATMUL and the shifting of tiles into the array (rtl/matrix/tpu_matrix.v, tpu_tile_loader.v).
#pragma once

#include <bit>
#include <cstdint>
#include <deque>
#include <optional>

#include "isa/hardware_config.h"
#include "isa/instruction.h"
#include "timing/banks.h"
#include "timing/cycle.h"
#include "timing/weights_unit.h"

namespace tpu::timing {

class MatmulUnit {
 public:
  explicit MatmulUnit(const isa::HardwareConfig& config)
      : last_row_to_done_(LastRowToDone(config)),
        n_(config.n),
        log_n_(static_cast<unsigned>(std::bit_width(config.n)) - 1) {}

  /// Cycles from the request of an instruction's last row to `done`: three cycles to the array, 2 N
  /// in the array.
  static Cycle LastRowToDone(const isa::HardwareConfig& config) { return 3 + 2 * Cycle{config.n}; }

  /// First cycle in which an instruction may be accepted: the cycle of the last row of the
  /// instruction before; kNever: not known yet.
  [[nodiscard]] Cycle ready() const { return tiles_left_ == 0 ? last_row_ : kNever; }
  void Accept(const isa::Matmul& matmul, Cycle cycle);

  /// Works as far as the known cycles allow. Returns whether anything new became known; sets
  /// `completion` when that is the end of the instruction.
  bool Advance(WeightsUnit& weights, std::optional<Cycle>& completion);

  /// Banks of the unified buffer that the unit reads in this cycle. Calls must come in the order of
  /// cycles.
  Banks Reads(Cycle cycle) {
    if (cycle == row_cycle_ + 1 && line_left_ > 1) {
      row_cycle_ = cycle;
      row_address_ += tile_.step;
      --line_left_;
    } else if (cycle != row_cycle_ || line_left_ == 0) {
      if (!Seek(cycle)) return 0;
    }
    const std::uint32_t row = row_address_ >> log_n_;
    // A window that is not aligned lies in two rows.
    return (row_address_ & (n_ - 1)) == 0 ? BankOf(row) : BankOf(row) | BankOf(row + 1);
  }
  /// How many cycles from this one on follow one pattern: the unit reads nothing, or in each cycle
  /// the banks `bank_step` further than in the cycle before. Reads must have been called for
  /// `cycle` last.
  [[nodiscard]] Cycle Regular(Cycle cycle, std::uint32_t bank_step) const;

 private:
  // Rows of one tile, a cycle each.
  struct Tile {
    Cycle first = 0;
    Cycle end = 0;
    std::uint32_t address = 0;  // Byte address in the buffer, modulo 2^32.
    std::uint32_t step = 0;
    std::uint32_t line_step = 0;
    std::uint32_t line = 1;  // Rows that lie `step` bytes apart.
  };

  bool ShiftTile(WeightsUnit& weights);
  bool TakeTile(std::optional<Cycle>& completion);
  // The row of this cycle, if there is one.
  bool Seek(Cycle cycle);

  Cycle last_row_to_done_;
  std::uint32_t n_;
  unsigned log_n_;
  std::uint64_t tiles_left_ = 0;
  // Channel block and kernel position of the next tile.
  std::uint32_t cb_ = 0;
  std::uint32_t kh_ = 0;
  std::uint32_t kw_ = 0;
  isa::Matmul matmul_;
  std::uint64_t rows_ = 0;  // Rows of each tile.
  Cycle next_row_ = 0;
  Cycle last_row_ = 0;

  std::uint64_t shifted_ = 0;
  std::uint64_t taken_ = 0;
  Cycle shift_ = 0;         // When the last tile started to shift.
  Cycle take_ = 0;          // When the last tile was taken over.
  Tile tile_;               // The tile that is read: last or next.
  std::deque<Tile> tiles_;  // The tiles taken over behind `tile_`.
  // The row that was asked for last.
  Cycle row_cycle_ = 0;
  std::uint32_t row_address_ = 0;
  std::uint32_t line_address_ = 0;
  std::uint32_t line_left_ = 0;  // Rows from it to the end of its line, or of the tile.
};

}  // namespace tpu::timing
