// SPDX-License-Identifier: Apache-2.0
// STORE (rtl/memory/tpu_store.v, tpu_dma_write.v).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "isa/hardware_config.h"
#include "isa/instruction.h"
#include "timing/banks.h"
#include "timing/chunk_walk.h"
#include "timing/cycle.h"
#include "timing/gearbox.h"
#include "timing/ring.h"
#include "timing/transfer.h"

namespace tpu::timing {

class StoreUnit {
 public:
  StoreUnit(const isa::HardwareConfig& config, Cycle memory_latency);

  /// First cycle in which an instruction may be accepted; kNever: not known yet.
  [[nodiscard]] Cycle ready() const { return command_ ? kNever : command_free_; }
  void Accept(const isa::Store& store, Cycle cycle);

  /// First cycle in which it asks the unified buffer for a row, and the row's bank; kNever: none as
  /// yet.
  [[nodiscard]] Cycle read() const { return asks_; }
  [[nodiscard]] Banks read_bank() const { return asked_.front().bank; }
  /// The row is read in this cycle.
  void Read(Cycle cycle);

  /// How many rows go straight to the bus, whenever they are read from this cycle on.
  [[nodiscard]] std::uint32_t Straight(Cycle cycle) const;
  /// Whether the next row is a whole one, and not the last of its instruction, nor is the row that
  /// the walker gives next.
  [[nodiscard]] bool whole() const {
    return asked_.front().whole && !streams_.empty() && streams_.front().walk.whole();
  }
  /// Reads it, one of those, in this cycle. `Passed` must follow, with how many there were.
  void Pass(Cycle cycle) {
    asked_.pop_front();
    read_ = cycle;
    pushed_[chunks_++ % kChunks] = cycle + kReadToGearbox;
    EnterChunks();
  }
  void Passed(std::uint32_t rows);

  /// When instructions complete, in order; the caller takes them away.
  [[nodiscard]] std::vector<Cycle>& completions() { return completions_; }

 private:
  // Instructions between tpu_dma_command and the walker, and up to the last response.
  static constexpr std::uint64_t kQueue = 4;
  static constexpr std::uint64_t kUnanswered = 8;
  // Chunks from the walker to the gearbox, those of them that are not read yet, and how long they
  // take from their read to the gearbox and to the bus.
  static constexpr std::size_t kChunks = 8;
  static constexpr std::size_t kAsked = 2;
  static constexpr Cycle kReadToGearbox = 3;
  static constexpr Cycle kReadToWritten = kReadToGearbox + 2;
  // Bursts from address to response.
  static constexpr std::size_t kBursts = 64;

  struct Command {
    isa::Store store;
    Cycle computed = 0;
  };
  // Chunks to be read for an instruction that was fired; from cycle `from` on, once the walker has
  // started.
  struct Stream {
    Cycle fired = 0;
    Cycle from = 0;
    ChunkWalk walk;
  };
  // A chunk that asks for its row, or waits behind one that does.
  struct Chunk {
    Cycle entered = 0;
    std::uint32_t bytes = 0;
    Banks bank = 0;
    bool whole = false;  // As long as any, and not the last of its instruction.
  };
  struct Issued {
    Burst burst;
    Cycle cycle = 0;
  };

  void Fire();
  void StartWalker();
  void EnterChunks();
  void Ask();
  void IssueBursts();
  void WriteBeats();

  isa::HardwareConfig config_;
  std::uint32_t beat_bytes_;
  Cycle memory_latency_;
  Gearbox gearbox_;

  std::optional<Command> command_;
  Cycle command_free_ = 0;
  std::uint64_t commands_ = 0;
  std::uint64_t walked_ = 0;    // Instructions that the walker has started with,
  std::uint64_t finished_ = 0;  // and those whose responses are known.
  std::array<Cycle, kQueue> walker_start_{};
  std::array<Cycle, kUnanswered> answered_{};

  Ring<Stream, 8> streams_;
  Ring<Chunk, kAsked> asked_;
  Cycle entered_ = 0;         // When the walker gave the last of them.
  std::uint64_t chunks_ = 0;  // Read,
  Cycle read_ = 0;            // and when the last of them was.
  Cycle asks_ = kNever;
  std::array<Cycle, kChunks> pushed_{};

  Transfer transfer_;
  Cycle issue_ = 0;
  std::uint64_t bursts_ = 0;     // Issued,
  std::uint64_t responses_ = 0;  // and those whose response is known.
  Ring<Issued, kBursts> issued_;
  std::uint32_t beat_ = 0;  // Within the oldest burst issued.
  std::array<Cycle, kBursts> response_{};
  Cycle last_response_ = 0;
  Cycle written_ = 0;
  std::vector<Cycle> completions_;
};

}  // namespace tpu::timing
