// SPDX-License-Identifier: Apache-2.0
// FVECTOR (docs/isa.md, 10.4).
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "arithmetic/float/float32.h"
#include "arithmetic/float/float_functions.h"
#include "golden/execute.h"
#include "golden/numbers.h"
#include "golden/vector_walk.h"

namespace tpu::golden {
namespace {

using arithmetic::Canonical;
using arithmetic::FloatOf;

float Map(const isa::Fvector& v, float a, float b) {
  const auto truth = [](bool value) { return value ? 1.0F : 0.0F; };
  const float constant = Canonical(FloatOf(v.constant));
  switch (v.map) {
    case isa::FloatMap::kCopy:
      break;
    case isa::FloatMap::kAdd:
      return arithmetic::Add(a, b);
    case isa::FloatMap::kSubtract:
      return arithmetic::Subtract(a, b);
    case isa::FloatMap::kReverseSubtract:
      return arithmetic::Subtract(b, a);
    case isa::FloatMap::kMultiply:
      return arithmetic::Multiply(a, b);
    case isa::FloatMap::kMaximum:
      return arithmetic::Maximum(a, b);
    case isa::FloatMap::kMinimum:
      return arithmetic::Minimum(a, b);
    case isa::FloatMap::kFma:
      return arithmetic::Fma(b, a, constant);
    // C++ compares as IEEE 754 does, once subnormal numbers are zero.
    case isa::FloatMap::kGreater:
      return truth(a > b);
    case isa::FloatMap::kGreaterEqual:
      return truth(a >= b);
    case isa::FloatMap::kEqual:
      return truth(a == b);
    case isa::FloatMap::kSelect:
      return a == 0.0F ? constant : b;
    case isa::FloatMap::kAddSquare:
      return arithmetic::Fma(a, b, b);
  }
  return a;
}

/// What a window's taps are combined with first: what changes no number.
float Neutral(isa::FloatReduce reduce) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  switch (reduce) {
    case isa::FloatReduce::kSum:
      break;
    case isa::FloatReduce::kMaximum:
      return -kInfinity;
    case isa::FloatReduce::kMinimum:
      return kInfinity;
  }
  return -0.0F;
}

/// The result of a window with one more tap.
float Combine(const isa::Fvector& v, float result, float a, float b) {
  switch (v.reduce) {
    case isa::FloatReduce::kSum:
      break;
    case isa::FloatReduce::kMaximum:
      return arithmetic::Maximum(result, Map(v, a, b));
    case isa::FloatReduce::kMinimum:
      return arithmetic::Minimum(result, Map(v, a, b));
  }
  if (v.map == isa::FloatMap::kMultiply) return arithmetic::Fma(result, a, b);
  return arithmetic::Add(result, Map(v, a, b));
}

float Apply(isa::FloatFunction function, float x) {
  switch (function) {
    case isa::FloatFunction::kNone:
      break;
    case isa::FloatFunction::kNegate:
      return Canonical(-x);
    case isa::FloatFunction::kAbsolute:
      return Canonical(std::abs(x));
    case isa::FloatFunction::kExp:
      return arithmetic::Exp(x);
    case isa::FloatFunction::kLog:
      return arithmetic::Log(x);
    case isa::FloatFunction::kReciprocal:
      return arithmetic::Reciprocal(x);
    case isa::FloatFunction::kRsqrt:
      return arithmetic::ReciprocalSquareRoot(x);
    case isa::FloatFunction::kTanh:
      return arithmetic::Tanh(x);
    case isa::FloatFunction::kLogistic:
      return arithmetic::Logistic(x);
  }
  return x;
}

/// The lanes of one instruction while it runs.
class FloatLanes {
 public:
  FloatLanes(const isa::Fvector& v, State& state)
      : v_(v),
        state_(state),
        reads_b_(v.map != isa::FloatMap::kCopy && v.operand == isa::FloatOperand::kUnifiedBuffer),
        a_(state.config.n),
        b_(state.config.n, Canonical(FloatOf(v.constant))),
        result_(state.config.n) {}

