// SPDX-License-Identifier: Apache-2.0
// FVECTOR against the loops of docs/isa.md, 10.4, computed by the host, and against values written
// by hand.
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "float_numbers.h"

namespace tpu::golden {
namespace {

using isa::FloatFunction;
using isa::FloatMap;
using isa::FloatReduce;
using isa::NumberFormat;

// Sums of fp32 numbers are never subnormal and inexact, so that flushing is all that the host
// lacks.
float HostAdd(float a, float b) { return Clean(Clean(a) + Clean(b)); }
float HostMax(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return kNan;
  if (a == 0 && b == 0) return std::signbit(a) && std::signbit(b) ? -0.0F : 0.0F;
  return a > b ? a : b;
}
float HostMin(float a, float b) { return Clean(-HostMax(-a, -b)); }

float HostMap(const isa::Fvector& v, float a, float b) {
  const float c = Clean(OfWord(v.constant));
  switch (v.map) {
    case FloatMap::kCopy:
      return a;
    case FloatMap::kAdd:
      return HostAdd(a, b);
    case FloatMap::kSubtract:
      return HostAdd(a, -b);
    case FloatMap::kReverseSubtract:
      return HostAdd(b, -a);
    case FloatMap::kMultiply:
      return float_oracle::Fma(-0.0F, a, b);
    case FloatMap::kMaximum:
      return HostMax(a, b);
    case FloatMap::kMinimum:
      return HostMin(a, b);
    case FloatMap::kFma:
      return float_oracle::Fma(b, a, c);
    case FloatMap::kGreater:
      return a > b ? 1.0F : 0.0F;
    case FloatMap::kGreaterEqual:
      return a >= b ? 1.0F : 0.0F;
    case FloatMap::kEqual:
      return a == b ? 1.0F : 0.0F;
    case FloatMap::kAddSquare:
      return float_oracle::Fma(a, b, b);
    case FloatMap::kSelect:
      break;
  }
  return a == 0 ? c : b;
}

float HostReduce(const isa::Fvector& v, float r, float a, float b) {
  if (v.reduce == FloatReduce::kMaximum) return HostMax(r, HostMap(v, a, b));
  if (v.reduce == FloatReduce::kMinimum) return HostMin(r, HostMap(v, a, b));
  if (v.map == FloatMap::kMultiply) return float_oracle::Fma(r, a, b);
  return HostAdd(r, HostMap(v, a, b));
}

float HostStart(FloatReduce reduce) {
  if (reduce == FloatReduce::kSum) return -0.0F;
  return reduce == FloatReduce::kMaximum ? -kInfinity : kInfinity;
}

struct Position {
  std::int64_t cb, oh, ow, kh, kw;
};

float ReadA(const isa::Fvector& v, State& state, const Position& at, std::size_t lane) {
  const std::int64_t row =
      v.a_row + at.cb * v.a_cb + at.oh * v.a_oh + at.ow * v.a_ow + at.kh * v.a_kh + at.kw * v.a_kw;
  if (v.source == isa::VectorSource::kUnifiedBuffer) {
    const auto byte = static_cast<std::size_t>(row) * state.config.n + lane * RowsOf(v.a_format);
    return NumberAt(v.a_format, &state.ub.All()[byte]);
  }
  const std::int32_t sum = state.acc.Row(row)[lane];
  return v.a_format == kInt32 ? static_cast<float>(sum) : Clean(std::bit_cast<float>(sum));
}

float ReadB(const isa::Fvector& v, State& state, const Position& at, std::size_t lane) {
  if (v.operand == isa::FloatOperand::kConstant) return Clean(OfWord(v.constant));
  const std::int64_t row =
      v.b_row + at.cb * v.b_cb + at.oh * v.b_oh + at.ow * v.b_ow + at.kh * v.b_kh + at.kw * v.b_kw;
  const auto byte = static_cast<std::size_t>(row) * state.config.n + lane * RowsOf(v.b_format);
  return NumberAt(v.b_format, &state.ub.All()[byte]);
}

/// One lane of an output row, for functions that are signs only, with the parameters of the entry.
float Lane(const isa::Fvector& v, State& state, Position at, std::int64_t entry, std::size_t lane) {
  float r = HostStart(v.reduce);
  for (at.kh = 0; at.kh < v.n_kh; ++at.kh)
    for (at.kw = 0; at.kw < v.n_kw; ++at.kw) {
      const std::int64_t y = Coordinate20(v.y0 + at.oh * v.ys_oh + at.kh * v.ys_kh);
      const std::int64_t x = Coordinate20(v.x0 + at.ow * v.xs_ow + at.kw * v.xs_kw);
      if (y < 0 || y >= v.y_bound || x < 0 || x >= v.x_bound) continue;
      const float b = v.map == FloatMap::kCopy ? 0.0F : ReadB(v, state, at, lane);
      r = HostReduce(v, r, ReadA(v, state, at, lane), b);
    }
  if (v.scale != 0) {
    r = float_oracle::Fma(std::bit_cast<float>(state.bias.Row(entry)[lane]), r,
                          std::bit_cast<float>(state.multiplier.Row(entry)[lane]));
  }
  if (v.function == FloatFunction::kNegate) r = Clean(-r);
  if (v.function == FloatFunction::kAbsolute) r = Clean(std::abs(r));
  return HostMin(HostMax(r, Clean(OfWord(v.lo))), Clean(OfWord(v.hi)));
}

/// Two rows whose quarters change places: quarter q of row r becomes quarter 2 q + r of both.
void Interleave(std::vector<std::uint32_t>& first, std::vector<std::uint32_t>& second) {
  const std::size_t n = first.size();
  std::vector<std::uint32_t> both(2 * n);
  for (std::size_t lane = 0; lane < n; ++lane) {
    const std::size_t quarter = lane / (n / 4);
    const std::size_t place = quarter * (n / 2) + lane % (n / 4);
    both[place] = first[lane];
    both[place + n / 4] = second[lane];
  }
  std::copy_n(both.begin(), n, first.begin());
  std::copy_n(both.begin() + static_cast<std::ptrdiff_t>(n), n, second.begin());
}

/// The buffer after the instruction, which does not read what it writes.
std::vector<std::int8_t> Expected(const isa::Fvector& v, State& state) {
  const std::size_t n = state.config.n;
  std::vector<std::int8_t> ub = Copy(state.ub.All());
  std::vector<std::size_t> rows;
  std::vector<std::vector<std::uint32_t>> words;
  for (std::int64_t cb = 0; cb < v.n_cb; ++cb)
    for (std::int64_t oh = 0; oh < v.n_oh; ++oh)
      for (std::int64_t ow = 0; ow < v.n_ow; ++ow) {
        const bool next = v.interleave == isa::FloatInterleave::kNext && rows.size() % 2 == 1;
        const std::int64_t entry = v.param_row + cb * v.param_stride + (next ? 1 : 0);
        rows.push_back(static_cast<std::size_t>(v.o_row + cb * v.o_cb + oh * v.o_oh + ow * v.o_ow));
        std::vector<std::uint32_t>& row = words.emplace_back();
        for (std::size_t lane = 0; lane < n; ++lane) {
          row.push_back(WordOf(v.o_format, Lane(v, state, {cb, oh, ow, 0, 0}, entry, lane)));
        }
      }
  if (v.interleave != isa::FloatInterleave::kNone) {
    for (std::size_t r = 1; r < rows.size(); r += 2) Interleave(words[r - 1], words[r]);
  }
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t lane = 0; lane < n; ++lane)
      for (std::size_t b = 0; b < RowsOf(v.o_format); ++b) {
        ub[rows[r] * n + lane * RowsOf(v.o_format) + b] =
            static_cast<std::int8_t>(words[r][lane] >> (8 * b));
      }
  return ub;
}

isa::Fvector RandomFvector(MachineTester& t) {
  const auto small = [&t] { return t.Random<std::uint32_t>(1, 3); };
  const auto step = [&t](std::int32_t most) { return t.Random<std::int32_t>(0, most); };
  const auto format = [&t] { return static_cast<NumberFormat>(t.Random<int>(0, 3)); };
  isa::Fvector v;
  v.source = static_cast<isa::VectorSource>(t.Random<int>(0, 1));
  const bool acc = v.source == isa::VectorSource::kAccumulators;
  v.operand = static_cast<isa::FloatOperand>(t.Random<int>(0, 3) == 0 ? 1 : 0);
  v.a_format = acc ? (t.Random<int>(0, 3) == 0 ? kInt32 : kFp32) : format();
  v.b_format = format();
  v.o_format = t.Random<int>(0, 1) == 0 ? kFp32 : format();
  v.map = static_cast<FloatMap>(t.Random<int>(0, 12));
  v.reduce = static_cast<FloatReduce>(t.Random<int>(0, 3) % 3);
  v.scale = t.Random<std::uint32_t>(0, 1);
  v.function = static_cast<FloatFunction>(t.Random<int>(0, 2));
  v.n_cb = small();
  v.n_oh = small();
  v.n_ow = small();
  v.n_kh = small();
  v.n_kw = small();
  v.param_row = t.Random<std::uint32_t>(0, 5);
  v.param_stride = t.Random<std::uint32_t>(0, 4);
  v.a_row = acc ? step(20) : step(40);
  v.a_cb = step(acc ? 8 : 12);
  v.a_oh = step(4);
  v.a_ow = step(4);
  v.a_kh = step(3);
  v.a_kw = step(3);
  v.b_row = step(40);
  v.b_cb = step(12);
  v.b_oh = step(4);
  v.b_ow = step(4);
  v.b_kh = step(3);
  v.b_kw = step(3);
  if (t.Random<int>(0, 2) == 0) {
    v.o_format = kBf16;
    v.interleave = static_cast<isa::FloatInterleave>(t.Random<int>(1, 2));
  }
  v.o_row = 128;
  v.o_ow = static_cast<std::int32_t>(RowsOf(v.o_format));
  v.o_oh = 3 * v.o_ow;
  v.o_cb = 3 * v.o_oh;
  v.y0 = t.Random<std::int32_t>(-2, 1);
  v.x0 = t.Random<std::int32_t>(-2, 1);
  v.y_bound = t.Random<std::uint32_t>(1, 8);
  v.x_bound = t.Random<std::uint32_t>(1, 8);
  v.ys_oh = t.Random<std::uint32_t>(0, 2);
  v.ys_kh = t.Random<std::uint32_t>(0, 2);
  v.xs_ow = t.Random<std::uint32_t>(0, 2);
  v.xs_kw = t.Random<std::uint32_t>(0, 2);
  v.constant = ToWord(t.Random<int>(0, 2) == 0 ? 0.0F : 1.75F);
  v.lo = t.Random<int>(0, 1) == 0 ? ToWord(-kInfinity) : ToWord(-3.5F);
  v.hi = t.Random<int>(0, 1) == 0 ? ToWord(kInfinity) : ToWord(40.0F);
  return v;
}

TEST(Fvector, FollowsItsLoopNestForRandomFields) {
  std::map<FloatMap, int> maps;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    FloatTester t(seed % 2 == 0 ? 4 : 8, seed);
    const isa::Fvector v = RandomFvector(t);
    const std::vector<std::int8_t> expected = Expected(v, t.state());
    t.Add(v).ExpectRuns();
    ASSERT_EQ(Copy(t.state().ub.All()), expected)
        << "map " << static_cast<int>(v.map) << " reduce " << static_cast<int>(v.reduce);
    ++maps[v.map];
  }
  EXPECT_EQ(maps.size(), 13U);
}

