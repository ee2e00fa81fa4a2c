// SPDX-License-Identifier: Apache-2.0
#include "timing/vector_walk.h"

#include <algorithm>

#include "isa/window.h"

namespace tpu::timing {
namespace {

// Each channel block starts with so many columns of weights. A column has so many pixels or
// weights.
constexpr unsigned kWindow = isa::kWindowSide;

std::uint32_t Columns(const isa::Vector& v, VectorPattern pattern) {
  return static_cast<std::uint32_t>(isa::ColumnsOf(v.n_ow, pattern.pair ? 2 : 1));
}

// Columns from one window to the next, if 1 or 2; else 0.
unsigned Stride(const isa::Vector& v) {
  for (const unsigned stride : {1U, 2U}) {
    if (v.a_ow == static_cast<std::int32_t>(stride) * v.a_kw && v.xs_ow == stride * v.xs_kw)
      return stride;
  }
  return 0;
}

std::uint32_t Row(std::int64_t row) { return static_cast<std::uint32_t>(row); }

}  // namespace

VectorPattern PatternOf(const isa::Vector& v, const isa::HardwareConfig& config) {
  const unsigned stride = Stride(v);
  constexpr unsigned kTaps = kWindow * kWindow;
  const bool weights_fit = v.b_kw == 1 && v.b_kh == kWindow && v.b_ow == 0 && v.b_oh == 0 &&
                           v.b_cb == kTaps && v.b_row >= 0 &&
                           static_cast<std::uint32_t>(v.b_row) + kTaps * v.n_cb <= config.ub_rows;
  const bool pooling = v.map == isa::VectorMap::kCopy;
  const bool depthwise = v.map == isa::VectorMap::kMultiply &&
                         v.reduce == isa::VectorReduce::kSum && v.b_zero == 0 && weights_fit;
  constexpr std::uint32_t kMostWindows = 0x7FFF;
  return {.columns = isa::GoesByColumn(config, v.n_kh, v.n_kw, stride) &&
                     v.source == isa::VectorSource::kUnifiedBuffer && v.n_ow <= kMostWindows &&
                     (pooling || depthwise),
          .pair = stride != 1};
}

std::uint64_t StepsOf(const isa::Vector& v, VectorPattern pattern) {
  const std::uint64_t rows = std::uint64_t{v.n_cb} * v.n_oh;
  return pattern.columns ? kWindow * std::uint64_t{v.n_cb} + rows * Columns(v, pattern)
                         : rows * v.n_ow * v.n_kh * v.n_kw;
}

// Windows end at least `requant_lanes` cycles apart. In a line of columns a window ends with each
// column, or with every second one.
std::uint64_t CyclesOf(const isa::Vector& v, const isa::HardwareConfig& config) {
  const VectorPattern pattern = PatternOf(v, config);
  const std::uint64_t steps = StepsOf(v, pattern);
  const std::uint64_t taps = !pattern.columns ? std::uint64_t{v.n_kh} * v.n_kw
                             : pattern.pair   ? 2
                                              : 1;
  if (taps >= config.requant_lanes) return steps;
  const std::uint64_t rows = std::uint64_t{v.n_cb} * v.n_oh;
  // Each window of a line, except for the first, waits for the window before.
  const std::uint64_t waits = pattern.columns ? rows * (v.n_ow - 1) : rows * v.n_ow - 1;
  return steps + waits * (config.requant_lanes - taps);
}

VectorWalk::VectorWalk(const isa::Vector& v, VectorPattern pattern, unsigned stream)
    : y_bound_(static_cast<std::int32_t>(v.y_bound)),
      x_bound_(static_cast<std::int32_t>(v.x_bound)),
      columns_(pattern.columns),
      reads_weights_(v.map != isa::VectorMap::kCopy) {
  const auto ys_kh = static_cast<std::int32_t>(v.ys_kh);
  const auto ys_oh = static_cast<std::int32_t>(v.ys_oh);
  const auto xs_kw = static_cast<std::int32_t>(v.xs_kw);
  const auto xs_ow = static_cast<std::int32_t>(v.xs_ow);
  Place first = {.row = Row(v.a_row), .y = v.y0, .x = v.x0};
  if (columns_) {
    const auto down = static_cast<std::int32_t>(stream);
    first.row += Row(down * std::int64_t{v.a_kh});
    first.y += down * ys_kh;
    stride_ = {Place{}, Place{}, Place{Row(v.a_kw), 0, xs_kw}, Place{Row(v.a_oh), ys_oh, 0},
               Place{Row(v.a_cb), 0, 0}};
    left_ = {0, 0, Columns(v, pattern) - 1, v.n_oh - 1, v.n_cb - 1};
    weight_row_ = Row(v.b_row) + kWindow * stream;
  } else {
    const bool b = stream == 1;
    first.row = Row(b ? v.b_row : v.a_row);
    stride_ = {Place{Row(b ? v.b_kw : v.a_kw), 0, xs_kw}, Place{Row(b ? v.b_kh : v.a_kh), ys_kh, 0},
               Place{Row(b ? v.b_ow : v.a_ow), 0, xs_ow}, Place{Row(b ? v.b_oh : v.a_oh), ys_oh, 0},
               Place{Row(b ? v.b_cb : v.a_cb), 0, 0}};
    left_ = {v.n_kw - 1, v.n_kh - 1, v.n_ow - 1, v.n_oh - 1, v.n_cb - 1};
  }
  start_ = left_;
  at_.fill(first);
  place_ = first;
  while (innermost_ < kLevels && left_[innermost_] == 0) ++innermost_;
  if (columns_) {
    StartWeights();
  } else {
    StartLine();
  }
}

void VectorWalk::Place::Move(const Place& stride, std::int32_t count) {
  row += stride.row * static_cast<std::uint32_t>(count);
  y += stride.y * count;
  x += stride.x * count;
}

bool VectorWalk::Inside(const Place& place) const {
  return place.y >= 0 && place.y < y_bound_ && place.x >= 0 && place.x < x_bound_;
}

void VectorWalk::NextRun() {
  if (weight_) {
    weight_row_ += kWindow * kWindow;
    weight_ = false;
    return StartLine();
  }
  if (level_ == innermost_) {
    place_.Move(stride_[innermost_], static_cast<std::int32_t>(run_length_));
    line_left_ -= run_length_;
    return StartRun();
  }
  if (level_ == kLevels) {
    run_ = run_length_ = UINT32_MAX;  // The walk is over.
    return;
  }
  const std::size_t level = level_;
  --left_[level];
  at_[level].Move(stride_[level], 1);
  place_ = at_[level];
  for (std::size_t i = innermost_ + 1; i < level; ++i) {
    at_[i] = place_;
    left_[i] = start_[i];
  }
  if (level == kLevels - 1 && columns_) return StartWeights();
  StartLine();
}

// From the third weight of a row to the first of the same row in the next channel block, nine rows
// are passed.
void VectorWalk::StartWeights() {
  weight_ = true;
  inside_ = reads_weights_;
  level_ = innermost_;
  row_ = weight_row_;
  row_step_ = 1;
  run_ = kWindow;
}

void VectorWalk::StartLine() {
  line_left_ = innermost_ == kLevels ? 0 : start_[innermost_];
  outer_ = std::min(innermost_ + 1, kLevels);
  while (outer_ < kLevels && left_[outer_] == 0) ++outer_;
  StartRun();
}

// The last step of a line leads to another line, and is a run of its own.
void VectorWalk::StartRun() {
  row_ = place_.row;
  inside_ = Inside(place_);
  if (line_left_ == 0) {
    run_ = run_length_ = 1;
    level_ = outer_;
    return;
  }
  level_ = innermost_;
  row_step_ = stride_[innermost_].row;
  run_ = run_length_ = std::min(Alike(), line_left_);
}

// A lower bound of the steps along the line that lie inside the image if this step does, or outside
// if this step does.
std::uint32_t VectorWalk::Alike() const {
  const Place& stride = stride_[innermost_];
  const auto steps = [](std::int32_t distance, std::int32_t length) {
    return static_cast<std::uint32_t>(length == 1 ? distance : (distance + length - 1) / length);
  };
  constexpr std::uint32_t kAll = UINT32_MAX;
  if (inside_) {
    return std::min(stride.y == 0 ? kAll : steps(y_bound_ - place_.y, stride.y),
                    stride.x == 0 ? kAll : steps(x_bound_ - place_.x, stride.x));
  }
  // Coordinates only grow: nothing leads back inside.
  if (place_.y >= y_bound_ || place_.x >= x_bound_) return kAll;
  return std::max(place_.y >= 0   ? 1
                  : stride.y == 0 ? kAll
                                  : steps(-place_.y, stride.y),
                  place_.x >= 0   ? 1
                  : stride.x == 0 ? kAll
                                  : steps(-place_.x, stride.x));
}

}  // namespace tpu::timing
