// SPDX-License-Identifier: Apache-2.0
#include "vector_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace tpu::vector_test {
namespace {

using isa::VectorMap;
using isa::VectorReduce;
using isa::VectorRequant;

std::int32_t Wrap32(std::int64_t value) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}

std::uint32_t Row(std::int64_t row) { return static_cast<std::uint32_t>(row) & 0xFFFFF; }

std::int64_t Coordinate(std::int64_t value) {
  const auto low = static_cast<std::int64_t>(value & 0xFFFFF);
  return low >= 0x80000 ? low - 0x100000 : low;
}

// Nearest, ties away from zero.
std::int64_t RoundingShiftRight(std::int64_t value, int shift) {
  if (shift == 0) return value;
  return (value + (std::int64_t{1} << (shift - 1)) - (value < 0 ? 1 : 0)) >> shift;
}

// One tap's position in the loop nest.
struct Position {
  std::int64_t cb, oh, ow, kh, kw;
};

std::int32_t Premultiply(const isa::Vector& v, std::int32_t b) {
  return Requantise(
      v.requant == VectorRequant::kSingle ? VectorRequant::kSingle : VectorRequant::kDouble,
      b << 20, 0, v.pre_mult, -static_cast<int>(v.pre_shift));
}

}  // namespace

std::int32_t Map(const isa::Vector& v, std::int32_t a, std::int32_t b) {
  const std::int64_t shifted = static_cast<std::int64_t>(a) * (1 << 19);
  switch (v.map) {
    case VectorMap::kCopy:
      return a;
    case VectorMap::kAdd:
      return Wrap32(shifted + Premultiply(v, b));
    case VectorMap::kSubtract:
      return Wrap32(shifted - Premultiply(v, b));
    case VectorMap::kReverseSubtract:
      return Wrap32(Premultiply(v, b) - shifted);
    case VectorMap::kMultiply:
      return a * b;
    case VectorMap::kMaximum:
      return std::max(a, b);
    case VectorMap::kMinimum:
      return std::min(a, b);
  }
  return 0;
}

std::int8_t Finish(const isa::Vector& v, const Memories& memories, const ParamEntry& entry,
                   std::size_t lane, std::int32_t reduced) {
  const std::int32_t bias = entry.bias[lane];
  const std::int32_t multiplier = entry.multiplier[lane];
  const int shift = entry.shift[lane];
  const std::int32_t q = v.float_rounding != 0
                             ? RequantiseFloat(reduced, bias, multiplier, shift)
                             : Requantise(v.requant, reduced, bias, multiplier, shift);
  const std::int32_t y = std::min(std::max(Wrap32(std::int64_t{q} + v.o_zero), v.lo), v.hi);
  if (v.lut_enable != 0) return memories.luts[v.lut][static_cast<std::uint8_t>(y)];
  return static_cast<std::int8_t>(y);
}

namespace {

// Reads and steps of an instruction that goes by column; a stream stops before a row out of range.
class Columns {
 public:
  Columns(const isa::Vector& v, std::size_t ub_rows, Effects& effects)
      : v_(v), ub_rows_(ub_rows), reads_{&effects.a_reads, &effects.b_reads, &effects.c_reads} {
    effects.a_reads.clear();
    effects.b_reads.clear();
    const std::int64_t apart = v.a_ow == v.a_kw && v.xs_ow == v.xs_kw ? 1 : 2;
    const std::int64_t columns = apart * (std::int64_t{v.n_ow} - 1) + 3;
    effects.steps = 0;
    for (std::int64_t cb = 0; cb < v.n_cb; ++cb) {
      Weights(cb);
      for (std::int64_t oh = 0; oh < v.n_oh; ++oh) {
        for (std::int64_t column = 0; column < columns; ++column) Pixels(cb, oh, column);
      }
      effects.steps += static_cast<std::uint64_t>(3 + v.n_oh * columns);
    }
  }

 private:
  void Weights(std::int64_t cb) {
    if (v_.map == VectorMap::kCopy) return;
    for (std::int64_t kh = 0; kh < 3; ++kh) {
      for (std::int64_t kw = 0; kw < 3; ++kw) Read(kh, Row(v_.b_row + 9 * cb + 3 * kh + kw));
    }
  }

