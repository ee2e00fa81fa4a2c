#include "timing/vector_walk.h"

namespace tpu::timing {
namespace {

// Columns of weights before each channel block, and pixels (or weights) of a column.
constexpr unsigned kWindow = 3;

std::uint32_t Columns(const isa::Vector& v, VectorPattern pattern) {
  return (v.n_ow - 1) * (pattern.pair ? 2 : 1) + kWindow;
}

std::uint32_t Row(std::int64_t row) { return static_cast<std::uint32_t>(row); }

}  // namespace

VectorPattern PatternOf(const isa::Vector& v, std::uint32_t ub_rows) {
  const bool one_apart = v.a_ow == v.a_kw && v.xs_ow == v.xs_kw;
  const bool two_apart = v.a_ow == 2 * v.a_kw && v.xs_ow == 2 * v.xs_kw;
  const bool weights_fit = v.b_kw == 1 && v.b_kh == 3 && v.b_ow == 0 && v.b_oh == 0 &&
                           v.b_cb == 9 && v.b_row >= 0 &&
                           static_cast<std::uint32_t>(v.b_row) + 9 * v.n_cb <= ub_rows;
  const bool pooling = v.map == isa::VectorMap::kCopy;
  const bool depthwise = v.map == isa::VectorMap::kMultiply &&
                         v.reduce == isa::VectorReduce::kSum && v.b_zero == 0 && weights_fit;
  constexpr std::uint32_t kMostWindows = 0x7FFF;
  return {.columns = v.source == isa::VectorSource::kUnifiedBuffer && v.n_kh == kWindow &&
                     v.n_kw == kWindow && v.n_ow <= kMostWindows && (one_apart || two_apart) &&
                     (pooling || depthwise),
          .pair = !one_apart};
}

std::uint64_t StepsOf(const isa::Vector& v, std::uint32_t ub_rows) {
  const std::uint64_t rows = std::uint64_t{v.n_cb} * v.n_oh;
  const VectorPattern pattern = PatternOf(v, ub_rows);
  return pattern.columns ? kWindow * std::uint64_t{v.n_cb} + rows * Columns(v, pattern)
                         : rows * v.n_ow * v.n_kh * v.n_kw;
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
    weights_ = kWindow;
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
  Arrive(first);
  FindLevel();
  innermost_ = level_;
}

void VectorWalk::StepOuter() {
  if (weights_ != 0) {
    // From the third weight of a row to the first of the same row in the next channel block.
    weight_row_ += weights_ == 1 ? 2 * kWindow + 1 : 1;
    --weights_;
    return;
  }
  if (level_ == kLevels) return;
  if (level_ == kLevels - 1 && columns_) weights_ = kWindow;
  --left_[level_];
  Move(level_);
  for (std::size_t i = 0; i < level_; ++i) {
    at_[i] = place_;
    left_[i] = start_[i];
  }
  FindLevel();
}

void VectorWalk::FindLevel() {
  level_ = 0;
  while (level_ < kLevels && left_[level_] == 0) ++level_;
}

}  // namespace tpu::timing
