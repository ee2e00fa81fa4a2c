// VECTOR, cycle by cycle: its streams of rows share the banks of the unified buffer (rtl/vector/).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "isa/hardware_config.h"
#include "isa/instruction.h"
#include "timing/banks.h"
#include "timing/cycle.h"
#include "timing/vector_walk.h"

namespace tpu::timing {

class VectorUnit {
 public:
  /// From an instruction's last tap to `done`.
  static constexpr Cycle kTapToDone = 19;

  explicit VectorUnit(const isa::HardwareConfig& config) : ub_rows_(config.ub_rows) {}

  /// First cycle in which an instruction may be accepted; kNever: not known yet.
  [[nodiscard]] Cycle ready() const { return slot_ != nullptr ? kNever : slot_free_; }
  /// The instruction must live until it has completed.
  void Accept(const isa::Vector& vector, Cycle cycle);

  /// Nothing to do before the next instruction.
  [[nodiscard]] bool idle() const { return slot_ == nullptr && !active_; }
  /// May ask for rows of the unified buffer in the next cycle.
  [[nodiscard]] bool reads_buffer() const {
    return (active_ && !accumulators_) || streams_[0].active || streams_[1].active;
  }
  /// Works for one cycle; `banks` are those that others read, to which it adds its own. Returns
  /// when the instruction completes whose last tap this is.
  std::optional<Cycle> Step(Cycle cycle, Banks& banks);
  /// Bank that it writes in this cycle, as a mask.
  [[nodiscard]] Banks Writes(Cycle cycle) const {
    const Write& write = writes_[cycle % writes_.size()];
    return write.cycle == cycle ? write.banks : 0;
  }

 private:
  // Stream 1 or 2 (rtl/vector/tpu_vector_operand.v).
  struct Stream {
    static constexpr unsigned kRows = 8;
    VectorWalk walk;
    bool active = false;
    bool columns = false;
    bool seen = false;
    unsigned held = 0;    // Rows taken and not popped,
    unsigned free = 0;    // and not claimed.
    unsigned claims = 0;  // Bit i: one was claimed i + 1 cycles ago.

    [[nodiscard]] bool busy() const { return active || held != 0; }
    [[nodiscard]] Banks bank() const { return BankOf(walk.row()); }
    [[nodiscard]] bool room() const { return held != kRows; }
    [[nodiscard]] bool reads() const { return active && walk.inside() && room(); }
    [[nodiscard]] bool hungry() const { return reads() && free <= 1; }
  };
  struct Write {
    Cycle cycle = 0;
    Banks banks = 0;
  };
  struct Tap {
    bool step = false;
    bool claim_1 = false;
    bool claim_2 = false;
    bool last = false;
  };

  [[nodiscard]] bool Uses(std::size_t stream) const;
  Tap StepSource(Cycle cycle, bool hungry_1, bool hungry_2, Banks& banks);
  void WriteRow(Cycle cycle);
  void StepStream(std::size_t stream, bool granted, bool claimed, Cycle cycle);
  void Take(Cycle cycle);

  std::uint32_t ub_rows_;
  // The next instruction.
  const isa::Vector* slot_ = nullptr;
  VectorPattern slot_pattern_;
  Cycle slot_from_ = 0;
  Cycle slot_free_ = 0;

  // Source A.
  bool active_ = false;
  bool accumulators_ = false;
  bool uses_b_ = false;
  VectorPattern pattern_;
  VectorWalk walk_;
  unsigned ahead_ = 0;  // Columns before the one that completes the next window.
  std::array<std::uint32_t, 3> out_{};
  std::array<std::uint32_t, 3> out_stride_{};
  bool tag_ = false;
  std::array<Cycle, 2> released_{};  // From when on a configuration bank is free.

  std::array<Stream, 2> streams_;
  std::array<Write, 32> writes_{};
};

}  // namespace tpu::timing
