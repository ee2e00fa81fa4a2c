// SPDX-License-Identifier: Apache-2.0
// LOAD (rtl/memory/tpu_load.v).
#pragma once

#include <algorithm>
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
#include "timing/read_stream.h"
#include "timing/ring.h"
#include "timing/vector_unit.h"

namespace tpu::timing {

/// Cycles from the acceptance of a LOAD or STORE until rows * row_bytes is known
/// (rtl/memory/tpu_dma_command.v).
Cycle ProductCycles(std::uint32_t rows);

class LoadUnit {
 public:
  explicit LoadUnit(const isa::HardwareConfig& config);

  [[nodiscard]] Request& request() { return stream_.client().request(); }
  /// First cycle in which an instruction may be accepted; kNever: not known yet.
  [[nodiscard]] Cycle ready() const { return command_ ? kNever : command_free_; }
  void Accept(const isa::Load& load, Cycle cycle);
  /// First cycle in which Step has something to do; kNever: no such cycle is known.
  [[nodiscard]] Cycle next() const {
    const Cycle next = std::min(stream_.client().issue(), waiting_.empty() ? kNever : write_from_);
    return command_ ? std::min(next, FireCycle()) : next;
  }
  /// A bound: no instruction under way completes before this cycle. An instruction that still waits
  /// for beats is not part of the bound.
  [[nodiscard]] Cycle completes() const;
  /// Works ahead, up to the cycle from which the vector unit's writes are not known.
  void Step(Cycle cycle, const VectorUnit& vector);
  /// The beats of the burst granted last come from cycle `first` on. The caller must then call Step
  /// in this cycle.
  void Deliver(const Burst& burst, Cycle first) {
    stream_.client().Deliver(burst, first);
    delivered_ = true;
  }

  /// When instructions complete, in order; the caller takes them away.
  [[nodiscard]] std::vector<Cycle>& completions() { return completions_; }

 private:
  // Chunks that the stream of an instruction is cut into.
  struct Chunks {
    ChunkWalk walk;
    bool to_buffer = false;
  };
  struct Command {
    isa::Load load;
    Cycle computed = 0;
  };
  // A chunk that is cut.
  struct Chunk {
    Cycle from = 0;  // First cycle in which it may be written.
    Banks bank = 0;
    bool to_buffer = false;
    bool last = false;  // The last chunk of its instruction.
  };
  // Instructions between tpu_dma_command and the walker.
  static constexpr std::size_t kQueue = 4;
  // Chunks between the gearbox and the buffer.
  static constexpr std::size_t kChunks = 4;

  [[nodiscard]] Cycle FireCycle() const;
  void Fire(Cycle cycle);
  bool CutChunk();
  [[nodiscard]] bool has_room() const { return waiting_.size() < kChunks; }
  [[nodiscard]] Cycle Room() const { return written_[queued_ % kChunks] + 1; }
  void Queue(Cycle cycle);
  bool QueueChunks(const VectorUnit& vector);
  bool Write(const VectorUnit& vector);

  isa::HardwareConfig config_;
  unsigned log_n_;
  ReadStream stream_;
  std::optional<Command> command_;
  Cycle command_free_ = 0;
  std::uint64_t fired_ = 0;
  std::uint64_t walked_ = 0;  // Instructions whose last chunk is cut.
  std::array<Chunks, 2 * kQueue> chunks_{};
  std::array<Cycle, 2 * kQueue> fired_at_{};
  std::array<Cycle, 2 * kQueue> last_cut_{};
  bool delivered_ = false;  // Deliver was called after the last Step.
  // The chunk in the gearbox's output register, if there is one.
  bool cut_ = false;
  Chunk chunk_;
  // The FIFO behind the gearbox: its chunks, when the last chunk entered, how many chunks ever
  // entered, and when the last kChunks of them were written.
  Ring<Chunk, kChunks> waiting_;
  Cycle queued_at_ = 0;
  std::uint64_t queued_ = 0;
  std::array<Cycle, kChunks> written_{};
  Cycle write_from_ = 0;  // First cycle in which the next chunk may be written.
  std::vector<Cycle> completions_;
};

}  // namespace tpu::timing