  /// Combines the taps of one window that lie inside the bounds.
  void Reduce(const VectorStep& output) {
    std::ranges::fill(result_, Neutral(v_.reduce));
    ForEachTap(v_, output, [this](const VectorStep& at) {
      if (v_.source == isa::VectorSource::kAccumulators) {
        ReadSums(v_.a_format, RowOfA(v_, at), state_, a_);
      } else {
        ReadNumbers(v_.a_format, RowOfA(v_, at), state_, scratch_, a_);
      }
      if (reads_b_) ReadNumbers(v_.b_format, RowOfB(v_, at), state_, scratch_, b_);
      for (std::size_t i = 0; i < result_.size(); ++i) {
        result_[i] = Combine(v_, result_[i], a_[i], b_[i]);
      }
    });
  }

  /// Scales the window's result, applies the function, clamps and writes it, or keeps it until the
  /// row comes that it is interleaved with.
  void Write(const VectorStep& at) {
    const bool is_second = !first_.empty();
    const bool takes_next = is_second && v_.interleave == isa::FloatInterleave::kNext;
    const std::int64_t entry = ParameterEntry(v_, at) + (takes_next ? 1 : 0);
    const std::span<const isa::Bias> bias = state_.bias.Row(entry);
    const std::span<const isa::Multiplier> multiplier = state_.multiplier.Row(entry);
    for (std::size_t i = 0; i < result_.size(); ++i) {
      float x = result_[i];
      if (v_.scale != 0) {
        x = arithmetic::Fma(std::bit_cast<float>(bias[i]), x, std::bit_cast<float>(multiplier[i]));
      }
      x = Apply(v_.function, x);
      result_[i] = arithmetic::Minimum(arithmetic::Maximum(x, FloatOf(v_.lo)), FloatOf(v_.hi));
    }
    const std::int64_t row = RowOfOutput(v_, at);
    if (v_.interleave == isa::FloatInterleave::kNone) {
      WriteNumbers(v_.o_format, row, state_, scratch_, result_);
    } else if (is_second) {
      WriteInterleaved(row);
    } else {
      // Its rows have to exist before anything of the second one is read.
      for (std::int64_t i = 0; i < isa::BytesOf(v_.o_format); ++i) state_.ub.Row(row + i);
      first_ = result_;
      first_row_ = row;
    }
  }

  /// Writes a last row that has no second one as it is.
  void Finish() {
    if (!first_.empty()) WriteNumbers(v_.o_format, first_row_, state_, scratch_, first_);
  }

 private:
  /// Quarters of both rows in turns: the first two of each to the first row, the others to `row`.
  void WriteInterleaved(std::int64_t row) {
    const std::size_t quarter = result_.size() / 4;
    std::vector<float> numbers;
    for (std::size_t i = 0; i < result_.size(); i += quarter) {
      numbers.insert(numbers.end(), &first_[i], &first_[i] + quarter);
      numbers.insert(numbers.end(), &result_[i], &result_[i] + quarter);
    }
    // Where its row does not exist, the second one is not there, and nothing is written.
    state_.ub.Row(row);
    const std::span<const float> all(numbers);
    WriteNumbers(v_.o_format, first_row_, state_, scratch_, all.first(result_.size()));
    WriteNumbers(v_.o_format, row, state_, scratch_, all.last(result_.size()));
    first_.clear();
  }

  const isa::Fvector& v_;
  State& state_;
  bool reads_b_;
  std::vector<float> a_;
  std::vector<float> b_;
  std::vector<float> result_;
  std::vector<float> first_;  ///< Row that waits for the one behind it; empty if none does.
  std::int64_t first_row_ = 0;
  std::vector<std::uint8_t> scratch_;
};

}  // namespace

void Execute(const isa::Fvector& v, State& state) {
  FloatLanes lanes(v, state);
  ForEachOutput(v, [&lanes](const VectorStep& at) {
    lanes.Reduce(at);
    lanes.Write(at);
  });
  lanes.Finish();
}

}  // namespace tpu::golden
