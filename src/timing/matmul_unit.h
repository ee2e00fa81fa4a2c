// SPDX-License-Identifier: Apache-2.0
// MATMUL and the shifting of tiles into the array (rtl/matrix/tpu_matrix.v, tpu_tile_loader.v).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
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
        row_distance_(config.bf16 != 0 ? kRowDistance : 1),
        bf16_(config.bf16 != 0),
        half_(config.acc_rows / 2),
        n_(config.n),
        log_n_(static_cast<unsigned>(std::bit_width(config.n)) - 1) {}

  /// Cycles from the request of an instruction's last row to `done`: three cycles to the array, 2 N
  /// in the array. With bf16 an element of the array takes three cycles instead of one, and so does
  /// the addition to the accumulator.
  static Cycle LastRowToDone(const isa::HardwareConfig& config) {
    return config.bf16 != 0 ? 3 + 4 * Cycle{config.n} + 2 : 3 + 2 * Cycle{config.n};
  }

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
    // A window that is not aligned lies in one more row.
    return (row_address_ & (n_ - 1)) == 0 ? Further(tile_.aligned, row)
                                          : Further(tile_.unaligned, row);
  }
  /// Whether this accumulator row can be drained in this cycle. Calls must come in the order of
  /// cycles. Only for machines with bf16.
  bool Drains(std::uint32_t accumulator, Cycle cycle) {
    std::deque<Span>& busy = busy_[accumulator < half_ ? 0 : 1];
    while (!busy.empty() && busy.front().end <= cycle) busy.pop_front();
    return busy.empty() || busy.front().first > cycle;
  }
  /// How many cycles from this one on follow one pattern: the unit reads nothing, or in each cycle
  /// the banks `bank_step` further than in the cycle before. Reads must have been called for
  /// `cycle` last.
  [[nodiscard]] Cycle Regular(Cycle cycle, std::uint32_t bank_step) const;

 private:
  // With bf16 the rows of one accumulator row are at least so many cycles apart
  // (rtl/matrix/tpu_matrix.v).
  static constexpr Cycle kRowDistance = 5;

  // Rows of one tile, a cycle each.
  struct Tile {
    Cycle first = 0;
    Cycle end = 0;
    std::uint32_t row = 0;      // Number of the first one within the tile.
    std::uint32_t address = 0;  // Byte address of the tile's row 0 in the buffer, modulo 2^32.
    std::uint32_t step = 0;
    std::uint32_t line_step = 0;
    std::uint32_t line = 1;  // Rows that lie `step` bytes apart.
    bool planes = false;     // Each line is read twice.
    // Banks of an aligned row and of one that is not, if the row begins in bank 0.
    Banks aligned = 1;
    Banks unaligned = 3;
  };
  struct Span {
    Cycle first = 0;
    Cycle end = 0;
  };
  // A row that was asked for.
  struct Asked {
    Cycle cycle = 0;
    std::uint32_t accumulator = 0;
  };

  bool ShiftTile(WeightsUnit& weights);
  // First cycle from `cycle` on in which a row of this accumulator row may be asked for.
  [[nodiscard]] Cycle Apart(std::uint32_t accumulator, Cycle cycle) const;
  void TakeRows(Tile tile);
  // Rows of a tile, the first of which has this accumulator row.
  void AddRows(const Tile& tile, std::uint32_t accumulator);
  // Some column adds to this half of the accumulators the rows that are asked for in these cycles.
  void AddBusy(std::size_t half, Cycle first, Cycle end);
  bool TakeTile(std::optional<Cycle>& completion);
  // The row of this cycle, if there is one.
  bool Seek(Cycle cycle);

  Cycle last_row_to_done_;
  Cycle row_distance_;
  bool bf16_;
  std::uint32_t half_;  // Accumulator rows of a half.
  std::uint32_t n_;
  unsigned log_n_;
  std::uint64_t tiles_left_ = 0;
  // Output block, channel block and kernel position of the next tile.
  std::uint32_t ob_ = 0;
  std::uint32_t cb_ = 0;
  std::uint32_t kh_ = 0;
  std::uint32_t kw_ = 0;
  isa::Matmul matmul_;
  std::uint64_t rows_ = 0;  // Rows of each tile.
  Cycle next_row_ = 0;
  Cycle last_row_ = 0;
  std::array<Asked, kRowDistance - 1> asked_{};  // The last ones, in turns.
  std::size_t asks_ = 0;
  // Cycles in which no row of this half of the accumulators can be drained.
  std::array<std::deque<Span>, 2> busy_;

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
