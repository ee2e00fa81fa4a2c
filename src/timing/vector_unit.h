// SPDX-License-Identifier: Apache-2.0
// VECTOR, FVECTOR, IVECTOR and ADAM: their streams of rows share the banks of the unified buffer,
// cycle by cycle (rtl/vector/). Only they read the accumulators. Therefore, on a machine without
// bf16, nothing holds up a VECTOR whose rows all come from the accumulators, unless MATMUL adds to
// the same half of them, which is not modelled there.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "isa/hardware_config.h"
#include "isa/instruction.h"
#include "timing/bank_arbitration.h"
#include "timing/banks.h"
#include "timing/cycle.h"
#include "timing/line_issue.h"
#include "timing/matmul_unit.h"
#include "timing/vector_walk.h"

namespace tpu::timing {

class VectorUnit {
 public:
  /// Fewer columns or taps than this are stepped one by one: that takes less time than finding out
  /// whether they are regular.
  static constexpr std::uint32_t kShortestRepetition = 10;

  /// The unit may be stepped at most so many cycles ahead of those who ask for its writes.
  static constexpr Cycle kAhead = 64;
  /// Cycles from a VECTOR's last tap to the write of its last row, and to `done`. Lanes that share
  /// a requantiser leave it one after another.
  static constexpr Cycle TapToDone(const isa::HardwareConfig& config) {
    return 18 + config.requant_lanes;
  }

  explicit VectorUnit(const isa::HardwareConfig& config)
      : config_(config),
        tap_to_write_(TapToDone(config)),
        least_tap_to_write_(
            std::min({tap_to_write_, config.bf16 != 0 ? kLeastFloatTapToWrite : tap_to_write_,
                      config.int16 != 0 ? kLeastIntegerTapToWrite : tap_to_write_})) {}

  /// First cycle in which an instruction may be accepted; kNever: not known yet.
  [[nodiscard]] Cycle ready() const { return slot_ ? kNever : slot_free_; }
  void Accept(const isa::Vector& vector, Cycle cycle);
  void Accept(const isa::Fvector& fvector, Cycle cycle);
  void Accept(const isa::Ivector& ivector, Cycle cycle);
  void Accept(const isa::Adam& adam, Cycle cycle);

  /// First cycle in which Step has something to do; kNever: not before the next instruction.
  [[nodiscard]] Cycle next() const { return next_; }
  /// Whether the unit may ask for rows of the unified buffer in the next cycle.
  [[nodiscard]] bool reads_buffer() const {
    return (active_ && !accumulators_) || streams_[0].active || streams_[1].active;
  }
  /// Works for one cycle. `banks` are the banks that others read; the unit adds its own. If this is
  /// the last tap of an instruction, returns the cycle in which the instruction completes.
  std::optional<Cycle> Step(Cycle cycle, MatmulUnit& array, Banks& banks);

  /// Does what Step does, for windows that go column by column, in each cycle from this one up to
  /// `end`, or until Repeats promises more. Returns the next cycle, which may be the first one
  /// again. Sets `banks` to the banks that `array` and the unit read in the last cycle.
  Cycle StepColumns(Cycle cycle, Cycle end, MatmulUnit& array, Banks& banks);

  /// Successive cycles in which all streams of the unit go on.
  struct Repetition {
    Cycle cycles = 0;
    /// The banks that the unit reads in the first cycle, and by how many banks further it reads in
    /// each cycle than in the cycle before.
    Banks banks = 0;
    std::uint32_t bank_step = 0;
  };
  /// The repetition from this cycle on. Others read `others` in its first cycle; after that their
  /// banks must move along with the unit's own. `exact`: only cycles in which the unit reads all of
  /// `banks`, and not only some of them.
  [[nodiscard]] Repetition Repeats(Cycle cycle, Banks others, bool exact) const;
  /// Steps through `cycles` cycles of a repetition.
  void Repeat(Cycle cycle, Cycle cycles);
  /// Works out the unit's writes from this cycle on. All its steps before cycle `stepped` are done.
  void Foresee(Cycle cycle, Cycle stepped);
  /// First cycle whose write is not known.
  [[nodiscard]] Cycle writes_known() const { return writes_known_; }
  /// The bank that the unit writes in this cycle, as a mask. The cycle must be before
  /// writes_known().
  [[nodiscard]] Banks Writes(Cycle cycle) const {
    const Write& write = writes_[cycle % writes_.size()];
    return write.cycle == cycle ? write.banks : 0;
  }

