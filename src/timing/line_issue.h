// SPDX-License-Identifier: Apache-2.0
// When the rows and taps of an FVECTOR or IVECTOR go into the lanes (rtl/vector/tpu_line_issue.v,
// tpu_fvector_issue.v, tpu_ivector_issue.v). N numbers are up to four rows of the unified buffer,
// called lines.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "isa/instruction.h"
#include "timing/cycle.h"

namespace tpu::timing {

/// The first lines of the rows of an ADAM, from its second tap on: sums of squares, moments,
/// weights (rtl/vector/tpu_adam_steps.v).
inline constexpr std::array<Cycle, 3> kAdamTapToWrite = {18, 22, 122};

/// What the cycles of an FVECTOR, IVECTOR or ADAM follow from, besides its loops.
struct LinePace {
  // Lines of a tap of A and of B, 0 where source B is not read; lines of an output row.
  std::uint32_t a_lines = 1;
  std::uint32_t b_lines = 0;
  std::uint32_t o_lines = 1;
  std::int32_t a_low = 0;    ///< Accumulator rows from the first line of A to the second one.
  bool sums = false;         ///< Windows have taps whose sum is formed.
  bool twice = false;        ///< Such taps take the multiply-adder twice.
  Cycle steps = 0;           ///< Steps of the function; 0: no function.
  Cycle lanes = 1;           ///< That share what follows a window.
  Cycle way = 0;             ///< From a window's last tap to its row, without function and turns.
  bool adam = false;         ///< Windows are rows of an ADAM.
  bool interleaves = false;  ///< The lines of two rows are written together.

  /// Lines of a tap.
  [[nodiscard]] std::uint32_t lines() const { return std::max(a_lines, b_lines); }
  /// Cycles from a tap of a window to the next one, at least.
  [[nodiscard]] Cycle TapDistance() const { return twice ? 5 : sums ? 4 : 1; }
  /// Cycles from a window's last tap to the next window's last tap, at least.
  [[nodiscard]] Cycle WindowDistance() const;
  /// From a window's last tap until a window of another class may have its last tap.
  [[nodiscard]] Cycle ClassDistance() const;
  /// From a window's last tap to the first write of its row.
  [[nodiscard]] Cycle TapToWrite() const;
  /// Windows of one class start on a grid of so many cycles.
  [[nodiscard]] Cycle Grid() const;
  /// From a window's last tap to the last write of its row, or of two rows whose second one it is.
  [[nodiscard]] Cycle TapToDone(bool two_rows) const {
    return TapToWrite() + (two_rows ? 2 : 1) * o_lines - 1;
  }
  /// Whether windows may follow each other on their grid.
  [[nodiscard]] bool SameClass(const LinePace& other) const {
    return twice == other.twice && steps == other.steps && way == other.way && adam == other.adam;
  }
};

/// From a window's last tap to the first write of its row, for the fastest instruction.
inline constexpr Cycle kLeastFloatTapToWrite = kAdamTapToWrite[0];
inline constexpr Cycle kLeastIntegerTapToWrite = 23;

LinePace PaceOf(const isa::Fvector& fvector);
LinePace PaceOf(const isa::Ivector& ivector);
LinePace PaceOf(const isa::Adam& adam);
/// The loops of an FVECTOR or IVECTOR, as those of a VECTOR. It has a map other than copy if source
/// B is read.
template <typename V>
isa::Vector LoopsOf(const V& vector);
isa::Vector LoopsOf(const isa::Adam& adam);
/// The cycles that an FVECTOR or IVECTOR takes when nothing holds it back.
template <typename V>
std::uint64_t CyclesOf(const V& vector);
std::uint64_t CyclesOf(const isa::Adam& adam);

/// The step of source A, as far as its cycles depend on it.
struct LineStep {
  bool inside = false;
  bool first = false;  ///< Of its window.
  bool last = false;
  bool final = false;  ///< The last step of its instruction.
};

class LineIssue {
 public:
  void Start(const LinePace& pace) { pace_ = pace; }
  [[nodiscard]] const LinePace& pace() const { return pace_; }

  /// The number of the line that is to be issued; whether it is one of A, and one of B.
  [[nodiscard]] std::uint32_t line() const { return line_; }
  [[nodiscard]] bool TakesA(bool inside) const { return inside && line_ < pace_.a_lines; }
  [[nodiscard]] bool TakesB(bool inside) const { return inside && line_ < pace_.b_lines; }
  /// First cycle in which the lanes take the line.
  [[nodiscard]] Cycle From(const LineStep& step, Cycle cycle) const;
  /// Issues the line. Returns whether the step's tap goes into the lanes with this line.
  bool Issue(const LineStep& step, Cycle cycle);

 private:
  /// Whether the row waits for the one behind.
  [[nodiscard]] bool Keeps(const LineStep& step) const {
    return pace_.interleaves && !second_ && !step.final;
  }
  [[nodiscard]] bool Ends(bool inside) const { return !inside || line_ + 1 == pace_.lines(); }

  LinePace pace_;
  std::uint32_t line_ = 0;
  // The last tap, the last one that ended a window, and the instructions that they were of.
  Cycle tap_ = 0;
  LinePace tap_pace_;
  Cycle window_ = 0;
  LinePace window_pace_;
  // The next row is the second one of two that are interleaved. From this cycle on a row comes that
  // does not wait for a second one.
  bool second_ = false;
  Cycle lines_free_ = 0;
};

}  // namespace tpu::timing
