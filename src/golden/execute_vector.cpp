// SPDX-License-Identifier: Apache-2.0
// VECTOR (docs/isa.md, 7).
#include <algorithm>
#include <limits>

#include "golden/arithmetic.h"
#include "golden/execute.h"
#include "golden/vector_walk.h"

namespace tpu::golden {
namespace {

void ReadA(const isa::Vector& v, State& state, const VectorStep& at, std::span<std::int32_t> a) {
  const std::int64_t row = RowOfA(v, at);
  if (v.source == isa::VectorSource::kAccumulators) {
    std::ranges::copy(state.acc.Row(row), a.begin());
  } else {
    std::ranges::transform(state.ub.Row(row), a.begin(),
                           [&v](isa::Activation value) { return value - v.a_zero; });
  }
}

void ReadB(const isa::Vector& v, State& state, const VectorStep& at, std::span<std::int32_t> b) {
  std::ranges::transform(state.ub.Row(RowOfB(v, at)), b.begin(),
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
  void Reduce(const VectorStep& output) {
    const bool is_max = v_.reduce == isa::VectorReduce::kMaximum;
    std::ranges::fill(result_, is_max ? std::numeric_limits<std::int32_t>::min() : 0);
    ForEachTap(v_, output, [&](const VectorStep& at) {
      ReadA(v_, state_, at, a_);
      if (v_.map != isa::VectorMap::kCopy) ReadB(v_, state_, at, b_);
      for (std::size_t i = 0; i < result_.size(); ++i) {
        const std::int32_t tap = Map(v_, a_[i], b_[i]);
        result_[i] = is_max ? std::max(result_[i], tap) : Wrap32(std::int64_t{result_[i]} + tap);
      }
    });
  }

  /// Requantises and clamps the window's result, looks it up and writes it.
  void Write(const VectorStep& at) {
    const std::int64_t entry = ParameterEntry(v_, at);
    const std::span<const isa::Bias> bias = state_.bias.Row(entry);
    const std::span<const isa::Multiplier> multiplier = state_.multiplier.Row(entry);
    const std::span<const isa::Shift> shift = state_.shift.Row(entry);
    const std::span<isa::Activation> out = state_.ub.Row(RowOfOutput(v_, at));
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::int32_t q =
          v_.float_rounding != 0
              ? RequantiseFloat(Wrap32(std::int64_t{result_[i]} + bias[i]), multiplier[i], shift[i])
              : Requantise(v_.requant, result_[i], bias[i], multiplier[i], shift[i]);
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
  ForEachOutput(v, [&lanes](const VectorStep& at) {
    lanes.Reduce(at);
    lanes.Write(at);
  });
}

}  // namespace tpu::golden