 private:
  // Level of the walk that moves from one window to the next in a row.
  static constexpr std::size_t kWindowLevel = 2;
  // Steps that wait in the queue of a stream (rtl/common/tpu_skid.v): the walk of the next
  // instruction starts when the walk of this one has put its last step there.
  static constexpr std::uint64_t kQueue = 2;
  // From the start of a walk to the first step at the head of the queue.
  static constexpr Cycle kStartToStep = 2;

  enum class Kind { kVector, kFvector, kIvector, kAdam };

  // An instruction that source A has not begun to issue.
  struct Next {
    isa::Vector vector;  // Of another kind, its loops.
    VectorPattern pattern;
    Kind kind = Kind::kVector;
    LinePace pace;  // Not of a VECTOR.

    [[nodiscard]] bool by_lines() const { return kind != Kind::kVector; }
  };

  // The walk of an instruction.
  struct Started {
    VectorWalk walk;
    bool columns = false;
    std::uint32_t lines = 1;
    std::uint64_t steps = 0;
    Cycle from = 0;  // First cycle with a step at the head of the queue.
  };

  // Stream 1 or 2 (rtl/vector/tpu_vector_operand.v).
  struct Stream {
    static constexpr unsigned kRows = 8;
    static constexpr unsigned kClaimToPop = 3;
    VectorWalk walk;
    bool active = false;
    bool columns = false;
    std::uint32_t lines = 1;  // Rows of the unified buffer that a step reads,
    std::uint32_t line = 0;   // and how many of them are read.
    bool seen = false;
    std::uint64_t left = 0;  // Steps of all walks that have started.
    std::array<Started, kQueue> started;
    unsigned num_started = 0;
    unsigned free = 0;    // Rows that were taken and are not claimed.
    unsigned claims = 0;  // Bit i: a row was claimed i + 1 cycles ago. kClaimToPop cycles after its
                          // claim a row is popped.

    [[nodiscard]] bool busy() const {
      return active || num_started != 0 || free != 0 || claims != 0;
    }
    // Whether another walk may start.
    [[nodiscard]] bool ends() const { return left <= kQueue; }
    void Start(Cycle cycle);
    // Whether the stream does nothing until a row is claimed.
    [[nodiscard]] bool full() const {
      return claims == 0 && (active ? !room() && (columns || walk.inside()) : num_started == 0);
    }
    // Whether a row can be taken in each cycle in which one is claimed.
    [[nodiscard]] bool flows() const { return active && free != 0 && free + kClaimToPop < kRows; }
    void Flow(std::uint32_t cycles);
    // Whether the stream goes by columns, and still does after the next column.
    [[nodiscard]] bool within() const { return active && columns && !walk.last(); }
    // The bank that the stream asks for; 0: none.
    [[nodiscard]] Banks asks() const { return reads() ? BankOf(walk.row() + line) : 0; }
    [[nodiscard]] Banks hungry() const { return IsHungry(free) ? asks() : 0; }
    [[nodiscard]] bool room() const { return free != Most(claims); }
    // As many rows may be at hand, given who was claimed and is not popped.
    static constexpr unsigned Most(unsigned claims) {
      return kRows - static_cast<unsigned>(std::popcount(claims));
    }
    // Claims a cycle later.
    static constexpr unsigned Later(unsigned claims, bool claimed) {
      return (claims << 1 | (claimed ? 1U : 0U)) & ((1U << kClaimToPop) - 1);
    }
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

  // An instruction that takes rows from accumulators only, a tap in each cycle. Machines with bf16
  // step such instructions tap by tap.
  struct Run {
    Cycle first = 1;
    Cycle last = 0;
    Cycle ends = 0;                // From this cycle on all steps that are left are in the queue.
    std::uint32_t row_cycles = 1;  // Cycles of an output row.
    std::uint32_t n_ow = 1;
    std::uint32_t n_oh = 1;
    std::uint32_t row = 0;
    std::array<std::uint32_t, 3> stride{};  // Rows from one step of ow, oh, cb to the next.
  };

