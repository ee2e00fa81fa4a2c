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
  /// First cycle in which Step has something to do; kNever: none as yet.
  [[nodiscard]] Cycle next() const {
    const Cycle next = std::min(stream_.client().issue(), waits_ ? write_from_ : kNever);
    return command_ ? std::min(next, FireCycle()) : next;
  }
  /// No instruction that is under way completes before this cycle, unless with beats that are not
  /// delivered yet.
  [[nodiscard]] Cycle completes() const;
  /// Works as far ahead as it is known when the vector unit writes.
  void Step(Cycle cycle, const VectorUnit& vector);
  /// The beats of the burst granted last come from cycle `first` on; a Step in this cycle must
  /// follow.
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
  // Instructions between tpu_dma_command and the walker.
  static constexpr std::size_t kQueue = 4;

  [[nodiscard]] Cycle FireCycle() const;
  void Fire(Cycle cycle);
  bool CutChunk();
  bool Write(const VectorUnit& vector);
  [[nodiscard]] Cycle Known(const VectorUnit& vector) const;
  [[nodiscard]] bool Meets(const VectorUnit& vector) const;
  bool FindCycle(const VectorUnit& vector);
  bool WriteRows(const VectorUnit& vector);

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
  bool delivered_ = false;  // Since the last Step.
  // A chunk is cut and not written: where it goes, and the first cycle in which it may.
  bool waits_ = false;
  bool last_ = false;  // Of its instruction.
  bool to_buffer_ = false;
  Banks bank_ = 0;
  Cycle write_from_ = 0;
  std::vector<Cycle> completions_;
};

}  // namespace tpu::timing
