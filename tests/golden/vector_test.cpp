// SPDX-License-Identifier: Apache-2.0
// VECTOR against the loop nest of docs/isa.md, for every map, reduction and requantisation, with
// random fields. The requantisation of single values has its own test (arithmetic_test.cpp).
#include <gtest/gtest.h>

#include <tuple>

#include "golden/arithmetic.h"
#include "machine_tester.h"

namespace tpu::golden {
namespace {

constexpr std::int32_t kInputRows = 160;  // UB rows from here on hold outputs.

/// Where the window loops are.
struct At {
  std::int32_t cb, oh, ow, kh, kw;
};

std::int64_t MapLane(const isa::Vector& v, std::int64_t a, std::int64_t b) {
  const auto scaled_b = [&] {
    return std::int64_t{Premultiply(v.requant, static_cast<std::int32_t>(b), v.pre_mult,
                                    static_cast<int>(v.pre_shift))};
  };
  switch (static_cast<int>(v.map)) {
    case 0:
      return a;
    case 1:
      return a * 524288 + scaled_b();
    case 2:
      return a * 524288 - scaled_b();
    case 3:
      return scaled_b() - a * 524288;
    case 4:
      return a * b;
    case 5:
      return a > b ? a : b;
    default:
      return a < b ? a : b;
  }
}

/// r of one lane.
std::int32_t ReduceLane(const isa::Vector& v, State& state, At at, std::size_t lane) {
  const bool is_max = v.reduce == isa::VectorReduce::kMaximum;
  std::int32_t result = is_max ? std::numeric_limits<std::int32_t>::min() : 0;
  for (at.kh = 0; at.kh < static_cast<std::int32_t>(v.n_kh); ++at.kh) {
    for (at.kw = 0; at.kw < static_cast<std::int32_t>(v.n_kw); ++at.kw) {
      const std::int64_t y = v.y0 + at.oh * std::int64_t{v.ys_oh} + at.kh * std::int64_t{v.ys_kh};
      const std::int64_t x = v.x0 + at.ow * std::int64_t{v.xs_ow} + at.kw * std::int64_t{v.xs_kw};
      if (y < 0 || x < 0 || y >= v.y_bound || x >= v.x_bound) continue;
      const std::int32_t a_row = v.a_row + at.cb * v.a_cb + at.oh * v.a_oh + at.ow * v.a_ow +
                                 at.kh * v.a_kh + at.kw * v.a_kw;
      const std::int32_t b_row = v.b_row + at.cb * v.b_cb + at.oh * v.b_oh + at.ow * v.b_ow +
                                 at.kh * v.b_kh + at.kw * v.b_kw;
      const bool from_acc = v.source == isa::VectorSource::kAccumulators;
      const std::int64_t a =
          from_acc ? state.acc.Row(a_row)[lane] : state.ub.Row(a_row)[lane] - v.a_zero;
      const bool has_b = v.map != isa::VectorMap::kCopy;
      const std::int64_t b = has_b ? state.ub.Row(b_row)[lane] - v.b_zero : 0;
      const std::int32_t tap = Wrap32(MapLane(v, a, b));
      result = is_max ? std::max(result, tap) : Wrap32(std::int64_t{result} + tap);
    }
  }
  return result;
}

/// The unified buffer after the instruction; inputs are taken from `state` before it.
std::vector<std::int8_t> Expected(const isa::Vector& v, State& state) {
  std::vector<std::int8_t> ub = Copy(state.ub.All());
  const std::size_t n = state.config.n;
  At at{};
  for (at.cb = 0; at.cb < static_cast<std::int32_t>(v.n_cb); ++at.cb)
    for (at.oh = 0; at.oh < static_cast<std::int32_t>(v.n_oh); ++at.oh)
      for (at.ow = 0; at.ow < static_cast<std::int32_t>(v.n_ow); ++at.ow)
        for (std::size_t lane = 0; lane < n; ++lane) {
          const std::int64_t entry = v.param_row + at.cb * std::int64_t{v.param_stride};
          const std::int64_t q =
              Requantise(v.requant, ReduceLane(v, state, at, lane), state.bias.Row(entry)[lane],
                         state.multiplier.Row(entry)[lane], state.shift.Row(entry)[lane]);
          std::int64_t out = Wrap32(q + v.o_zero);
          if (out < v.lo) out = v.lo;
          if (out > v.hi) out = v.hi;
          if (v.lut_enable != 0) {
            out = state.lut.Row(v.lut)[static_cast<std::size_t>(out < 0 ? out + 256 : out)];
          }
          const std::int32_t row =
              static_cast<std::int32_t>(v.o_row) + at.cb * v.o_cb + at.oh * v.o_oh + at.ow * v.o_ow;
          ub[static_cast<std::size_t>(row) * n + lane] = static_cast<std::int8_t>(out);
        }
  return ub;
}

isa::Vector RandomVector(MachineTester& t) {
  const auto zero = [&t] { return t.Random<std::int32_t>(-128, 127); };
  const auto stride = [&t] { return t.Random<std::int32_t>(-2, 8); };
  isa::Vector v;
  v.lut_enable = t.Random<std::uint32_t>(0, 1);
  v.lut = t.Random<std::uint32_t>(0, 7);
  v.n_cb = t.Random<std::uint32_t>(1, 3);
  v.n_oh = t.Random<std::uint32_t>(1, 3);
  v.n_ow = t.Random<std::uint32_t>(1, 3);
  v.n_kh = t.Random<std::uint32_t>(1, 3);
  v.n_kw = t.Random<std::uint32_t>(1, 3);
  v.param_row = t.Random<std::uint32_t>(0, 7);
  v.param_stride = t.Random<std::uint32_t>(0, 3);
  v.o_row = kInputRows + 10;
  v.o_cb = t.Random<std::int32_t>(-5, 25);
  v.o_oh = t.Random<std::int32_t>(0, 8);
  v.o_ow = t.Random<std::int32_t>(0, 3);
  v.a_row = 20;
  v.b_row = 30;
  for (auto* field : {&v.a_cb, &v.a_oh, &v.a_ow, &v.a_kh, &v.a_kw}) *field = stride();
  for (auto* field : {&v.b_cb, &v.b_oh, &v.b_ow, &v.b_kh, &v.b_kw}) *field = stride();
  v.y0 = t.Random<std::int32_t>(-2, 1);
  v.x0 = t.Random<std::int32_t>(-2, 1);
  v.y_bound = t.Random<std::uint32_t>(0, 5);
  v.x_bound = t.Random<std::uint32_t>(0, 5);
  for (auto* field : {&v.ys_oh, &v.ys_kh, &v.xs_ow, &v.xs_kw}) {
    *field = t.Random<std::uint32_t>(0, 2);
  }
  v.a_zero = zero();
  v.b_zero = zero();
  v.o_zero = zero();
  v.lo = t.Random<std::int32_t>(-128, -20);
  v.hi = t.Random<std::int32_t>(20, 127);
  v.pre_shift = t.Random<std::uint32_t>(0, 31);
  v.pre_mult = t.Random<std::int32_t>(0, std::numeric_limits<std::int32_t>::max());
  return v;
}

/// Parameters with which results spread over the output range.
void MakeResultsVisible(const isa::Vector& v, MachineTester& t) {
  const bool large = v.map == isa::VectorMap::kAdd || v.map == isa::VectorMap::kSubtract ||
                     v.map == isa::VectorMap::kReverseSubtract ||
                     v.source == isa::VectorSource::kAccumulators;
  const int shift = large ? -18 : -3;
  t.Fill(t.state().shift.All(), shift - 3, shift + 2);
  t.Fill(t.state().multiplier.All(), 1 << 30, std::numeric_limits<std::int32_t>::max());
  t.Fill(t.state().bias.All(), -300, 300);
  if (v.source == isa::VectorSource::kAccumulators) {
    t.Fill(t.state().acc.All(), -(1 << 24), 1 << 24);
    for (std::int64_t row = 0; row < t.state().config.acc_rows; row += 7) {
      t.state().acc.Row(row)[0] = std::numeric_limits<std::int32_t>::min();
    }
  }
}

using Modes = std::tuple<isa::VectorMap, isa::VectorReduce, isa::VectorRequant>;
class VectorModes : public testing::TestWithParam<Modes> {};

void ExpectFollowsLoopNest(MachineTester& t, const isa::Vector& v) {
  const std::vector<std::int8_t> expected = Expected(v, t.state());
  t.Add(v).ExpectRuns();
  ASSERT_EQ(Copy(t.state().ub.All()), expected);
}

TEST_P(VectorModes, FollowTheLoopNestForRandomFields) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    MachineTester t(seed % 2 == 0 ? 4 : 16, seed);
    isa::Vector v = RandomVector(t);
    std::tie(v.map, v.reduce, v.requant) = GetParam();
    if (seed % 4 != 0) MakeResultsVisible(v, t);
    ExpectFollowsLoopNest(t, v);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, VectorModes,
    testing::Combine(testing::Values(isa::VectorMap::kCopy, isa::VectorMap::kAdd,
                                     isa::VectorMap::kSubtract, isa::VectorMap::kReverseSubtract,
                                     isa::VectorMap::kMultiply, isa::VectorMap::kMaximum,
                                     isa::VectorMap::kMinimum),
                     testing::Values(isa::VectorReduce::kSum, isa::VectorReduce::kMaximum),
                     testing::Values(isa::VectorRequant::kNone, isa::VectorRequant::kDouble,
                                     isa::VectorRequant::kSingle, isa::VectorRequant::kDivide)));

TEST(Vector, DrainsAccumulators) {
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    MachineTester t(8, seed);
    isa::Vector v = RandomVector(t);
    v.source = isa::VectorSource::kAccumulators;
    v.requant = static_cast<isa::VectorRequant>(seed % 4);
    v.reduce = static_cast<isa::VectorReduce>(seed / 4 % 2);
    for (auto* field : {&v.a_cb, &v.a_oh, &v.a_ow, &v.a_kh, &v.a_kw}) *field /= 2;
    v.b_row = -1;  // B is not read.
    if (seed % 8 != 0) MakeResultsVisible(v, t);
    ExpectFollowsLoopNest(t, v);
    if (HasFatalFailure()) return;
  }
}