  // Whether the slot's instruction has rows for a stream that has not started with it.
  [[nodiscard]] bool Unseen(std::size_t stream) const {
    return slot_uses_[stream] && !streams_[stream].seen;
  }
  void Accept(const Next& next, Cycle cycle);
  // Whether the next step of source A lacks nothing but its own bank.
  [[nodiscard]] bool CanTap(Cycle cycle) const;
  // Whether the step's row can be read if it is one of the accumulators.
  [[nodiscard]] bool Drains(Cycle cycle, MatmulUnit& array) const;
  [[nodiscard]] std::uint32_t AccumulatorRow() const {
    const bool low = by_lines_ && issue().line() != 0;
    return walk_.row() + (low ? static_cast<std::uint32_t>(issue().pace().a_low) : 0);
  }
  // The bank of that step; 0: it reads nothing.
  [[nodiscard]] Banks SourceBank() const;
  Tap StepSource(Cycle cycle, bool granted);
  Tap StepLine(Cycle cycle);
  [[nodiscard]] LineStep CurrentStep() const {
    return {.inside = walk_.inside(),
            .first = first_,
            .last = walk_.window_last(),
            .final = walk_.last()};
  }
  [[nodiscard]] const LineIssue& issue() const { return issues_[issuing_]; }
  void WriteTap(Cycle cycle);
  void WriteRow(Cycle cycle);
  void WriteLines(Cycle cycle, bool final);
  void WriteRows(Cycle cycle, std::uint32_t row, std::uint32_t lines);
  void NextOutputRow();
  // Whether the next step of source A completes a window.
  [[nodiscard]] bool EndsWindow() const;
  // Whether all steps that source A has left are in the queue.
  [[nodiscard]] bool Ends(Cycle cycle) const;
  void Start(Cycle first);
  void StartRun(const isa::Vector& vector, Cycle first);
  void StepStream(Cycle cycle, std::size_t stream, bool granted, bool claimed, bool slot);
  void WriteRun(Cycle from, Cycle end);
  // Whether the slot's instruction finds a configuration bank.
  [[nodiscard]] bool HasBank(Cycle cycle) const;
  void Take(Cycle cycle);
  [[nodiscard]] Cycle NextAfter(Cycle cycle) const;
  [[nodiscard]] Cycle NextLineAfter(Cycle cycle) const;

  isa::HardwareConfig config_;
  // Cycles from the last tap of a VECTOR's window to the write of its row. The configuration bank
  // is released in the same cycle.
  Cycle tap_to_write_;
  Cycle least_tap_to_write_;  // The least of all instructions.
  // The next instruction.
  std::optional<Next> slot_;
  Cycle slot_from_ = 0;
  Cycle slot_free_ = 0;
  std::array<bool, 2> slot_uses_{};
  Cycle next_ = kNever;

  // The instruction that source A has started with while it still issues the one before.
  std::optional<Next> taken_;
  Cycle taken_from_ = 0;
  bool taken_bank_ = false;
  Kind taken_kind_ = Kind::kVector;  // Of the instruction taken last.

  // Source A.
  bool active_ = false;
  std::uint64_t left_ =
      0;  // Steps left of the instruction that source A issues, if it reads the buffer.
  Cycle row_from_ = 0;         // From this cycle on a window may end again.
  bool accumulators_ = false;  // The instruction is a run.
  Run run_;                    // Valid if accumulators_.
  Cycle foreseen_ = 0;         // The run's writes are known for the taps before this cycle.
  bool uses_b_ = false;
  bool by_lines_ = false;  // The instruction is not a VECTOR.
  // Of an FVECTOR that interleaves: the row that waits for the one behind; the row written last was
  // the second one of two.
  std::optional<std::uint32_t> first_row_;
  bool second_row_ = false;
  std::uint32_t squares_ = 0;  // Of an ADAM: the row of A's tap before.
  // Of FVECTOR and ADAM, and of IVECTOR, which issue apart from each other; the instruction's, if
  // by_lines_.
  std::array<LineIssue, 2> issues_;
  std::size_t issuing_ = 0;
  bool reads_a_ = true;         // Source A reads the buffer.
  bool first_ = true;           // The step is the first one of its window.
  std::uint32_t row_taps_ = 1;  // Taps of an output row, unless windows go column by column.
  VectorPattern pattern_;
  VectorWalk walk_;
  unsigned ahead_ = 0;  // Columns before the one that completes the next window.
  std::array<std::uint32_t, 3> out_{};
  std::array<std::uint32_t, 3> out_stride_{};
  bool bank_ = false;
  std::array<Cycle, 2> released_{};  // From these cycles on the configuration banks are free.

  std::array<Stream, 2> streams_;
  std::array<Write, 256> writes_{};
  Cycle writes_known_ = 0;
};

}  // namespace tpu::timing
