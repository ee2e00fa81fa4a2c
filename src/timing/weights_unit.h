// SPDX-License-Identifier: Apache-2.0
// WEIGHTS and the weight FIFO (rtl/memory/tpu_weights.v, rtl/matrix/tpu_tile_loader.v).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/hardware_config.h"
#include "isa/instruction.h"
#include "timing/cycle.h"
#include "timing/read_stream.h"
#include "timing/ring.h"

namespace tpu::timing {

class WeightsUnit {
 public:
  explicit WeightsUnit(const isa::HardwareConfig& config);

  [[nodiscard]] Request& request() { return stream_.client().request(); }
  /// First cycle in which an instruction may be accepted; kNever: not known yet.
  [[nodiscard]] Cycle ready() const;
  void Accept(const isa::Weights& weights, Cycle cycle);
  /// First cycle in which Step has something to do; kNever: no such cycle is known.
  [[nodiscard]] Cycle next() const { return stream_.client().issue(); }
  void Step(Cycle cycle) {
    if (next() <= cycle) stream_.client().Issue(cycle);
  }
  /// The beats of the burst granted last come from cycle `first` on.
  void Deliver(const Burst& burst, Cycle first) { stream_.client().Deliver(burst, first); }

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

  bool CutRow();
  bool PushRows();
  void RowsCut(Cycle first, std::uint32_t rows);
  void RowsPushed(Cycle first, std::uint32_t rows);
  [[nodiscard]] Cycle Room() const;

  // The rows of an instruction that are still to be cut, and the bytes of each.
  struct Uncut {
    std::uint64_t rows = 0;
    std::uint32_t row_bytes = 0;
  };

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

  bool row_waits_ = false;  // A row is cut and not in the FIFO.
  std::uint64_t rows_ = 0;  // Rows ever pushed into the FIFO.
  std::uint64_t shifted_ = 0;
  std::array<Cycle, kTiles> shifts_{};
  std::array<Cycle, kTiles> whole_at_{};
  std::vector<Cycle> completions_;
};

}  // namespace tpu::timing