/// Lane 0 of one row of fp32 numbers: A in rows 0 to 3, B in 4 to 7, the result in 8 to 11.
class OneNumber : public ::testing::Test {
 protected:
  static isa::Fvector Instruction() {
    isa::Fvector v;
    v.a_format = v.b_format = v.o_format = kFp32;
    v.b_row = 4;
    v.o_row = 8;
    v.y_bound = v.x_bound = 1;
    v.lo = ToWord(-kInfinity);
    v.hi = ToWord(kInfinity);
    return v;
  }

  std::uint32_t Run(const isa::Fvector& v, float a, float b = 0.0F) {
    t_.Set(v.a_format, 0, 0, v.a_format == kBf16 ? ToWord(a) >> 16 : ToWord(a));
    t_.Set(v.b_format, 4, 0, ToWord(b));
    t_.Add(v).ExpectRuns();
    return t_.Get(v.o_format, 8, 0);
  }

  std::uint32_t Map(FloatMap map, float a, float b = 0.0F, float constant = 0.0F) {
    isa::Fvector v = Instruction();
    v.map = map;
    v.constant = ToWord(constant);
    return Run(v, a, b);
  }

  /// The word that `a` becomes in a format.
  std::uint32_t Convert(NumberFormat format, float a) {
    isa::Fvector v = Instruction();
    v.o_format = format;
    return Run(v, a);
  }

