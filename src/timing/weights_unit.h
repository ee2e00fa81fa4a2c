// SPDX-License-Identifier: Apache-2.0
// WEIGHTS, UBWEIGHTS and the weight FIFO (rtl/memory/tpu_weights.v, tpu_tile_rows.v,
// tpu_tile_reader.v, tpu_transposer.v, rtl/matrix/tpu_tile_loader.v).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "isa/hardware_config.h"
#include "isa/instruction.h"
#include "timing/banks.h"
#include "timing/cycle.h"
#include "timing/read_stream.h"
#include "timing/ring.h"
#include "timing/tile_walk.h"

namespace tpu::timing {

class WeightsUnit {
 public:
  /// Cycles from the start of a UBWEIGHTS to the first row of its first tile in the FIFO.
  static constexpr Cycle kStartToTile = 7;

  explicit WeightsUnit(const isa::HardwareConfig& config);

  [[nodiscard]] Request& request() { return stream_.client().request(); }
  /// First cycle in which an instruction may be accepted; kNever: not known yet.
  [[nodiscard]] Cycle ready() const;
  void Accept(const isa::Weights& weights, Cycle cycle);
  void Accept(const isa::UbWeights& weights, Cycle cycle);
  /// First cycle in which Step has something to do; kNever: no such cycle is known.
  [[nodiscard]] Cycle next() const { return stream_.client().issue(); }
  void Step(Cycle cycle) {
    if (next() <= cycle) stream_.client().Issue(cycle);
  }
  /// The beats of the burst granted last come from cycle `first` on.
  void Deliver(const Burst& burst, Cycle first) { stream_.client().Deliver(burst, first); }

  /// First cycle in which the unit asks the unified buffer for a row of a tile, and the banks that
  /// it takes; kNever: no such cycle is known.
  [[nodiscard]] Cycle read() const { return asks_; }
  [[nodiscard]] Banks read_banks() const { return walk_.banks(); }
  /// The row is read in this cycle.
  void Read(Cycle cycle);

  /// Tile `tile`, counted from 0, starts to shift into the array in `cycle`; its first row leaves
  /// the FIFO in the next one.
  void TileShifts(std::uint64_t tile, Cycle cycle) {
    shifts_[tile % kTiles] = cycle;
    shifted_ = tile + 1;
  }
  /// Works as far as the known cycles allow.
  void Advance();

  /// How many tiles were ever whole in the FIFO, and when one of the last of them became whole.
  [[nodiscard]] std::uint64_t whole() const { return rows_ >> log_n_; }
  [[nodiscard]] Cycle WholeAt(std::uint64_t tile) const { return whole_at_[tile % kTiles]; }
  /// When instructions complete, in order; the caller takes them away.
  [[nodiscard]] std::vector<Cycle>& completions() { return completions_; }

 private:
  // Instructions between acceptance and the one whose rows are cut.
  static constexpr std::size_t kQueue = 8;
  static constexpr std::size_t kTiles = 64;

  // Rows of the unified buffer between their step and their leaving; cycles from one to the other.
  static constexpr std::uint64_t kHeld = 8;
  static constexpr Cycle kStepToHead = 4;
  static constexpr std::size_t kMostLanes = 64;

  // The rows of an instruction that are still to be cut.
  struct Uncut {
    std::uint64_t rows = 0;
    std::uint32_t row_bytes = 0;  // Of a row from memory.
    bool transpose = false;
    bool from_ub = false;
    isa::UbWeights weights;  // Valid if from_ub.
  };
  // A row that is cut and has not left.
  struct Row {
    bool transpose = false;
  };

  void Accept(const Uncut& uncut, Cycle cycle);
  // The oldest instruction's rows are cut from now on.
  void Begin(Cycle cycle);
  // Steps through rows of zeros, and works out when the unit asks for the next row.
  void Ask();
  void StepRow(Cycle cycle);
  // The oldest row of the unified buffer leaves the FIFO.
  void Pop(Cycle cycle);
  bool CutRow();
  bool CutUbRow();
  bool PushRows();
  bool PushColumn();
  bool EnterTransposer();
  void RowsCut(Cycle first, std::uint32_t rows);
  void RowsPushed(Cycle first, std::uint32_t rows);
  [[nodiscard]] Cycle Room() const;

  isa::HardwareConfig config_;
  unsigned log_n_;
  std::uint64_t held_;  // Rows in the FIFO.
  ReadStream stream_;

  Ring<Uncut, 16> uncut_;
  Ring<std::uint64_t, 16>
      last_rows_;  // Number of an instruction's last row, until that row is pushed.
  std::uint64_t accepted_rows_ = 0;
  std::array<Cycle, kQueue + 1> left_queue_at_{};
  std::uint64_t accepted_ = 0;
  std::uint64_t left_queue_ = 0;

  // The UBWEIGHTS whose rows are cut: its steps, and the rows that left the FIFO behind them.
  TileWalk walk_;
  Cycle asks_ = kNever;
  Cycle step_from_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t pops_ = 0;
  std::array<Cycle, kHeld> head_at_{};    // When a row can leave.
  std::array<Cycle, kHeld> popped_at_{};  // When it left.

  std::optional<Row> row_;
  std::uint64_t rows_ = 0;  // Rows ever pushed into the FIFO.
  std::uint64_t shifted_ = 0;
  std::array<Cycle, kTiles> shifts_{};
  std::array<Cycle, kTiles> whole_at_{};
  std::vector<Cycle> completions_;

  // The transposer: rows and columns that ever came and left.
  std::uint64_t entered_ = 0;
  std::uint64_t fetched_ = 0;
  std::uint64_t columns_moved_ = 0;
  std::uint64_t columns_pushed_ = 0;
  Cycle tile_entered_ = 0;  // When the last tile's last row entered.
  Cycle column_moved_ = 0;  // When the last column fetched left the memories' registers.
  Cycle column_pushed_ = 0;
  std::array<Cycle, kMostLanes> fetched_at_{};
};

}  // namespace tpu::timing
