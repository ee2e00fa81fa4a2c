// SPDX-License-Identifier: Apache-2.0
// A session with a board: memory and registers over a wire that may lose, repeat or damage bytes.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "link/frame.h"
#include "link/wire.h"

namespace tpu::link {

/// What a board says of itself.
struct BoardInfo {
  std::uint32_t clock_hz = 0;
  std::uint32_t memory_bytes = 0;  ///< From address 0 on.
};

/// Requests go over without waiting for the answers of those before; a lost one is sent again with
/// all behind it, and the board does each write once, in order. What writes only promises that: an
/// error of the board comes out of this or a later call, of Flush() at the latest. All functions
/// throw tpu::Error, naming the wire, when the board does not answer in spite of repetitions, was
/// reset, or reports an error; the session is over then.
class Link {
 public:
  /// Begins a session.
  explicit Link(std::unique_ptr<Wire> wire);

  [[nodiscard]] const BoardInfo& info() const { return info_; }
  [[nodiscard]] std::string Name() const { return wire_->Name(); }

  void WriteMemory(std::uint32_t address, std::span<const std::uint8_t> bytes);
  void ReadMemory(std::uint32_t address, std::span<std::uint8_t> bytes);
  /// Multiples of 4.
  void WriteRegister(std::uint32_t address, std::uint32_t value);
  void ReadRegisters(std::uint32_t address, std::span<std::uint32_t> values);
  std::uint32_t ReadRegister(std::uint32_t address);
  /// CRC-32s of consecutive pieces of memory, of `piece` bytes each but for the last, computed by
  /// the board.
  std::vector<std::uint32_t> Checksums(std::uint32_t address, std::uint32_t bytes,
                                       std::uint32_t piece);
  /// Until the TPU's interrupt is pending, or so many cycles. Returns whether it is.
  bool WaitForInterrupt(std::uint32_t cycles);
  /// Returns when all that was asked for is done.
  void Flush();

  /// Requests that were sent again since the session began.
  [[nodiscard]] std::uint64_t repeated() const { return repeated_; }

 private:
  struct Pending {
    std::uint8_t number;
    Bytes wire;
    std::span<std::uint8_t> answer;  // Where the answer's bytes go.
  };

  enum class Heard { kAnswer, kDamaged, kNothing };

  void Begin();
  bool IsHelloAnswer(std::uint32_t mark);
  Heard Listen();
  void Post(Command command, std::uint32_t address, std::uint32_t length,
            std::span<const std::uint8_t> bytes, std::span<std::uint8_t> answer);
  void Advance();
  void AwaitAnswer();
  bool HandleAnswer();
  void Repeat();
  [[noreturn]] void Fail(Status status, const Pending& request) const;

  std::unique_ptr<Wire> wire_;
  std::chrono::milliseconds patience_;
  AnswerReader reader_;
  Answer answer_;  // The last one that was heard.
  std::array<std::uint8_t, 4096> received_;
  std::span<const std::uint8_t> unread_;
  BoardInfo info_;
  std::uint8_t next_number_ = 0;
  std::deque<Pending> window_;  // Sent and not answered.
  bool repeating_ = false;      // The window was sent again since the last answer.
  std::uint64_t repeated_ = 0;
};

}  // namespace tpu::link