  float Function(FloatFunction function, float a) {
    isa::Fvector v = Instruction();
    v.function = function;
    return OfWord(Run(v, a));
  }

  FloatTester t_{4, 1};
};

constexpr std::uint32_t kNanWord = 0x7FC00000;
constexpr std::uint32_t kPlusZero = 0;
constexpr std::uint32_t kMinusZero = 0x80000000;
constexpr std::uint32_t kOne = 0x3F800000;

TEST_F(OneNumber, MapsOfStrangeNumbers) {
  const float subnormal = OfWord(0x80012345);
  EXPECT_EQ(Map(FloatMap::kCopy, OfWord(0xFFC12345)), kNanWord);
  EXPECT_EQ(Map(FloatMap::kCopy, subnormal), kMinusZero);
  EXPECT_EQ(Map(FloatMap::kCopy, -0.0F), kMinusZero);
  EXPECT_EQ(Map(FloatMap::kAdd, kInfinity, -kInfinity), kNanWord);
  EXPECT_EQ(Map(FloatMap::kAdd, 1.0F, OfWord(0x33800000)), kOne);  // A tie.
  EXPECT_EQ(Map(FloatMap::kAdd, 1.5F, -1.5F), kPlusZero);
  EXPECT_EQ(Map(FloatMap::kSubtract, 2.0F, 3.0F), ToWord(-1.0F));
  EXPECT_EQ(Map(FloatMap::kReverseSubtract, 2.0F, 3.0F), kOne);
  EXPECT_EQ(Map(FloatMap::kMultiply, kInfinity, -0.0F), kNanWord);
  EXPECT_EQ(Map(FloatMap::kMultiply, subnormal, 0x1p100F), kMinusZero);
  EXPECT_EQ(Map(FloatMap::kMultiply, -0x1p-70F, 0x1p-70F), kMinusZero);
  EXPECT_EQ(Map(FloatMap::kMaximum, -0.0F, 0.0F), kPlusZero);
  EXPECT_EQ(Map(FloatMap::kMinimum, 0.0F, -0.0F), kMinusZero);
  EXPECT_EQ(Map(FloatMap::kMaximum, kNan, 1.0F), kNanWord);
  EXPECT_EQ(Map(FloatMap::kMinimum, 1.0F, -kNan), kNanWord);
  EXPECT_EQ(Map(FloatMap::kFma, 3.0F, 4.0F, 2.0F), ToWord(10.0F));   // b + a * constant
  EXPECT_EQ(Map(FloatMap::kAddSquare, 3.0F, -4.0F), ToWord(19.0F));  // a + b * b
  EXPECT_EQ(Map(FloatMap::kAddSquare, -1 - 0x1p-11F, 1 + 0x1p-12F), ToWord(0x1p-24F));
  EXPECT_EQ(Map(FloatMap::kFma, 1 + 0x1p-12F, -1.0F, 1 + 0x1p-12F), ToWord(0x1p-11F + 0x1p-24F));
}

