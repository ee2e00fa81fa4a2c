// SPDX-License-Identifier: Apache-2.0
// VECTOR: its streams of rows share the banks of the unified buffer, cycle by cycle (rtl/vector/).
// Accumulators have no other reader, so that nothing holds up an instruction that takes rows from
// nowhere else.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "isa/hardware_config.h"
#include "isa/instruction.h"
#include "timing/bank_arbitration.h"
#include "timing/banks.h"
#include "timing/cycle.h"
#include "timing/matmul_unit.h"
#include "timing/vector_walk.h"

namespace tpu::timing {

class VectorUnit {
 public:
  /// Fewer columns or taps are sooner stepped than found to be regular.
  static constexpr std::uint32_t kShortestRepetition = 10;

  /// It may be stepped so far ahead of whoever asks for its writes.
  static constexpr Cycle kAhead = 64;
  /// From an instruction's last tap to `done`. Lanes that share a requantiser leave one after
  /// another.
  static constexpr Cycle TapToDone(const isa::HardwareConfig& config) {
    return 18 + config.requant_lanes;
  }

  explicit VectorUnit(const isa::HardwareConfig& config)
      : config_(config), tap_to_done_(TapToDone(config)), tap_to_write_(tap_to_done_ - 1) {}

  /// First cycle in which an instruction may be accepted; kNever: not known yet.
  [[nodiscard]] Cycle ready() const { return slot_ != nullptr ? kNever : slot_free_; }
  /// The instruction must live until it has completed.
  void Accept(const isa::Vector& vector, Cycle cycle);

  /// First cycle in which Step has something to do; kNever: not before the next instruction.
  [[nodiscard]] Cycle next() const { return next_; }
  /// May ask for rows of the unified buffer in the next cycle.
  [[nodiscard]] bool reads_buffer() const {
    return (active_ && !accumulators_) || streams_[0].active || streams_[1].active;
  }
  /// Works for one cycle; `banks` are those that others read, to which it adds its own. Returns
  /// when the instruction completes whose last tap this is.
  std::optional<Cycle> Step(Cycle cycle, Banks& banks);

  /// As Step in each cycle from this one up to `end`, or until Repeats promises more, for windows
  /// that go column by column. Returns the next cycle, which may be the first one again, and sets
  /// `banks` to what `array` and it read in the last one.
  Cycle StepColumns(Cycle cycle, Cycle end, MatmulUnit& array, Banks& banks);

  /// Cycles from this one on in which all its streams go on.
  struct Repetition {
    Cycle cycles = 0;
    /// Banks that it reads in the first of them, and how many further in each of the others.
    Banks banks = 0;
    std::uint32_t bank_step = 0;
  };
  /// If others read `others` in the first of them and banks that move with its own after that.
  /// `exact`: it reads all of these banks, and not only some of them.
  [[nodiscard]] Repetition Repeats(Cycle cycle, Banks others, bool exact) const;
  /// Steps through `cycles` such cycles.
  void Repeat(Cycle cycle, Cycle cycles);
  /// Works out what it writes from this cycle on, after all its steps before `stepped`.
  void Foresee(Cycle cycle, Cycle stepped);
  /// First cycle of which it is not known what it writes.
  [[nodiscard]] Cycle writes_known() const { return writes_known_; }
  /// Bank that it writes in this cycle, which is known, as a mask.
  [[nodiscard]] Banks Writes(Cycle cycle) const {
    const Write& write = writes_[cycle % writes_.size()];
    return write.cycle == cycle ? write.banks : 0;
  }

 private:
  // Steps that wait in the queue of a stream (rtl/common/tpu_skid.v): the walk of the next
  // instruction starts when the walk of this one has put its last step there.
  static constexpr std::uint64_t kQueue = 2;
  // From the start of a walk to the first step at the head of the queue.
  static constexpr Cycle kStartToStep = 2;

  // The walk of an instruction.
  struct Started {
    VectorWalk walk;
    bool columns = false;
    std::uint64_t steps = 0;
    Cycle from = 0;  // First cycle with a step at the head of the queue.
  };

  // Stream 1 or 2 (rtl/vector/tpu_vector_operand.v).
  struct Stream {
    static constexpr unsigned kRows = 8;
    VectorWalk walk;
    bool active = false;
    bool columns = false;
    bool seen = false;
    std::uint64_t left = 0;  // Steps of all walks that have started.
    std::array<Started, kQueue> started;
    unsigned num_started = 0;
    unsigned free = 0;    // Rows taken and not claimed.
    unsigned claims = 0;  // Bit i: one was claimed i + 1 cycles ago. After two it is popped.