  void Pixels(std::int64_t cb, std::int64_t oh, std::int64_t column) {
    for (std::int64_t kh = 0; kh < 3; ++kh) {
      const std::int64_t y = Coordinate(v_.y0 + oh * v_.ys_oh + kh * v_.ys_kh);
      const std::int64_t x = Coordinate(v_.x0 + column * v_.xs_kw);
      if (y < 0 || y >= v_.y_bound || x < 0 || x >= v_.x_bound) continue;
      Read(kh, Row(v_.a_row + cb * v_.a_cb + oh * v_.a_oh + kh * v_.a_kh + column * v_.a_kw));
    }
  }

  void Read(std::int64_t stream, std::uint32_t row) {
    const auto s = static_cast<std::size_t>(stream);
    if (row >= ub_rows_) stopped_[s] = true;
    if (!stopped_[s]) reads_[s]->push_back(row);
  }

  const isa::Vector& v_;
  std::size_t ub_rows_;
  std::array<std::vector<std::uint32_t>*, 3> reads_;
  std::array<bool, 3> stopped_{};
};

class Run {
 public:
  Run(const isa::Vector& v, const Memories& memories)
      : v_(v),
        memories_(memories),
        copy_(v.map == VectorMap::kCopy),
        acc_(v.source == isa::VectorSource::kAccumulators) {}

  Effects Execute() {
    for (std::int64_t cb = 0; cb < v_.n_cb; ++cb) {
      for (std::int64_t oh = 0; oh < v_.n_oh; ++oh) {
        for (std::int64_t ow = 0; ow < v_.n_ow; ++ow) {
          if (!Window(cb, oh, ow)) return std::move(effects_);
        }
      }
    }
    return std::move(effects_);
  }

 private:
  bool Fail(isa::ErrorCode code) {
    effects_.error = code;
    return false;
  }

  bool Window(std::int64_t cb, std::int64_t oh, std::int64_t ow) {
    const bool max = v_.reduce == VectorReduce::kMaximum;
    std::vector<std::int32_t> reduced(memories_.ub.front().size(),
                                      max ? std::numeric_limits<std::int32_t>::min() : 0);
    for (std::int64_t kh = 0; kh < v_.n_kh; ++kh) {
      for (std::int64_t kw = 0; kw < v_.n_kw; ++kw) {
        if (!Tap({cb, oh, ow, kh, kw}, reduced)) return false;
      }
    }
    const std::uint32_t param = Row(v_.param_row + cb * v_.param_stride);
    if (param >= memories_.params.size()) return Fail(isa::ErrorCode::kParamRange);
    const std::uint32_t row = Row(v_.o_row + cb * v_.o_cb + oh * v_.o_oh + ow * v_.o_ow);
    if (row >= memories_.ub.size()) return Fail(isa::ErrorCode::kUbRange);
    Write write{row, {}};
    for (std::size_t i = 0; i < reduced.size(); ++i) {
      write.bytes.push_back(Finish(v_, memories_, memories_.params[param], i, reduced[i]));
    }
    effects_.writes.push_back(std::move(write));
    return true;
  }

  bool Tap(const Position& p, std::vector<std::int32_t>& reduced) {
    ++effects_.steps;
    const std::int64_t y = Coordinate(v_.y0 + p.oh * v_.ys_oh + p.kh * v_.ys_kh);
    const std::int64_t x = Coordinate(v_.x0 + p.ow * v_.xs_ow + p.kw * v_.xs_kw);
    if (y < 0 || y >= v_.y_bound || x < 0 || x >= v_.x_bound) return true;
    const std::uint32_t a_row = Row(v_.a_row + p.cb * v_.a_cb + p.oh * v_.a_oh + p.ow * v_.a_ow +
                                    p.kh * v_.a_kh + p.kw * v_.a_kw);
    if (a_row >= (acc_ ? memories_.acc.size() : memories_.ub.size())) {
      return Fail(acc_ ? isa::ErrorCode::kAccRange : isa::ErrorCode::kUbRange);
    }
    effects_.a_reads.push_back(a_row);
    std::uint32_t b_row = 0;
    if (!copy_) {
      b_row = Row(v_.b_row + p.cb * v_.b_cb + p.oh * v_.b_oh + p.ow * v_.b_ow + p.kh * v_.b_kh +
                  p.kw * v_.b_kw);
      if (b_row >= memories_.ub.size()) return Fail(isa::ErrorCode::kUbRange);
      effects_.b_reads.push_back(b_row);
    }
    for (std::size_t i = 0; i < reduced.size(); ++i) {
      const std::int32_t a = acc_ ? memories_.acc[a_row][i] : memories_.ub[a_row][i] - v_.a_zero;
      const std::int32_t value = Map(v_, a, memories_.ub[b_row][i] - v_.b_zero);
      reduced[i] = v_.reduce == VectorReduce::kMaximum ? std::max(reduced[i], value)
                                                       : Wrap32(std::int64_t{reduced[i]} + value);
    }
    return true;
  }