TEST_F(OneNumber, Comparisons) {
  const std::map<FloatMap, std::array<std::uint32_t, 3>> results = {
      {FloatMap::kGreater, {0, kOne, 0}},
      {FloatMap::kGreaterEqual, {0, kOne, kOne}},
      {FloatMap::kEqual, {0, 0, kOne}}};
  for (const auto& [map, expected] : results) {
    SCOPED_TRACE(static_cast<int>(map));
    EXPECT_EQ(Map(map, 1.0F, 2.0F), expected[0]);
    EXPECT_EQ(Map(map, -kInfinity, kInfinity), expected[0]);
    EXPECT_EQ(Map(map, 2.0F, 1.0F), expected[1]);
    EXPECT_EQ(Map(map, 2.0F, 2.0F), expected[2]);
    EXPECT_EQ(Map(map, 0.0F, -0.0F), expected[2]);
    EXPECT_EQ(Map(map, OfWord(0x00000001), OfWord(0x80000002)), expected[2]);
    EXPECT_EQ(Map(map, kNan, kNan), kPlusZero);
    EXPECT_EQ(Map(map, kNan, 0.0F), kPlusZero);
  }
}

TEST_F(OneNumber, SelectIsZeroOrNot) {
  EXPECT_EQ(Map(FloatMap::kSelect, 1.0F, 2.0F, 3.0F), ToWord(2.0F));
  EXPECT_EQ(Map(FloatMap::kSelect, kNan, 2.0F, 3.0F), ToWord(2.0F));
  EXPECT_EQ(Map(FloatMap::kSelect, -0.0F, kNan, 3.0F), ToWord(3.0F));
  EXPECT_EQ(Map(FloatMap::kSelect, OfWord(0x007FFFFF), 2.0F, -0.0F), kMinusZero);
}

