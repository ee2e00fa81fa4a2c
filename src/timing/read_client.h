// SPDX-License-Identifier: Apache-2.0
// Requests and beats of the read side of LOAD and WEIGHTS (rtl/memory/tpu_dma_read.v).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "timing/cycle.h"
#include "timing/ring.h"
#include "timing/transfer.h"

namespace tpu::timing {

/// The requests of a client at the read port (rtl/memory/tpu_axi_read_port.v): one that stands at
/// the port, and perhaps one behind it (rtl/common/tpu_skid.v).
struct Request {
  bool valid = false;
  Cycle from = 0;  ///< The request stands at the port from this cycle on.
  Burst burst;
  bool spare_valid = false;
  Burst spare;
  Cycle room = 0;  ///< First cycle with a place for a request, unless both places are taken.

  void Add(const Burst& added, Cycle cycle) {
    if (valid) {
      spare_valid = true;
      spare = added;
    } else {
      valid = true;
      from = cycle + 1;
      burst = added;
    }
  }
  /// The port grants the first request in this cycle.
  void Granted(Cycle cycle) {
    valid = spare_valid;
    if (!spare_valid) return;
    from = cycle + 1;
    burst = spare;
    spare_valid = false;
    room = cycle + 1;
  }
};

class ReadClient {
 public:
  [[nodiscard]] Request& request() { return request_; }

  /// First cycle in which a transfer may be handed over; kNever: not known yet.
  [[nodiscard]] Cycle ready() const { return ready_; }
  /// Hands a transfer over. Its first row is loaded in the next cycle
  /// (rtl/memory/tpu_dma_bursts.v).
  void Start(Transfer transfer, Cycle cycle) {
    transfer_ = std::move(transfer);
    burst_ = transfer_.Next();
    active_from_ = cycle + 2;
    ready_ = kNever;
  }

  /// The beats of the burst granted last come from cycle `first` on.
  void Deliver(const Burst& burst, Cycle first) { delivered_.push_back({burst, first}); }

  /// Whether a burst was delivered whose beats are not all taken. The functions below need one.
  [[nodiscard]] bool holds() const { return !delivered_.empty(); }
  [[nodiscard]] const Burst& burst() const { return delivered_.front().burst; }
  /// The next beat's number in the oldest such burst.
  [[nodiscard]] std::uint32_t beat() const { return beat_; }
  /// First cycle in which the next beat may leave the receive FIFO.
  [[nodiscard]] Cycle Ready() const {
    return std::max(delivered_.front().first + beat_ + kFifoRamLatency, last_taken_ + 1);
  }
  void Take(Cycle cycle) { Skip(1, cycle - 1); }
  /// How many beats, all of whole words of the transfer, can be taken in consecutive cycles from
  /// cycle `first` on. The function stops counting at `most`.
  [[nodiscard]] std::uint32_t Backlog(Cycle first, std::uint32_t beat_bytes,
                                      std::uint64_t most) const {
    std::uint32_t beats = 0;
    std::uint32_t beat = beat_;
    for (std::size_t i = 0; i < delivered_.size() && beats < most; ++i) {
      const Burst& burst = delivered_[i].burst;
      if (delivered_[i].first + beat + kFifoRamLatency > first + beats) break;
      if (beat == 0 && burst.first != 0) break;
      beats += burst.beats - beat;
      if (burst.end + 1 != beat_bytes) return beats - 1;
      beat = 0;
    }
    return beats;
  }
  /// Takes `count` of these beats, from cycle `first` on.
  void TakeAll(std::uint32_t count, Cycle first) {
    while (count != 0) {
      const std::uint32_t beats = std::min(count, burst().beats - beat_);
      Skip(beats, first - 1);
      first += beats;
      count -= beats;
    }
  }
  /// The cycle in which a beat was taken last.
  [[nodiscard]] Cycle last_taken() const { return last_taken_; }

  /// First cycle in which a burst can be requested; kNever: first a request must be granted, beats
  /// must be taken, or a transfer must start.
  [[nodiscard]] Cycle issue() const {
    if (transfer_.done() || request_.spare_valid) return kNever;
    return std::max({active_from_, request_.room, RoomForBurst()});
  }
  void Issue(Cycle cycle) {
    active_from_ = cycle + 1;
    request_.Add(burst_, cycle);
    issued_ += burst_.beats;
    while (!runs_.empty() && runs_.front().end + kBeats <= issued_) runs_.pop_front();
    transfer_.Step();
    if (transfer_.done()) {
      ready_ = cycle + 1;
    } else {
      burst_ = transfer_.Next();
    }
  }

 private:
  // Beats that the receive FIFO holds. A place is reserved before its beat is requested.
  static constexpr std::uint64_t kBeats = 128;
  // A burst is requested only when the receive FIFO has room for so many beats.
  static constexpr std::uint64_t kMostBeats = 32;
  struct Delivered {
    Burst burst;
    Cycle first = 0;
  };

  // Beats taken in consecutive cycles.
  struct Run {
    std::uint64_t end = 0;  // How many beats had been taken after the run's last beat.
    Cycle last = 0;         // The cycle of the run's last beat.
  };

  // Takes `count` more of the burst's beats in the cycles after `cycle`.
  void Skip(std::uint32_t count, Cycle cycle) {
    if (cycle != last_taken_ || runs_.empty()) runs_.push_back({});
    last_taken_ = cycle + count;
    taken_ += count;
    runs_.back() = {.end = taken_, .last = last_taken_};
    beat_ += count;
    if (beat_ < burst().beats) return;
    beat_ = 0;
    delivered_.pop_front();
  }
  [[nodiscard]] Cycle RoomForBurst() const {
    if (issued_ + kMostBeats <= kBeats) return 0;
    const std::uint64_t must_be_taken = issued_ + kMostBeats - kBeats;
    if (taken_ < must_be_taken) return kNever;
    std::size_t run = 0;
    while (runs_[run].end < must_be_taken) ++run;
    return runs_[run].last - (runs_[run].end - must_be_taken) + 1;
  }

  Transfer transfer_;
  Burst burst_;  // The transfer's next burst.
  Cycle active_from_ = 0;
  Cycle ready_ = 0;
  Request request_;
  std::uint64_t issued_ = 0;
  Ring<Delivered, kBeats> delivered_;  // Each burst has at least one beat.
  std::uint32_t beat_ = 0;             // The next beat within the oldest burst delivered.
  Cycle last_taken_ = 0;
  std::uint64_t taken_ = 0;
  Ring<Run, kBeats> runs_;  // Runs whose places in the FIFO are not reserved again.
};

}  // namespace tpu::timing
