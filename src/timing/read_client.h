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

/// What a client asks the read port for (rtl/memory/tpu_axi_read_port.v): a request that stands
/// there, and perhaps one behind it (rtl/common/tpu_skid.v).
struct Request {
  bool valid = false;
  Cycle from = 0;  ///< Stands there from this cycle on.
  Burst burst;
  bool spare_valid = false;
  Burst spare;
  Cycle room = 0;  ///< First cycle with a place, unless both are taken.

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
  /// The port grants the first one in this cycle.
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
  /// Its first row is loaded in the next cycle (rtl/memory/tpu_dma_bursts.v).
  void Start(Transfer transfer, Cycle cycle) {
    transfer_ = std::move(transfer);
    burst_ = transfer_.Next();
    active_from_ = cycle + 2;
    ready_ = kNever;
  }

  /// The beats of the burst granted last come from cycle `first` on.
  void Deliver(const Burst& burst, Cycle first) { delivered_.push_back({burst, first}); }

  /// Whether a burst is there of which beats are to be taken; the others are for this case only.
  [[nodiscard]] bool holds() const { return !delivered_.empty(); }
  [[nodiscard]] const Burst& burst() const { return delivered_.front().burst; }
  /// The next beat's number in it.
  [[nodiscard]] std::uint32_t beat() const { return beat_; }
  /// First cycle in which it may leave the receive FIFO.
  [[nodiscard]] Cycle Ready() const {
    return std::max(delivered_.front().first + beat_ + kFifoRamLatency, last_taken_ + 1);
  }
  void Take(Cycle cycle) { Skip(1, cycle - 1); }
  /// How many beats, of whole words of the transfer, can be taken in consecutive cycles from cycle
  /// `first` on. Whether there are more than `most` is not looked into.
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
  /// Takes so many of them.
  void TakeAll(std::uint32_t count, Cycle first) {
    while (count != 0) {
      const std::uint32_t beats = std::min(count, burst().beats - beat_);
      Skip(beats, first - 1);
      first += beats;
      count -= beats;
    }
  }
  /// When a beat was taken last.
  [[nodiscard]] Cycle last_taken() const { return last_taken_; }

  /// First cycle in which a burst can be requested; kNever: not before a grant, beats taken or a
  /// transfer started.
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
  // Beats of the receive FIFO, reserved before they are requested.
  static constexpr std::uint64_t kBeats = 128;
  // Without room for so many no burst is requested.
  static constexpr std::uint64_t kMostBeats = 32;
  struct Delivered {
    Burst burst;
    Cycle first = 0;
  };

  // Beats taken in consecutive cycles.
  struct Run {
    std::uint64_t end = 0;  // Beats taken up to its last one,
    Cycle last = 0;         // which was taken in this cycle.
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
  Burst burst_;  // The transfer's next.
  Cycle active_from_ = 0;
  Cycle ready_ = 0;
  Request request_;
  std::uint64_t issued_ = 0;
  Ring<Delivered, kBeats> delivered_;  // Of a beat each, at the least.
  std::uint32_t beat_ = 0;             // Within the oldest burst delivered.
  Cycle last_taken_ = 0;
  std::uint64_t taken_ = 0;
  Ring<Run, kBeats> runs_;  // Of beats whose places are not requested again.
};

}  // namespace tpu::timing
