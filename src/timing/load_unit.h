// LOAD (rtl/memory/tpu_load.v).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "isa/hardware_config.h"
#include "isa/instruction.h"
#include "timing/banks.h"
#include "timing/cycle.h"
#include "timing/gearbox.h"
#include "timing/read_client.h"

namespace tpu::timing {

/// Cycles from the acceptance of a LOAD or STORE until rows * row_bytes is known
/// (rtl/memory/tpu_dma_command.v).
Cycle ProductCycles(std::uint32_t rows);

class LoadUnit {
 public:
  explicit LoadUnit(const isa::HardwareConfig& config);

  [[nodiscard]] Request& request() { return client_.request(); }
  /// First cycle in which an instruction may be accepted; kNever: not known yet.
  [[nodiscard]] Cycle ready() const { return command_ ? kNever : command_free_; }
  void Accept(const isa::Load& load, Cycle cycle);
  /// First cycle in which Step has something to do; kNever: none as yet.
  [[nodiscard]] Cycle next() const {
    return command_ ? std::min(client_.issue(), FireCycle()) : client_.issue();
  }
  void Step(Cycle cycle);
  /// The beats of the burst granted last come from cycle `first` on.
  void Deliver(const Burst& burst, Cycle first);

  /// First cycle in which a row waits for the unified buffer's write port, and its bank; kNever:
  /// none as yet.
  [[nodiscard]] Cycle write() const { return waits_ ? cut_ + 1 : kNever; }
  [[nodiscard]] Banks write_bank() const { return BankOf(row_); }
  /// The row is written in this cycle.
  void Write(Cycle cycle);
  /// When instructions complete, in order; the caller takes them away.
  [[nodiscard]] std::deque<Cycle>& completions() { return completions_; }

 private:
  // Chunks that the stream of an instruction is cut into.
  struct Chunks {
    std::uint64_t left = 0;
    std::uint32_t pixel_bytes = 0;
    std::uint32_t pixel_left = 0;
    std::uint32_t limit = 0;
    std::uint32_t row = 0;
    std::uint32_t pixel_row = 0;
    std::uint32_t plane_stride = 0;
    std::uint32_t pixel_stride = 0;
    bool to_buffer = false;
    [[nodiscard]] std::uint32_t Length() const;
    void Step();
  };
  struct Command {
    isa::Load load;
    Cycle computed = 0;
  };
  // Instructions between tpu_dma_command and the walker.
  static constexpr std::size_t kQueue = 4;

  [[nodiscard]] Cycle FireCycle() const;
  void Advance();
  bool CutChunk();
  void EndWrite(Cycle cycle);

  isa::HardwareConfig config_;
  std::uint32_t beat_bytes_;
  ReadClient client_;
  Gearbox gearbox_;
  std::optional<Command> command_;
  Cycle command_free_ = 0;
  std::uint64_t fired_ = 0;
  std::uint64_t walked_ = 0;  // Instructions whose last chunk is cut.
  std::array<Chunks, 2 * kQueue> chunks_{};
  std::array<Cycle, 2 * kQueue> fired_at_{};
  std::array<Cycle, 2 * kQueue> last_cut_{};
  Cycle cut_ = 0;
  bool waits_ = false;  // A row is cut and not written;
  bool last_ = false;   // the last of its instruction.
  std::uint32_t row_ = 0;
  Cycle written_ = 0;
  std::deque<Cycle> completions_;
};

}  // namespace tpu::timing