TEST_F(OneNumber, OfAnEmptyWindow) {
  isa::Fvector v = Instruction();
  v.y_bound = 0;
  EXPECT_EQ(Run(v, 1.0F), kMinusZero);
  v.reduce = FloatReduce::kMaximum;
  EXPECT_EQ(Run(v, 1.0F), ToWord(-kInfinity));
  v.reduce = FloatReduce::kMinimum;
  EXPECT_EQ(Run(v, 1.0F), ToWord(kInfinity));
}

TEST_F(OneNumber, SumsAreTakenInOrderAndProductsFused) {
  isa::Fvector v = Instruction();
  v.n_kw = 2;
  v.a_kw = v.b_kw = 100;
  v.x_bound = 2;
  v.xs_kw = 1;
  v.map = FloatMap::kMultiply;
  // -1 * 1, then (1 + 2^-12)^2, which needs 25 bits.
  t_.Set(kFp32, 100, 0, ToWord(1 + 0x1p-12F));
  t_.Set(kFp32, 104, 0, ToWord(1 + 0x1p-12F));
  EXPECT_EQ(Run(v, -1.0F, 1.0F), ToWord(0x1p-11F + 0x1p-24F));
  v.n_kw = 3;
  v.x_bound = 3;
  v.map = FloatMap::kCopy;
  t_.Set(kFp32, 100, 0, ToWord(1.0F));
  t_.Set(kFp32, 200, 0, ToWord(1.0F));
  EXPECT_EQ(Run(v, 0x1p24F), ToWord(0x1p24F));
  t_.Set(kFp32, 200, 0, ToWord(0x1p24F));
  EXPECT_EQ(Run(v, 1.0F), ToWord(0x1p24F + 2));
}