    [[nodiscard]] bool busy() const {
      return active || num_started != 0 || free != 0 || claims != 0;
    }
    // Another walk may start.
    [[nodiscard]] bool ends() const { return left <= kQueue; }
    void Start(Cycle cycle);
    // Does nothing until a row is claimed.
    [[nodiscard]] bool full() const {
      return claims == 0 && (active ? !room() && (columns || walk.inside()) : num_started == 0);
    }
    // A row can be taken in each cycle in which one is claimed.
    [[nodiscard]] bool flows() const { return active && free != 0 && free + 2 < kRows; }
    void Flow(std::uint32_t cycles);
    // Goes by columns, and will after another one.
    [[nodiscard]] bool within() const { return active && columns && !walk.last(); }
    // The bank that it asks for; 0: none.
    [[nodiscard]] Banks asks() const { return reads() ? BankOf(walk.row()) : 0; }
    [[nodiscard]] Banks hungry() const { return IsHungry(free) ? asks() : 0; }
    [[nodiscard]] bool room() const { return free + (claims & 1) + (claims >> 1) != kRows; }
    [[nodiscard]] bool reads() const { return active && walk.inside() && room(); }
  };
  struct Write {
    Cycle cycle = 0;
    Banks banks = 0;
  };
  struct Tap {
    bool claim_1 = false;
    bool claim_2 = false;
    bool last = false;
  };

  // An instruction that takes rows from accumulators only, a tap in each cycle.
  struct Run {
    Cycle first = 1;
    Cycle last = 0;
    Cycle ends = 0;                // The steps that are left are in the queue.
    std::uint32_t row_cycles = 1;  // Cycles of an output row.
    std::uint32_t n_ow = 1;
    std::uint32_t n_oh = 1;
    std::uint32_t row = 0;
    std::array<std::uint32_t, 3> stride{};  // Of ow, oh, cb.
  };

  // The slot's instruction has rows for a stream that has not seen it.
  [[nodiscard]] bool Unseen(std::size_t stream) const {
    return slot_uses_[stream] && !streams_[stream].seen;
  }
  // What the next step of source A needs is there, except for its own bank.
  [[nodiscard]] bool CanTap(Cycle cycle) const;
  Tap StepSource(Cycle cycle, bool granted);
  void WriteTap(Cycle cycle);
  void WriteRow(Cycle cycle);
  // The next step of source A completes a window.
  [[nodiscard]] bool EndsWindow() const;
  // All steps that source A has left are in the queue.
  [[nodiscard]] bool Ends(Cycle cycle) const;
  void Start(Cycle first);
  void StartRun(const isa::Vector& vector, Cycle first);
  void StepStream(Cycle cycle, std::size_t stream, bool granted, bool claimed, bool slot);
  void WriteRun(Cycle from, Cycle end);
  void Take(Cycle cycle);
  [[nodiscard]] Cycle NextAfter(Cycle cycle) const;

  isa::HardwareConfig config_;
  Cycle tap_to_done_;
  // From a window's last tap to its row's write, and to the release of the configuration bank.
  Cycle tap_to_write_;
  // The next instruction.
  const isa::Vector* slot_ = nullptr;
  VectorPattern slot_pattern_;
  Cycle slot_from_ = 0;
  Cycle slot_free_ = 0;
  std::array<bool, 2> slot_uses_{};
  Cycle next_ = kNever;

  // The instruction that source A has started behind the one that it issues.
  const isa::Vector* taken_ = nullptr;
  VectorPattern taken_pattern_;
  Cycle taken_from_ = 0;
  bool taken_bank_ = false;

  // Source A.
  bool active_ = false;
  std::uint64_t left_ = 0;  // Steps of the instruction that it issues, if from the buffer.
  Cycle row_from_ = 0;      // From when on a window may end again.
  bool accumulators_ = false;
  Run run_;             // If so.
  Cycle foreseen_ = 0;  // Its writes are, of the taps before this one.
  bool uses_b_ = false;
  std::uint32_t row_taps_ = 1;  // Taps of an output row, if not by column.
  VectorPattern pattern_;
  VectorWalk walk_;
  unsigned ahead_ = 0;  // Columns before the one that completes the next window.
  std::array<std::uint32_t, 3> out_{};
  std::array<std::uint32_t, 3> out_stride_{};
  bool bank_ = false;
  std::array<Cycle, 2> released_{};  // From when on a configuration bank is free.

  std::array<Stream, 2> streams_;
  std::array<Write, 256> writes_{};
  Cycle writes_known_ = 0;
};

}  // namespace tpu::timing