  const isa::Vector& v_;
  const Memories& memories_;
  bool copy_;
  bool acc_;
  Effects effects_;
};

}  // namespace

// Numbers of 64 bits hold all that is exact; nearbyint rounds ties to even.
std::int32_t RequantiseFloat(std::int32_t value, std::int32_t bias, std::int32_t multiplier,
                             int shift) {
  const std::int32_t t = Wrap32(std::int64_t{value} + bias);
  if (t == 0) return 0;
  int k = 0;
  while (Wrap32(std::int64_t{t} << (k + 1)) == std::int64_t{t} << (k + 1)) ++k;
  const long double p = std::nearbyint(std::ldexp(static_cast<long double>(t), k - 7)) * multiplier;
  const int u = std::fabs(p) >= 0x1p54L ? 31 : 30;
  const long double rounded = std::nearbyint(std::ldexp(p, -u));
  return Wrap32(static_cast<std::int64_t>(std::nearbyint(std::ldexp(rounded, u + shift - k - 24))));
}

std::int32_t Requantise(VectorRequant mode, std::int32_t value, std::int32_t bias,
                        std::int32_t multiplier, int shift) {
  const std::int32_t t = Wrap32(std::int64_t{value} + bias);
  switch (mode) {
    case VectorRequant::kNone:
      return t;
    case VectorRequant::kDouble: {
      const std::int64_t left = Wrap32(static_cast<std::int64_t>(
          static_cast<std::uint64_t>(std::int64_t{t}) << std::max(shift, 0)));
      return Wrap32(RoundingShiftRight((left * multiplier + (std::int64_t{1} << 30)) >> 31,
                                       std::max(-shift, 0)));
    }
    case VectorRequant::kSingle:
      return Wrap32((std::int64_t{t} * multiplier + (std::int64_t{1} << (30 - shift))) >>
                    (31 - shift));
    case VectorRequant::kDivide: {
      const std::int32_t magnitude =
          Wrap32((value < 0 ? -std::int64_t{value} : std::int64_t{value}) + bias);
      const std::int64_t quotient = (std::int64_t{magnitude} * multiplier) >> (31 - shift);
      return Wrap32(value < 0 ? -quotient : quotient);
    }
  }
  return 0;
}

bool GoesByColumn(const isa::Vector& v, std::size_t ub_rows) {
  if (v.source != isa::VectorSource::kUnifiedBuffer || v.n_kh != 3 || v.n_kw != 3) return false;
  if (v.n_ow > 32767) return false;
  const bool one_apart = v.a_ow == v.a_kw && v.xs_ow == v.xs_kw;
  const bool two_apart = v.a_ow == 2 * v.a_kw && v.xs_ow == 2 * v.xs_kw;
  if (!one_apart && !two_apart) return false;
  if (v.map == VectorMap::kCopy) return true;
  return v.map == VectorMap::kMultiply && v.reduce == VectorReduce::kSum && v.b_zero == 0 &&
         v.b_cb == 9 && v.b_oh == 0 && v.b_ow == 0 && v.b_kh == 3 && v.b_kw == 1 && v.b_row >= 0 &&
         v.b_row + 9 * std::int64_t{v.n_cb} <= static_cast<std::int64_t>(ub_rows);
}

Effects Execute(const isa::Vector& instruction, const Memories& memories, bool window) {
  Effects effects = Run(instruction, memories).Execute();
  if (window && GoesByColumn(instruction, memories.ub.size())) {
    Columns(instruction, memories.ub.size(), effects);
  }
  return effects;
}

}  // namespace tpu::vector_test