// docs/isa.md, 10.4: with -0 as the constant, the two taps select of three operands.
TEST_F(OneNumber, TwoTapsSelectBetweenTwoOperandsExactly) {
  isa::Fvector v = Instruction();
  v.map = FloatMap::kSelect;
  v.constant = kMinusZero;
  v.n_kw = 2;
  v.x_bound = 2;
  v.xs_kw = 1;
  v.a_kw = v.b_kw = 100;
  for (const std::uint32_t word : {kPlusZero, kMinusZero, 0x7F7FFFFFU, kNanWord, 0xFF800000U}) {
    for (const bool first : {true, false}) {
      t_.Set(kFp32, 100, 0, first ? kPlusZero : kOne);
      t_.Set(kFp32, 104, 0, first ? kNanWord : word);
      EXPECT_EQ(Run(v, first ? 1.0F : 0.0F, first ? OfWord(word) : kNan), word);
    }
  }
}

TEST_F(OneNumber, IsScaledThenAFunctionThenClamped) {
  isa::Fvector v = Instruction();
  v.scale = 1;
  v.param_row = 2;
  t_.state().multiplier.Row(2)[0] = std::bit_cast<std::int32_t>(2.0F);
  t_.state().bias.Row(2)[0] = std::bit_cast<std::int32_t>(-10.0F);
  EXPECT_EQ(Run(v, 3.0F), ToWord(-4.0F));
  v.function = FloatFunction::kAbsolute;
  EXPECT_EQ(Run(v, 3.0F), ToWord(4.0F));
  v.hi = ToWord(3.0F);
  EXPECT_EQ(Run(v, 3.0F), ToWord(3.0F));
  v.function = FloatFunction::kNegate;
  v.lo = ToWord(5.0F);  // Above hi.
  EXPECT_EQ(Run(v, 3.0F), ToWord(3.0F));
  v.lo = ToWord(1.0F);
  EXPECT_EQ(Run(v, 6.0F), ToWord(1.0F));
  EXPECT_EQ(Run(v, kNan), kNanWord);
}

TEST_F(OneNumber, Conversions) {
  EXPECT_EQ(Convert(kInt8, 2.5F), 2U);
  EXPECT_EQ(Convert(kInt8, -3.5F), 0xFCU);
  EXPECT_EQ(Convert(kInt8, 127.5F), 127U);
  EXPECT_EQ(Convert(kInt8, -kInfinity), 0x80U);
  EXPECT_EQ(Convert(kInt8, kNan), 0U);
  EXPECT_EQ(Convert(kInt32, -1e10F), 0x80000000U);
  EXPECT_EQ(Convert(kInt32, 3e9F), 0x7FFFFFFFU);
  EXPECT_EQ(Convert(kInt32, 1.5F), 2U);
  EXPECT_EQ(Convert(kInt32, kNan), 0U);
  EXPECT_EQ(Convert(kBf16, OfWord(0x3F808000)), 0x3F80U);  // A tie, to even.
  EXPECT_EQ(Convert(kBf16, OfWord(0x3F818000)), 0x3F82U);
  EXPECT_EQ(Convert(kBf16, OfWord(0x3F808001)), 0x3F81U);
  EXPECT_EQ(Convert(kBf16, OfWord(0x7F7FFFFF)), 0x7F80U);
  EXPECT_EQ(Convert(kBf16, kNan), 0x7FC0U);
  isa::Fvector v = Instruction();
  v.a_format = kInt32;
  EXPECT_EQ(Run(v, OfWord(0x01000001)), ToWord(0x1p24F));
  v.a_format = kInt8;
  EXPECT_EQ(Run(v, OfWord(0x00000080)), ToWord(-128.0F));
  v.a_format = kBf16;
  EXPECT_EQ(Run(v, OfWord(0xC0490000)), 0xC0490000U);
}

struct HostFunction {
  FloatFunction function;
  double (*exact)(double);
  // Of -infinity, -0 and infinity.
  float minus_infinity, minus_zero, infinity;
};

