// The bytes that LOAD or WEIGHTS reads, from the receive FIFO through the gearbox to where its
// pieces leave for.
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
  explicit ReadStream(const isa::HardwareConfig& config)
      : beat_bytes_(config.axi_data_width / 8),
        row_bytes_(std::max(beat_bytes_, config.n)),
        gearbox_(row_bytes_) {}

  [[nodiscard]] ReadClient& client() { return client_; }
  [[nodiscard]] const ReadClient& client() const { return client_; }
  [[nodiscard]] std::uint32_t beat_bytes() const { return beat_bytes_; }

  /// The next beat leaves the receive FIFO for the gearbox. False: there is none as yet, or it is
  /// not known when the gearbox has room.
  bool TakeBeat() {
    if (!client_.holds()) return false;
    const Cycle room = gearbox_.Room();
    if (room >= kNever) return false;
    const std::uint32_t bytes = client_.burst().BytesOf(client_.beat(), beat_bytes_);
    const Cycle cycle = std::max(client_.Ready(), room);
    const bool next = bytes == row_bytes_ && cycle == client_.last_taken() + 1;
    beats_settled_ = next ? beats_settled_ + 1 : 0;
    client_.Take(cycle);
    gearbox_.Push(bytes, cycle);
    return true;
  }
  /// The beats do so that were there when the last piece left.
  void TakeBacklog() {
    while (client_.holds() && client_.Ready() <= left_ && TakeBeat()) {
    }
  }

  [[nodiscard]] bool Holds(std::uint32_t bytes) const { return gearbox_.Holds(bytes); }
  /// Cuts a piece, which it holds, after the one before has left.
  void Cut(std::uint32_t bytes) {
    const Cycle cycle = std::max({gearbox_.Ready(bytes), cut_ + 1, left_});
    const bool next = bytes == row_bytes_ && cycle == cut_ + 1;
    pieces_settled_ = next ? pieces_settled_ + 1 : 0;
    cut_ = cycle;
    gearbox_.Cut(bytes, cycle);
  }
  /// When the last piece was cut.
  [[nodiscard]] Cycle cut() const { return cut_; }
  /// The piece that was cut last leaves.
  void Leave(Cycle cycle) {
    if (cycle != left_ + 1) pieces_settled_ = 0;
    left_ = cycle;
  }
  /// When the last piece left.
  [[nodiscard]] Cycle left() const { return left_; }

  /// From now on a beat is taken in each cycle, a piece of `bytes` bytes cut and one leaves, if
  /// they can leave that fast: for so many cycles. The last piece cut must have left.
  [[nodiscard]] std::uint32_t Steady(std::uint32_t bytes) const {
    if (bytes != row_bytes_ || beat_bytes_ != row_bytes_ || !client_.holds()) return 0;
    if (!Waits() && !Passes() && !Settled()) return 0;
    const Burst& burst = client_.burst();
    if (client_.beat() == 0 && burst.first != 0) return 0;
    const std::uint32_t part = burst.end + 1 == beat_bytes_ ? 0 : 1;
    return burst.beats - client_.beat() - part;
  }
  void Skip(std::uint32_t count) {
    if (count == 0) return;
    if (Waits()) {
      client_.Skip(count, left_);
      cut_ = left_ - 1;
    } else {
      client_.Skip(count, client_.last_taken());
    }
    cut_ += count;
    left_ += count;
    gearbox_.Skip(count, client_.last_taken(), cut_);
  }

 private:
  // The last beat has gone through without a stop, and the next one comes right behind it.
  [[nodiscard]] bool Passes() const {
    return left_ == client_.last_taken() + 2 && gearbox_.empty() &&
           client_.Ready() == client_.last_taken() + 1;
  }
  // Each beat and piece came one cycle after the one before, and so will the next.
  [[nodiscard]] bool Settled() const {
    return std::min(beats_settled_, pieces_settled_) >= Gearbox::kSettled &&
           client_.Ready() == client_.last_taken() + 1;
  }
  // Beats wait for the gearbox, and it for the pieces to leave.
  [[nodiscard]] bool Waits() const {
    return gearbox_.full() && client_.last_taken() < left_ && client_.Ready() <= left_ + 1;
  }

  std::uint32_t beat_bytes_;
  std::uint32_t row_bytes_;  // Of the gearbox.
  ReadClient client_;
  Gearbox gearbox_;
  Cycle cut_ = 0;
  Cycle left_ = 0;
  // How often in a row a beat or a piece was a row of the gearbox, one cycle after the one before.
  std::uint64_t beats_settled_ = 0;
  std::uint64_t pieces_settled_ = 0;
};

}  // namespace tpu::timing
