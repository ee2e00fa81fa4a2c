// SPDX-License-Identifier: Apache-2.0
// When the vector unit writes which banks.
#include <algorithm>

#include "timing/vector_unit.h"

namespace tpu::timing {

void VectorUnit::Foresee(Cycle cycle, Cycle stepped) {
  Cycle taps = std::max(cycle, stepped);
  if (accumulators_) {
    const Cycle end = std::min(run_.last + 1, cycle + kAhead);
    WriteRun(cycle - std::min(cycle, tap_to_write_), end);
    if (active_) taps = std::max(taps, end);
  }
  writes_known_ = taps + least_tap_to_write_;
}

// The writes of a run's taps in [from, end).
void VectorUnit::WriteRun(Cycle from, Cycle end) {
  from = std::max({from, foreseen_, run_.first});
  if (from >= end) return;
  foreseen_ = end;
  const std::uint32_t index = static_cast<std::uint32_t>(from - run_.first) / run_.row_cycles;
  const std::uint32_t line = index / run_.n_ow;
  std::uint32_t x = index % run_.n_ow;
  std::uint32_t y = line % run_.n_oh;
  std::uint32_t plane_row = run_.row + line / run_.n_oh * run_.stride[2];
  std::uint32_t line_row = plane_row + y * run_.stride[1];
  std::uint32_t row = line_row + x * run_.stride[0];
  Cycle write = run_.first + std::uint64_t{index + 1} * run_.row_cycles - 1 + tap_to_write_;
  for (; write < end + tap_to_write_; write += run_.row_cycles) {
    writes_[write % writes_.size()] = {write, BankOf(row)};
    row += run_.stride[0];
    if (++x != run_.n_ow) continue;
    x = 0;
    line_row += run_.stride[1];
    if (++y == run_.n_oh) {
      y = 0;
      line_row = plane_row += run_.stride[2];
    }
    row = line_row;
  }
}

void VectorUnit::WriteTap(Cycle cycle) {
  if (!pattern_.columns) {
    if (walk_.window_last()) WriteRow(cycle);
    return;
  }
  if (walk_.weight()) return;
  if (ahead_ == 0) WriteRow(cycle);
  if (walk_.level() != kWindowLevel) {
    ahead_ = 2;
  } else {
    ahead_ = ahead_ != 0 ? ahead_ - 1 : (pattern_.pair ? 1 : 0);
  }
}

void VectorUnit::WriteRow(Cycle cycle) {
  row_from_ = cycle + config_.requant_lanes;
  const Cycle write = cycle + tap_to_write_;
  writes_[write % writes_.size()] = {write, BankOf(out_[0])};
  NextOutputRow();
}

void VectorUnit::WriteLines(Cycle cycle, bool final) {
  const LinePace& pace = issue().pace();
  if (pace.adam) {
    WriteRows(cycle + kAdamTapToWrite[0], squares_, pace.o_lines);
    WriteRows(cycle + kAdamTapToWrite[1], walk_.row(), pace.o_lines);
  }
  const Cycle write = cycle + pace.TapToWrite();
  second_row_ = first_row_.has_value();
  if (second_row_) {
    WriteRows(write, *first_row_, pace.o_lines);
    WriteRows(write + pace.o_lines, out_[0], pace.o_lines);
    first_row_.reset();
  } else if (pace.interleaves && !final) {
    first_row_ = out_[0];
  } else {
    WriteRows(write, out_[0], pace.o_lines);
  }
  NextOutputRow();
}

void VectorUnit::WriteRows(Cycle cycle, std::uint32_t row, std::uint32_t lines) {
  for (std::uint32_t line = 0; line < lines; ++line) {
    writes_[(cycle + line) % writes_.size()] = {cycle + line, BankOf(row + line)};
  }
}

void VectorUnit::NextOutputRow() {
  const std::size_t level = walk_.level();
  if (level == VectorWalk::kLevels) return;
  const std::size_t loop = level - kWindowLevel;
  out_[loop] += out_stride_[loop];
  for (std::size_t i = 0; i < loop; ++i) out_[i] = out_[loop];
}

}  // namespace tpu::timing
