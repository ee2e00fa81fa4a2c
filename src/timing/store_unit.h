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

  /// First cycle in which the unit asks the unified buffer for a row, and the row's bank; kNever:
  /// no such cycle is known.
  [[nodiscard]] Cycle read() const { return asks_; }
  [[nodiscard]] Banks read_bank() const { return asked_.front().bank; }
  /// The row is read in this cycle.
  void Read(Cycle cycle);

  /// How many rows go straight to the bus, in whichever cycles from this one on they are read.
  [[nodiscard]] std::uint32_t Straight(Cycle cycle) const;
  /// Whether the next row and the row that the walker gives next are both whole, and neither is the
  /// last row of its instruction.
  [[nodiscard]] bool whole() const {
    return asked_.front().whole && !streams_.empty() && streams_.front().walk.whole();
  }
  /// Reads such a row in this cycle. After the last of them the caller must call `Passed` with
  /// their number.
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
  // So many instructions may wait between tpu_dma_command and the walker; so many may wait for
  // their last response.
  static constexpr std::uint64_t kQueue = 4;
  static constexpr std::uint64_t kUnanswered = 8;
  // Chunks from the walker to the gearbox; chunks of these that are not read yet; cycles from the
  // read of a chunk to the gearbox and to the bus.
  static constexpr std::size_t kChunks = 8;
  static constexpr std::size_t kAsked = 2;
  static constexpr Cycle kReadToGearbox = 4;
  static constexpr Cycle kReadToWritten = kReadToGearbox + 2;
  // Bursts from address to response.
  static constexpr std::size_t kBursts = 64;

  struct Command {
    isa::Store store;
    Cycle computed = 0;
  };
  // The chunks of an instruction that was fired. They are read from cycle `from` on, once the
  // walker has started.
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
    bool whole = false;  // A full row, and not the last chunk of its instruction.
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
  std::uint64_t walked_ = 0;    // Instructions that the walker has started with.
  std::uint64_t finished_ = 0;  // Instructions whose responses are known.
  std::array<Cycle, kQueue> walker_start_{};
  std::array<Cycle, kUnanswered> answered_{};

  Ring<Stream, 8> streams_;
  Ring<Chunk, kAsked> asked_;
  Cycle entered_ = 0;         // When the walker gave the last chunk.
  std::uint64_t chunks_ = 0;  // Chunks that were read.
  Cycle read_ = 0;            // When the last chunk was read.
  Cycle asks_ = kNever;
  std::array<Cycle, kChunks> pushed_{};

  Transfer transfer_;
  Cycle issue_ = 0;
  std::uint64_t bursts_ = 0;     // Bursts that were issued.
  std::uint64_t responses_ = 0;  // Bursts whose response is known.
  Ring<Issued, kBursts> issued_;
  std::uint32_t beat_ = 0;  // The next beat within the oldest burst issued.
  std::array<Cycle, kBursts> response_{};
  Cycle last_response_ = 0;
  Cycle written_ = 0;
  std::vector<Cycle> completions_;
};

}  // namespace tpu::timing
