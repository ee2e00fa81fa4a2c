// SPDX-License-Identifier: Apache-2.0
// VECTOR (docs/isa.md, 7).
#include <algorithm>
#include <limits>

#include "golden/arithmetic.h"
#include "golden/execute.h"

namespace tpu::golden {
namespace {

/// A position in the loop nest: channel block, output pixel, tap of its window.
struct VectorStep {
  std::int64_t cb, oh, ow, kh, kw;
};

bool IsInside(const isa::Vector& v, const VectorStep& at) {
  const std::int64_t y = Coordinate(v.y0 + at.oh * v.ys_oh + at.kh * v.ys_kh);
  const std::int64_t x = Coordinate(v.x0 + at.ow * v.xs_ow + at.kw * v.xs_kw);
  return 0 <= y && y < v.y_bound && 0 <= x && x < v.x_bound;
}

void ReadA(const isa::Vector& v, State& state, const VectorStep& at, std::span<std::int32_t> a) {
  const std::int64_t row =
      v.a_row + at.cb * v.a_cb + at.oh * v.a_oh + at.ow * v.a_ow + at.kh * v.a_kh + at.kw * v.a_kw;
  if (v.source == isa::VectorSource::kAccumulators) {
    std::ranges::copy(state.acc.Row(row), a.begin());
  } else {
    std::ranges::transform(state.ub.Row(row), a.begin(),
                           [&v](isa::Activation value) { return value - v.a_zero; });
  }
}

void ReadB(const isa::Vector& v, State& state, const VectorStep& at, std::span<std::int32_t> b) {
  const std::int64_t row =
      v.b_row + at.cb * v.b_cb + at.oh * v.b_oh + at.ow * v.b_ow + at.kh * v.b_kh + at.kw * v.b_kw;
  std::ranges::transform(state.ub.Row(row), b.begin(),
                         [&v](isa::Activation value) { return value - v.b_zero; });
}

std::int32_t Map(const isa::Vector& v, std::int32_t a, std::int32_t b) {
  constexpr int kAddShift = 19;
  const std::int64_t wide_a = std::int64_t{a} << kAddShift;
  const auto wide_b = [&]() -> std::int64_t {
    return Premultiply(v.requant, b, v.pre_mult, static_cast<int>(v.pre_shift));
  };
  switch (v.map) {
    case isa::VectorMap::kCopy:
      break;
    case isa::VectorMap::kAdd:
      return Wrap32(wide_a + wide_b());
    case isa::VectorMap::kSubtract:
      return Wrap32(wide_a - wide_b());
    case isa::VectorMap::kReverseSubtract:
      return Wrap32(wide_b() - wide_a);
    case isa::VectorMap::kMultiply:
      return a * b;
    case isa::VectorMap::kMaximum:
      return std::max(a, b);
    case isa::VectorMap::kMinimum:
      return std::min(a, b);
  }
  return a;
}

/// The lanes of one instruction while it runs.
class Lanes {
 public:
  Lanes(const isa::Vector& v, State& state)
      : v_(v), state_(state), a_(state.config.n), b_(state.config.n), result_(state.config.n) {}

  /// Combines the taps of one window that lie inside the bounds.
  void Reduce(VectorStep at) {
    const bool is_max = v_.reduce == isa::VectorReduce::kMaximum;
    std::ranges::fill(result_, is_max ? std::numeric_limits<std::int32_t>::min() : 0);
    for (at.kh = 0; at.kh < v_.n_kh; ++at.kh) {
      for (at.kw = 0; at.kw < v_.n_kw; ++at.kw) {
        if (!IsInside(v_, at)) continue;
        ReadA(v_, state_, at, a_);
        if (v_.map != isa::VectorMap::kCopy) ReadB(v_, state_, at, b_);
        for (std::size_t i = 0; i < result_.size(); ++i) {
          const std::int32_t tap = Map(v_, a_[i], b_[i]);
          result_[i] = is_max ? std::max(result_[i], tap) : Wrap32(std::int64_t{result_[i]} + tap);
        }
      }
    }
  }

  /// Requantises and clamps the window's result, looks it up and writes it.
  void Write(const VectorStep& at) {
    const std::int64_t entry = std::int64_t{v_.param_row} + at.cb * std::int64_t{v_.param_stride};
    const std::span<const isa::Bias> bias = state_.bias.Row(entry);
    const std::span<const isa::Multiplier> multiplier = state_.multiplier.Row(entry);
    const std::span<const isa::Shift> shift = state_.shift.Row(entry);
    const std::span<isa::Activation> out =
        state_.ub.Row(std::int64_t{v_.o_row} + at.cb * v_.o_cb + at.oh * v_.o_oh + at.ow * v_.o_ow);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::int32_t q = Requantise(v_.requant, result_[i], bias[i], multiplier[i], shift[i]);
      const std::int32_t offset = Wrap32(std::int64_t{q} + v_.o_zero);
      const std::int32_t clamped = std::min(std::max(offset, v_.lo), v_.hi);
      out[i] = static_cast<isa::Activation>(clamped);
    }
    if (v_.lut_enable == 0) return;
    const std::span<const isa::Activation> table = state_.lut.Row(v_.lut);
    for (isa::Activation& value : out) value = table[static_cast<std::uint8_t>(value)];
  }

 private:
  const isa::Vector& v_;
  State& state_;
  std::vector<std::int32_t> a_;
  std::vector<std::int32_t> b_;
  std::vector<std::int32_t> result_;
};

}  // namespace

void Execute(const isa::Vector& v, State& state) {
  Lanes lanes(v, state);
  for (std::int64_t cb = 0; cb < v.n_cb; ++cb) {
    for (std::int64_t oh = 0; oh < v.n_oh; ++oh) {
      for (std::int64_t ow = 0; ow < v.n_ow; ++ow) {
        const VectorStep at{.cb = cb, .oh = oh, .ow = ow, .kh = 0, .kw = 0};
        lanes.Reduce(at);
        lanes.Write(at);
      }
    }
  }
}

}  // namespace tpu::golden
