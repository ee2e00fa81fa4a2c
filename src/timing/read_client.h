// Requests and beats of the read side of LOAD and WEIGHTS (rtl/memory/tpu_dma_read.v).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "timing/cycle.h"
#include "timing/ring.h"
#include "timing/transfer.h"

namespace tpu::timing {

/// A client's request register towards the read port (rtl/memory/tpu_axi_read_mux.v).
struct Request {
  bool valid = false;
  Cycle from = 0;  ///< Stands there from this cycle on.
  Burst burst;
};

class ReadClient {
 public:
  [[nodiscard]] Request& request() { return request_; }

  /// First cycle in which a transfer may be handed over; kNever: not known yet.
  [[nodiscard]] Cycle ready() const { return ready_; }
  /// Its bursts may be requested from the next cycle on.
  void Start(Transfer transfer, Cycle cycle) {
    transfer_ = std::move(transfer);
    burst_ = transfer_.Next();
    active_from_ = cycle + 1;
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
  void Take(Cycle cycle) {
    last_taken_ = cycle;
    taken_at_[taken_++ % kRemembered] = cycle;
    Pass(1);
  }
  /// Takes `count` more of the burst's beats in the cycles after `cycle`.
  void Skip(std::uint32_t count, Cycle cycle) {
    for (std::uint32_t i = 0; i < count; ++i) taken_at_[(taken_ + i) % kRemembered] = cycle + 1 + i;
    taken_ += count;
    last_taken_ = cycle + count;
    Pass(count);
  }
  /// When a beat was taken last.
  [[nodiscard]] Cycle last_taken() const { return last_taken_; }

  /// First cycle in which a burst can be put into the request register; kNever: not before a grant,
  /// beats taken or a transfer started.
  [[nodiscard]] Cycle issue() const {
    if (transfer_.done() || request_.valid) return kNever;
    return std::max(active_from_, RoomFor(burst_.beats));
  }
  void Issue(Cycle cycle) {
    request_ = {.valid = true, .from = cycle + 1, .burst = burst_};
    issued_ += burst_.beats;
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
  static constexpr std::size_t kRemembered = 256;
  struct Delivered {
    Burst burst;
    Cycle first = 0;
  };

  void Pass(std::uint32_t beats) {
    beat_ += beats;
    if (beat_ < burst().beats) return;
    beat_ = 0;
    delivered_.pop_front();
  }
  [[nodiscard]] Cycle RoomFor(std::uint32_t beats) const {
    if (issued_ + beats <= kBeats) return 0;
    const std::uint64_t must_be_taken = issued_ + beats - kBeats;
    return taken_ >= must_be_taken ? taken_at_[(must_be_taken - 1) % kRemembered] + 1 : kNever;
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
  std::array<Cycle, kRemembered> taken_at_{};
};

}  // namespace tpu::timing
