// SPDX-License-Identifier: Apache-2.0
#include "timing/line_issue.h"

#include "timing/banks.h"

namespace tpu::timing {
namespace {

// Lanes that share what follows a window (FLOAT_LANES and INT16_LANES in rtl/vector/tpu_vector.v).
constexpr Cycle kFloatLanes = 2;
constexpr Cycle kIntegerLanes = 4;
// From a window's last tap to the first line of its row, one turn (rtl/vector/tpu_fvector_pipe.v,
// tpu_ivector_pipe.v).
constexpr Cycle kFloatWay = 24;
constexpr Cycle kIntegerWay = 20;
// From one row of an ADAM to the next one (rtl/vector/tpu_adam_steps.v).
constexpr Cycle kAdamDistance = 16;
static_assert(kFloatWay + kFloatLanes - 1 >= kLeastFloatTapToWrite);
static_assert(kIntegerWay + kIntegerLanes - 1 == kLeastIntegerTapToWrite);

// rtl/include/tpu_fvector_steps.vh
Cycle StepsOf(isa::FloatFunction function) {
  switch (function) {
    case isa::FloatFunction::kExp:
      return 8;
    case isa::FloatFunction::kLog:
      return 5;
    case isa::FloatFunction::kReciprocal:
    case isa::FloatFunction::kRsqrt:
      return 4;
    case isa::FloatFunction::kTanh:
      return 6;
    case isa::FloatFunction::kLogistic:
      return 13;
    default:
      return 0;
  }
}

bool AddsTwice(isa::FloatMap map) {
  return map == isa::FloatMap::kAdd || map == isa::FloatMap::kSubtract ||
         map == isa::FloatMap::kReverseSubtract || map == isa::FloatMap::kFma ||
         map == isa::FloatMap::kAddSquare;
}

}  // namespace

Cycle LinePace::Grid() const { return adam ? kAdamDistance : std::max<Cycle>(steps, 1); }

Cycle LinePace::WindowDistance() const {
  if (adam) return kAdamDistance;
  return steps != 0 ? steps * lanes : std::max<Cycle>(lanes, o_lines);
}

Cycle LinePace::ClassDistance() const { return 9 + (steps != 0 ? steps * (lanes + 6) : lanes); }

Cycle LinePace::TapToWrite() const {
  if (adam) return kAdamTapToWrite.back();
  return way + (lanes - 1) * std::max<Cycle>(steps, 1) + 7 * steps + (twice ? 4 : 0);
}

LinePace PaceOf(const isa::Fvector& v) {
  const bool sums = v.reduce == isa::FloatReduce::kSum && (v.n_kh != 1 || v.n_kw != 1);
  const bool reads_b =
      v.map != isa::FloatMap::kCopy && v.operand == isa::FloatOperand::kUnifiedBuffer;
  return {.a_lines = v.source == isa::VectorSource::kAccumulators ? 1 : RowsOf(v.a_format),
          .b_lines = reads_b ? RowsOf(v.b_format) : 0,
          .o_lines = RowsOf(v.o_format),
          .sums = sums,
          .twice = sums && AddsTwice(v.map),
          .steps = StepsOf(v.function),
          .lanes = kFloatLanes,
          .way = kFloatWay,
          .interleaves = v.interleave != isa::FloatInterleave::kNone};
}

LinePace PaceOf(const isa::Ivector& v) {
  const auto lines = [](isa::IntegerFormat format) {
    return static_cast<std::uint32_t>(isa::RowsOf(format));
  };
  const bool pair = v.a_format == isa::IntegerFormat::kPair;
  const bool word = v.source == isa::VectorSource::kAccumulators && !pair;
  return {.a_lines = word ? 1 : lines(v.a_format),
          .b_lines = isa::ReadsSourceB(v) ? lines(v.b_format) : 0,
          .o_lines = lines(v.o_format),
          .a_low = pair ? v.a_low : 0,
          .lanes = kIntegerLanes,
          .way = kIntegerWay};
}

LinePace PaceOf(const isa::Adam& /*adam*/) {
  constexpr std::uint32_t kLines = RowsOf(isa::NumberFormat::kFloat32);
  return {.a_lines = kLines,
          .b_lines = kLines,
          .o_lines = kLines,
          .lanes = kFloatLanes,
          .way = kFloatWay,
          .adam = true};
}

template <typename V>
isa::Vector LoopsOf(const V& v) {
  isa::Vector loops;
  loops.source = v.source;
  loops.map = PaceOf(v).b_lines != 0 ? isa::VectorMap::kAdd : isa::VectorMap::kCopy;
  loops.n_cb = v.n_cb, loops.n_oh = v.n_oh, loops.n_ow = v.n_ow;
  loops.n_kh = v.n_kh, loops.n_kw = v.n_kw;
  loops.a_row = v.a_row, loops.b_row = v.b_row, loops.o_row = v.o_row;
  loops.a_cb = v.a_cb, loops.a_oh = v.a_oh, loops.a_ow = v.a_ow;
  loops.a_kh = v.a_kh, loops.a_kw = v.a_kw;
  loops.b_cb = v.b_cb, loops.b_oh = v.b_oh, loops.b_ow = v.b_ow;
  loops.b_kh = v.b_kh, loops.b_kw = v.b_kw;
  loops.o_cb = v.o_cb, loops.o_oh = v.o_oh, loops.o_ow = v.o_ow;
  loops.y0 = v.y0, loops.x0 = v.x0, loops.y_bound = v.y_bound, loops.x_bound = v.x_bound;
  loops.ys_oh = v.ys_oh, loops.ys_kh = v.ys_kh, loops.xs_ow = v.xs_ow, loops.xs_kw = v.xs_kw;
  return loops;
}

template isa::Vector LoopsOf(const isa::Fvector& v);
template isa::Vector LoopsOf(const isa::Ivector& v);

// Two taps: sum of squares and gradient, moment and weight (rtl/include/tpu_adam_walk.vh).
isa::Vector LoopsOf(const isa::Adam& adam) {
  isa::Vector loops;
  loops.map = isa::VectorMap::kAdd;
  loops.n_ow = adam.rows;
  loops.n_kh = 2;
  loops.a_row = static_cast<std::int32_t>(adam.squares);
  loops.b_row = static_cast<std::int32_t>(adam.gradients);
  loops.o_row = adam.output;
  loops.a_kh = adam.to_moments;
  loops.b_kh = adam.to_weights;
  loops.a_ow = loops.b_ow = loops.o_ow = RowsOf(isa::NumberFormat::kFloat32);
  loops.y_bound = loops.x_bound = 1;
  return loops;
}

template <typename V>
std::uint64_t CyclesOf(const V& v) {
  const LinePace pace = PaceOf(v);
  const std::uint64_t taps = std::uint64_t{v.n_kh} * v.n_kw;
  // A window's first tap follows the window before without a distance, unless taps go twice.
  const Cycle first = std::max<Cycle>(pace.lines(), pace.twice ? pace.TapDistance() : 1);
  const Cycle window = first + (taps - 1) * std::max<Cycle>(pace.lines(), pace.TapDistance());
  return std::uint64_t{v.n_cb} * v.n_oh * v.n_ow * std::max(window, pace.WindowDistance());
}

template std::uint64_t CyclesOf(const isa::Fvector& v);
template std::uint64_t CyclesOf(const isa::Ivector& v);

std::uint64_t CyclesOf(const isa::Adam& adam) { return adam.rows * kAdamDistance; }

Cycle LineIssue::From(const LineStep& step, Cycle cycle) const {
  if (!Ends(step.inside)) return cycle;
  if (tap_pace_.twice || (pace_.sums && !step.first)) {
    cycle = std::max(cycle, tap_ + tap_pace_.TapDistance());
  }
  if (!step.last) return cycle;
  if (!Keeps(step)) cycle = std::max(cycle, lines_free_);
  if (!pace_.SameClass(window_pace_))
    return std::max(cycle, window_ + window_pace_.ClassDistance());
  const Cycle next = window_ + window_pace_.WindowDistance();
  if (cycle <= next) return next;
  const Cycle turn = pace_.Grid();
  return next + (cycle - next + turn - 1) / turn * turn;
}

bool LineIssue::Issue(const LineStep& step, Cycle cycle) {
  if (!Ends(step.inside)) {
    ++line_;
    return false;
  }
  line_ = 0;
  tap_ = cycle;
  tap_pace_ = pace_;
  if (step.last) {
    window_ = cycle;
    window_pace_ = pace_;
    if (second_) lines_free_ = cycle + 2 * pace_.o_lines;
    second_ = Keeps(step);
  }
  return true;
}

}  // namespace tpu::timing