TEST_F(OneNumber, FunctionsAreTheNamedOnes) {
  const HostFunction functions[] = {
      {FloatFunction::kExp, [](double x) { return std::exp(x); }, 0.0F, 1.0F, kInfinity},
      {FloatFunction::kLog, [](double x) { return std::log(x); }, kNan, -kInfinity, kInfinity},
      {FloatFunction::kReciprocal, [](double x) { return 1 / x; }, -0.0F, -kInfinity, 0.0F},
      {FloatFunction::kRsqrt, [](double x) { return 1 / std::sqrt(x); }, kNan, -kInfinity, 0.0F},
      {FloatFunction::kTanh, [](double x) { return std::tanh(x); }, -1.0F, -0.0F, 1.0F},
      {FloatFunction::kLogistic, [](double x) { return 1 / (1 + std::exp(-x)); }, 0.0F, 0.5F,
       1.0F}};
  for (const auto& [function, exact, minus_infinity, minus_zero, infinity] : functions) {
    SCOPED_TRACE(static_cast<int>(function));
    EXPECT_EQ(ToWord(Function(function, -kInfinity)), ToWord(minus_infinity));
    EXPECT_EQ(ToWord(Function(function, -0.0F)), ToWord(minus_zero));
    EXPECT_EQ(ToWord(Function(function, kInfinity)), ToWord(infinity));
    EXPECT_EQ(ToWord(Function(function, kNan)), kNanWord);
    for (const float x : {0.01F, 0.3F, 0.5F, 1.0F, 1.7F, 3.0F, 9.0F, 40.0F}) {
      const double expected = exact(double{x});
      EXPECT_NEAR(Function(function, x), expected, std::abs(expected) * 0x1p-22) << x;
    }
  }
}

TEST_F(OneNumber, AddsAnAccumulatorToANumberOfTheBuffer) {
  isa::Fvector v = Instruction();
  v.source = isa::VectorSource::kAccumulators;
  v.map = FloatMap::kFma;
  v.constant = ToWord(-0.5F);
  v.a_row = 3;
  t_.state().acc.Row(3)[0] = std::bit_cast<std::int32_t>(4.0F);
  EXPECT_EQ(Run(v, 0.0F, 10.0F), ToWord(8.0F));
  v.a_format = kInt32;
  t_.state().acc.Row(3)[0] = 4;
  EXPECT_EQ(Run(v, 0.0F, 10.0F), ToWord(8.0F));
}

TEST(FvectorErrors, NameTheMemoryInTheOrderOfUse) {
  FloatTester t(4, 5);
  const auto rows = static_cast<std::int32_t>(t.state().config.ub_rows);
  const auto fails = [&t](const isa::Fvector& v, isa::ErrorCode code) {
    t.Add(v).ExpectFails(code, isa::Unit::kVector, 0);
  };
  isa::Fvector v;
  v.y_bound = v.x_bound = 1;
  v.a_format = v.b_format = v.o_format = kFp32;
  v.a_row = rows - 4;
  t.Add(v).ExpectRuns();
  v.a_row = rows - 3;  // The last of four rows is missing.
  fails(v, isa::ErrorCode::kUbRange);
  v.map = FloatMap::kAdd;
  v.a_row = 0;
  v.b_row = rows - 3;
  fails(v, isa::ErrorCode::kUbRange);
  v.operand = isa::FloatOperand::kConstant;  // B is not read.
  t.Add(v).ExpectRuns();
  v.source = isa::VectorSource::kAccumulators;
  v.a_row = 64;
  v.param_row = 16;
  fails(v, isa::ErrorCode::kAccRange);
  v.a_row = 63;
  v.o_row = static_cast<std::uint32_t>(rows - 3);
  fails(v, isa::ErrorCode::kParamRange);
  v.param_row = 0;
  // What is there is written before the error.
  const std::size_t last = (static_cast<std::size_t>(rows) - 3) * 4;
  std::fill_n(t.state().ub.All().begin() + static_cast<std::ptrdiff_t>(last), 12, std::int8_t{1});
  fails(v, isa::ErrorCode::kUbRange);
  EXPECT_EQ(t.state().ub.All()[last], 0);
  EXPECT_EQ(t.state().ub.All()[last + 11], 0);
}

}  // namespace
}  // namespace tpu::golden