/// One output row at kInputRows from the row 0 of the buffer, without requantisation.
isa::Vector OneRow() {
  isa::Vector v;
  v.o_row = kInputRows;
  v.y_bound = 1;
  v.x_bound = 1;
  v.lo = -128;
  v.hi = 127;
  return v;
}

TEST(Vector, LowerBoundAboveUpperGivesTheUpper) {
  MachineTester t(4, 1);
  isa::Vector v = OneRow();
  v.lo = 50;
  v.hi = -20;
  t.Add(v).ExpectRuns();
  for (const std::int8_t value : t.state().ub.Row(kInputRows)) EXPECT_EQ(value, -20);
}

TEST(Vector, WindowsWhollyOutsideGiveTheNeutralElement) {
  MachineTester t(4, 2);
  std::ranges::fill(t.state().bias.All(), 0);
  isa::Vector v = OneRow();
  v.x_bound = 0;
  v.a_row = -1;  // Not read.
  v.o_zero = 7;
  v.lo = -100;
  t.Add(v).ExpectRuns();
  EXPECT_EQ(t.state().ub.Row(kInputRows)[0], 7);
  v.reduce = isa::VectorReduce::kMaximum;
  t.Add(v).ExpectRuns();
  EXPECT_EQ(t.state().ub.Row(kInputRows)[0], -100);
}

