// SPDX-License-Identifier: Apache-2.0
// The bytes that LOAD or WEIGHTS reads, on their way from the receive FIFO through the gearbox to
// the register that holds the piece cut last.
#pragma once

#include <algorithm>
#include <cstdint>

#include "isa/hardware_config.h"
#include "timing/cycle.h"
#include "timing/gearbox.h"
#include "timing/read_client.h"

namespace tpu::timing {

class ReadStream {
 public:
  /// Pieces have at most `piece_bytes` bytes.
  ReadStream(const isa::HardwareConfig& config, std::uint32_t piece_bytes)
      : beat_bytes_(config.axi_data_width / 8),
        row_bytes_(std::max(beat_bytes_, piece_bytes)),
        gearbox_(row_bytes_) {}

  [[nodiscard]] ReadClient& client() { return client_; }
  [[nodiscard]] const ReadClient& client() const { return client_; }
  [[nodiscard]] std::uint32_t beat_bytes() const { return beat_bytes_; }

  /// The next beat leaves the receive FIFO for the gearbox. Returns false if there is no beat yet,
  /// or if the cycle in which the gearbox has room is not known.
  bool TakeBeat() {
    if (!client_.holds()) return false;
    const Cycle room = gearbox_.Room();
    if (room >= kNever) return false;
    const std::uint32_t bytes = client_.burst().BytesOf(client_.beat(), beat_bytes_);
    const Cycle cycle = std::max(client_.Ready(), room);
    client_.Take(cycle);
    gearbox_.Push(bytes, cycle);
    return true;
  }

  [[nodiscard]] bool Holds(std::uint32_t bytes) const { return gearbox_.Holds(bytes); }
  /// First cycle in which a piece may be cut: the piece before has left. The gearbox must hold the
  /// piece's bytes.
  [[nodiscard]] Cycle Soonest(std::uint32_t bytes) {
    return std::max({gearbox_.Ready(bytes), cut_ + 1, left_});
  }
  /// Cuts a piece, in cycle `from` or later.
  void Cut(std::uint32_t bytes, Cycle from = 0) {
    cut_ = std::max(Soonest(bytes), from);
    gearbox_.Cut(bytes, cut_);
  }
  /// The register behind the gearbox takes a piece from elsewhere, which is there from cycle
  /// `ready` on, after the piece before has left.
  void CutOther(Cycle ready) { cut_ = std::max({ready, cut_ + 1, left_}); }
  /// When the last piece was cut.
  [[nodiscard]] Cycle cut() const { return cut_; }
  /// The piece that was cut last leaves.
  void Leave(Cycle cycle) { left_ = cycle; }

  /// Cycles that are alike. In each of `rows` cycles from `left` on, a piece leaves and the next
  /// one is cut. In each of `beats` cycles from `taken` on, a beat is taken. Pieces and beats are
  /// whole rows of the gearbox.
  struct Flow {
    Cycle left = 0;
    Cycle taken = 0;
    std::uint32_t rows = 0;
    std::uint32_t beats = 0;
  };
  /// The cycles that are alike if the piece that was cut last leaves in cycle `left`, the pieces
  /// behind it have `bytes` bytes, and nothing holds them up. Takes the beats that come earlier.
  /// The function stops counting rows at `most`.
  [[nodiscard]] Flow FlowFrom(Cycle left, std::uint32_t bytes, std::uint64_t most) {
    if (bytes != row_bytes_ || beat_bytes_ != row_bytes_ || !gearbox_.aligned()) return {};
    Flow flow = {.left = left};
    Cycle cut =
        left + gearbox_.rows();  // When the next beat is cut if no piece before it has to wait.
    for (; client_.holds(); ++cut) {
      // Behind a full gearbox a beat is taken after each piece that leaves.
      const bool full = gearbox_.rows() == Gearbox::kRowsAhead;
      flow.taken = std::max(client_.Ready(), full ? left + 1 : gearbox_.Room());
      if (flow.taken >= cut) break;
      // A beat can be taken in the cycle after the row three rows before it was cut, or later.
      if (flow.taken + Gearbox::kRowsAhead > cut) {
        flow.beats = client_.Backlog(flow.taken, beat_bytes_, most);
        break;
      }
      if (!TakeBeat()) break;
    }
    if (client_.last_taken() + 1 < cut) {
      flow.rows = flow.beats + static_cast<std::uint32_t>(gearbox_.rows());
    }
    return flow;
  }
  /// Passes `rows` of the flow's rows.
  void Pass(const Flow& flow, std::uint32_t rows) {
    const std::uint32_t beats = std::min(flow.beats, rows);
    client_.TakeAll(beats, flow.taken);
    cut_ = left_ = flow.left + rows - 1;
    gearbox_.Pass(beats, client_.last_taken(), rows, cut_);
  }

 private:
  std::uint32_t beat_bytes_;
  std::uint32_t row_bytes_;  // Bytes of a row of the gearbox.
  ReadClient client_;
  Gearbox gearbox_;
  Cycle cut_ = 0;
  Cycle left_ = 0;
};

}  // namespace tpu::timing
