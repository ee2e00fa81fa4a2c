// SPDX-License-Identifier: Apache-2.0
// A wire whose other end is a simulated board. Time is the board's: silence lasts as many cycles as
// it should.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "link/wire.h"

namespace tpu::link {

/// What happens to a byte: nothing, it is lost, it comes twice, bits of it flip.
struct Fault {
  enum class Kind { kNone, kLost, kDoubled, kFlipped };
  Kind kind = Kind::kNone;
  std::uint8_t flipped = 0;
};

/// Which fault the n-th byte of a direction has, counted from 0.
using Faults = std::function<Fault(std::uint64_t n)>;

/// A host's end of the line to a `Board`, which has kBitCycles, driver() and Tick().
template <typename Board>
class SimulatedWire final : public Wire {
 public:
  explicit SimulatedWire(Board& board, Faults to_board = {}, Faults to_host = {})
      : board_(board), to_board_(std::move(to_board)), to_host_(std::move(to_host)) {}

  void Send(std::span<const std::uint8_t> bytes) override {
    for (const std::uint8_t byte : bytes) {
      Damage(byte, to_board_, sent_, [&](std::uint8_t b) { board_.driver().Send(b); });
    }
    // As a host, whose system takes some bytes ahead.
    while (board_.driver().waiting() > kAhead) Tick();
  }

  std::size_t Receive(std::span<std::uint8_t> bytes, std::chrono::milliseconds) override {
    // Silence lasts from the time on when the system has nothing to send any more.
    for (unsigned silent = 0; heard_.empty() && silent < kPatienceCycles;) {
      Tick();
      silent = board_.driver().Idle() ? silent + 1 : 0;
    }
    std::size_t count = 0;
    for (; count < bytes.size() && !heard_.empty(); ++count) {
      bytes[count] = heard_.front();
      heard_.pop_front();
    }
    return count;
  }

  [[nodiscard]] std::string Name() const override { return "the simulated line"; }
  [[nodiscard]] unsigned BytesPerSecond() const override { return 1'000'000; }

  /// Bytes in each direction, before faults.
  [[nodiscard]] std::uint64_t sent() const { return sent_; }
  [[nodiscard]] std::uint64_t received() const { return received_; }

 private:
  static constexpr std::size_t kAhead = 4096;
  static constexpr unsigned kPatienceCycles = 1500 * 10 * Board::kBitCycles;

  template <typename Deliver>
  static void Damage(std::uint8_t byte, const Faults& faults, std::uint64_t& n,
                     const Deliver& deliver) {
    const Fault fault = faults ? faults(n) : Fault{};
    ++n;
    if (fault.kind == Fault::Kind::kLost) return;
    deliver(fault.kind == Fault::Kind::kFlipped ? byte ^ fault.flipped : byte);
    if (fault.kind == Fault::Kind::kDoubled) deliver(byte);
  }
  void Tick() {
    if (const auto byte = board_.Tick()) {
      Damage(*byte, to_host_, received_, [&](std::uint8_t b) { heard_.push_back(b); });
    }
  }

  Board& board_;
  Faults to_board_;
  Faults to_host_;
  std::deque<std::uint8_t> heard_;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
};

}  // namespace tpu::link