TEST(Vector, CoordinatesWrapAt20Bits) {
  MachineTester t(4, 3);
  std::ranges::fill(t.state().bias.All(), 0);
  isa::Vector v = OneRow();
  // x = 255 * 4112 + 16 = 2^20 at the last output column only.
  v.n_ow = 4113;
  v.xs_ow = 255;
  v.x0 = 16;
  v.a_zero = 1;
  for (std::int8_t& value : t.state().ub.Row(0)) value = 42;
  t.Add(v).ExpectRuns();
  EXPECT_EQ(t.state().ub.Row(kInputRows)[0], 41);
}

TEST(Vector, ZeroPointOfAIsNotSubtractedFromAccumulators) {
  MachineTester t(4, 4);
  std::ranges::fill(t.state().bias.All(), 0);
  std::ranges::fill(t.state().acc.Row(0), 90);
  isa::Vector v = OneRow();
  v.source = isa::VectorSource::kAccumulators;
  v.a_zero = 100;
  t.Add(v).ExpectRuns();
  EXPECT_EQ(t.state().ub.Row(kInputRows)[0], 90);
}

TEST(Vector, ResidualAddWithEqualScales) {
  // Three equal scales: both operands count 2^19 per unit, the output multiplier is 2^-19.
  MachineTester t(4, 5);
  std::ranges::fill(t.state().bias.All(), 0);
  std::ranges::fill(t.state().multiplier.All(), 1 << 30);
  std::ranges::fill(t.state().shift.All(), std::int8_t{-18});
  isa::Vector v = OneRow();
  v.map = isa::VectorMap::kAdd;
  v.requant = isa::VectorRequant::kDouble;
  v.b_row = 1;
  v.a_zero = -3;
  v.b_zero = 4;
  v.o_zero = 2;
  v.pre_mult = 1 << 30;
  for (std::size_t lane = 0; lane < 4; ++lane) {
    t.state().ub.Row(0)[lane] = static_cast<std::int8_t>(30 * static_cast<int>(lane) - 50);
    t.state().ub.Row(1)[lane] = static_cast<std::int8_t>(11 - static_cast<int>(lane));
  }
  t.Add(v).ExpectRuns();
  for (std::size_t lane = 0; lane < 4; ++lane) {
    const int a = t.state().ub.Row(0)[lane] + 3;
    const int b = t.state().ub.Row(1)[lane] - 4;
    EXPECT_EQ(t.state().ub.Row(kInputRows)[lane], a + b + 2) << lane;
  }
}

}  // namespace
}  // namespace tpu::golden
