// SPDX-License-Identifier: Apache-2.0
// IVECTOR against the loops of docs/isa.md, 11.3, written apart from the golden model, with
// TensorFlow Lite's formulas, and the two planes of MATMUL against products of int16.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "isa/element_format.h"
#include "machine_tester.h"
#include "tflite_rounding.h"

namespace tpu::golden {
namespace {

using isa::IntegerFormat;
using isa::IntegerMap;
using isa::IntegerOperand;
using isa::IntegerRequant;
using isa::VectorReduce;
using isa::VectorSource;
__extension__ using Wide = __int128;

constexpr isa::Formats kInt16 = {.bf16 = false, .int16 = true};

struct Tap {
  std::int64_t cb, oh, ow, kh, kw;
};

std::size_t BytesOf(IntegerFormat format) {
  return format == IntegerFormat::kInt8 ? 1 : format == IntegerFormat::kInt16 ? 2 : 4;
}

/// A number in two's complement with so many bits.
std::int64_t Low(Wide value, unsigned bits) {
  const Wide size = Wide{1} << bits;
  Wide low = value % size;
  if (low < 0) low += size;
  return static_cast<std::int64_t>(low >= size / 2 ? low - size : low);
}

std::int64_t InBuffer(State& state, IntegerFormat format, std::int64_t row, std::size_t lane) {
  const std::size_t size = BytesOf(format);
  std::uint64_t bits = 0;
  for (std::size_t b = size; b-- > 0;) {
    const std::size_t at = static_cast<std::size_t>(row) * state.config.n + size * lane + b;
    bits = bits << 8 | static_cast<std::uint8_t>(state.ub.All()[at]);
  }
  return Low(static_cast<Wide>(bits), static_cast<unsigned>(8 * size));
}

std::int64_t ReadA(const isa::Ivector& v, State& state, const Tap& at, std::size_t lane) {
  const std::int64_t row =
      v.a_row + at.cb * v.a_cb + at.oh * v.a_oh + at.ow * v.a_ow + at.kh * v.a_kh + at.kw * v.a_kw;
  if (v.source == VectorSource::kUnifiedBuffer) return InBuffer(state, v.a_format, row, lane);
  const std::int64_t word = state.acc.Row(row)[lane];
  if (v.a_format == IntegerFormat::kInt32) return word;
  return word * 256 + state.acc.Row(row + v.a_low)[lane];
}

/// Rounded once, ties up.
Wide Rounded(Wide product, int shift) { return (product + (Wide{1} << (shift - 1))) >> shift; }

/// A multiplication by multiplier / 2^31 and 2^-right, as `requant` says.
std::int64_t Multiplied(bool single, std::int32_t value, std::int32_t multiplier, int right) {
  return single ? tflite_rounding::MultiplySingle(value, multiplier, -right)
                : tflite_rounding::MultiplyDouble(value, multiplier, -right);
}

std::int64_t Mapped(const isa::Ivector& v, State& state, std::int64_t r, std::int64_t b) {
  const std::int64_t b16 = Low(b, 16);
  const auto scaled = [&] {
    return Multiplied(v.requant == IntegerRequant::kSingle, static_cast<std::int32_t>(b16 * 32768),
                      v.constant, static_cast<int>(v.pre_shift));
  };
  switch (v.map) {
    case IntegerMap::kCopy:
      return r;
    case IntegerMap::kAdd:
      return Low(Wide{r} + b, 48);
    case IntegerMap::kSubtract:
      return Low(Wide{r} - b, 48);
    case IntegerMap::kReverseSubtract:
      return Low(Wide{b} - r, 48);
    case IntegerMap::kMultiply:
      return Low(r, 32) * b16;
    case IntegerMap::kMaximum:
      return std::max(r, b);
    case IntegerMap::kMinimum:
      return std::min(r, b);
    case IntegerMap::kAddScaled:
      return Low(Wide{r} * 16384 + scaled(), 48);
    case IntegerMap::kSubtractScaled:
      return Low(Wide{r} * 16384 - scaled(), 48);
    case IntegerMap::kReverseSubtractScaled:
      return Low(Wide{scaled()} - Wide{r} * 16384, 48);
    case IntegerMap::kLook:
      break;
  }
  const auto entry = static_cast<std::size_t>(Low(Wide{r} - b, 8) & 255);
  Wide word = 0;
  for (std::int64_t t = 3; t >= 0; --t) {
    word = word * 256 + static_cast<std::uint8_t>(state.lut.Row(4 * v.lut + t)[entry]);
  }
  return Low(word, 32);
}

std::int64_t Requantised(const isa::Ivector& v, std::int64_t value, std::int32_t bias,
                         std::int32_t multiplier, int shift) {
  const auto sum = static_cast<std::int32_t>(Low(Wide{value} + bias, 32));
  switch (v.requant) {
    case IntegerRequant::kNone:
      return sum;
    case IntegerRequant::kDouble:
    case IntegerRequant::kProduct:
      return tflite_rounding::MultiplyDouble(sum, multiplier, shift);
    case IntegerRequant::kSingle:
      return Low(Rounded(Wide{sum} * multiplier, 31 - shift), 32);
    case IntegerRequant::kDivide: {
      const std::int64_t word = Low(value, 32);
      const std::int64_t size = Low(Wide{word < 0 ? -word : word} + bias, 32);
      const std::int64_t quotient = Low(Wide{size} * multiplier >> (31 - shift), 32);
      return Low(word < 0 ? -quotient : quotient, 32);
    }
    case IntegerRequant::kWide:
      break;
  }
  const Wide high = multiplier >> 16;
  const std::int64_t bias48 = Low(high * (Wide{1} << 32) + static_cast<std::uint32_t>(bias), 48);
  return Low(Rounded(Wide{Low(Wide{value} + bias48, 48)} * (multiplier & 0x7FFF), 15 - shift), 32);
}

/// One lane of an output row.
std::int64_t Lane(const isa::Ivector& v, State& state, Tap at, std::size_t lane) {
  const bool maximum = v.reduce == VectorReduce::kMaximum;
  std::int64_t r = maximum ? -(std::int64_t{1} << 47) : 0;
  std::int64_t b = 0;
  bool inside = false;
  for (at.kh = 0; at.kh < v.n_kh; ++at.kh)
    for (at.kw = 0; at.kw < v.n_kw; ++at.kw) {
      const std::int64_t y = v.y0 + at.oh * v.ys_oh + at.kh * v.ys_kh;
      const std::int64_t x = v.x0 + at.ow * v.xs_ow + at.kw * v.xs_kw;
      if (y < 0 || y >= v.y_bound || x < 0 || x >= v.x_bound) continue;
      inside = true;
      const std::int64_t a = ReadA(v, state, at, lane);
      r = maximum ? std::max(r, a) : Low(Wide{r} + a, 48);
      b = v.constant;
      if (v.operand == IntegerOperand::kConstant) continue;
      if (v.map == IntegerMap::kCopy && v.requant != IntegerRequant::kProduct) continue;
      b = InBuffer(state, v.b_format,
                   v.b_row + at.cb * v.b_cb + at.oh * v.b_oh + at.ow * v.b_ow + at.kh * v.b_kh +
                       at.kw * v.b_kw,
                   lane);
    }
  if (inside) r = Mapped(v, state, r, b);
  const std::int64_t entry = v.param_row + at.cb * v.param_stride;
  const std::size_t parameters = v.uniform == 1 ? 0 : lane;
  const std::int64_t q =
      Requantised(v, r, state.bias.Row(entry)[parameters],
                  v.requant == IntegerRequant::kProduct ? static_cast<std::int32_t>(b & 0x7FFFFFFF)
                                                        : state.multiplier.Row(entry)[parameters],
                  state.shift.Row(entry)[parameters]);
  const std::int64_t y = Low(Wide{q} + v.o_zero, 32);
  if (v.o_format == IntegerFormat::kInt32) return y;
  return std::min<std::int64_t>(std::max<std::int64_t>(y, v.lo), v.hi);
}

/// The buffer after the instruction, which does not read what it writes.
std::vector<std::int8_t> Expected(const isa::Ivector& v, State& state) {
  const std::size_t n = state.config.n;
  const std::size_t size = BytesOf(v.o_format);
  std::vector<std::int8_t> ub = Copy(state.ub.All());
  for (std::int64_t cb = 0; cb < v.n_cb; ++cb)
    for (std::int64_t oh = 0; oh < v.n_oh; ++oh)
      for (std::int64_t ow = 0; ow < v.n_ow; ++ow)
        for (std::size_t lane = 0; lane < n; ++lane) {
          const std::int64_t number = Lane(v, state, {cb, oh, ow, 0, 0}, lane);
          const auto row =
              static_cast<std::size_t>(v.o_row + cb * v.o_cb + oh * v.o_oh + ow * v.o_ow);
          for (std::size_t b = 0; b < size; ++b) {
            ub[row * n + lane * size + b] = static_cast<std::int8_t>(number >> (8 * b));
          }
        }
  return ub;
}

isa::Ivector RandomIvector(MachineTester& t) {
  const auto small = [&t] { return t.Random<std::uint32_t>(1, 3); };
  const auto step = [&t](std::int32_t most) { return t.Random<std::int32_t>(0, most); };
  const auto format = [&t] { return static_cast<IntegerFormat>(t.Random<int>(0, 2)); };
  isa::Ivector v;
  v.source = static_cast<VectorSource>(t.Random<int>(0, 1));
  const bool acc = v.source == VectorSource::kAccumulators;
  v.operand = static_cast<IntegerOperand>(t.Random<int>(0, 3) == 0 ? 1 : 0);
  v.a_format =
      acc ? (t.Random<int>(0, 2) == 0 ? IntegerFormat::kInt32 : IntegerFormat::kPair) : format();
  v.b_format = format();
  v.o_format = format();
  v.map = static_cast<IntegerMap>(t.Random<int>(0, 10));
  v.lut = t.Random<std::uint32_t>(0, 1);
  v.uniform = t.Random<std::uint32_t>(0, 1);
  v.reduce = static_cast<VectorReduce>(t.Random<int>(0, 1));
  v.requant = static_cast<IntegerRequant>(t.Random<int>(0, 5));
  v.o_zero = t.Random<std::int32_t>(-128, 127);
  v.n_cb = small();
  v.n_oh = small();
  v.n_ow = small();
  v.n_kh = small();
  v.n_kw = small();
  v.param_row = t.Random<std::uint32_t>(0, 5);
  v.param_stride = t.Random<std::uint32_t>(0, 4);
  v.a_row = step(acc ? 12 : 40);
  v.a_low = step(20);
  v.a_cb = step(acc ? 6 : 12);
  v.a_oh = step(3);
  v.a_ow = step(3);
  v.a_kh = step(2);
  v.a_kw = step(2);
  v.b_row = step(40);
  v.b_cb = step(12);
  v.b_oh = step(4);
  v.b_ow = step(4);
  v.b_kh = step(3);
  v.b_kw = step(3);
  v.o_row = 128;
  v.o_ow = static_cast<std::int32_t>(BytesOf(v.o_format));
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
  // A premultiplier is not negative.
  const bool scaled =
      v.map >= IntegerMap::kAddScaled && v.map <= IntegerMap::kReverseSubtractScaled;
  const bool constant = v.operand == IntegerOperand::kConstant && !scaled;
  v.constant = t.Random<std::int32_t>(constant ? -0x7FFFFFFF : 0, 0x7FFFFFFF);
  v.lo = t.Random<std::int32_t>(-32768, 0);
  v.hi = t.Random<std::int32_t>(-100, 32767);
  v.pre_shift = t.Random<std::uint32_t>(0, 31);
  return v;
}

TEST(Ivector, FollowsItsLoopNestForRandomFields) {
  std::map<IntegerMap, int> maps;
  std::map<IntegerRequant, int> requants;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    MachineTester t(seed % 2 == 0 ? 4 : 8, seed, kInt16);
    t.Fill(t.state().shift.All(), -31, 14);
    const isa::Ivector v = RandomIvector(t);
    // The lower half of the multiplier of wide has 15 bits, the upper half is any.
    if (v.requant == IntegerRequant::kWide) {
      t.Fill(t.state().multiplier.All(), std::numeric_limits<std::int32_t>::min(),
             std::numeric_limits<std::int32_t>::max());
    }
    const std::vector<std::int8_t> expected = Expected(v, t.state());
    t.Add(v).ExpectRuns();
    ASSERT_EQ(Copy(t.state().ub.All()), expected)
        << "map " << static_cast<int>(v.map) << " requant " << static_cast<int>(v.requant);
    ++maps[v.map];
    ++requants[v.requant];
  }
  EXPECT_EQ(maps.size(), 11U);
  EXPECT_EQ(requants.size(), 6U);
}

TEST(Ivector, WideIsTensorFlowLitesMultiplicationOfASum) {
  MachineTester t(4, 1, kInt16);
  isa::Ivector v;
  v.source = VectorSource::kAccumulators;
  v.a_format = IntegerFormat::kPair;
  v.a_low = 5;
  v.o_format = IntegerFormat::kInt32;
  v.o_row = 100;
  v.requant = IntegerRequant::kWide;
  v.y_bound = v.x_bound = 1;
  for (int round = 0; round < 500; ++round) {
    const auto multiplier = t.Random<std::int32_t>(1 << 30, 0x7FFFFFFF);
    const auto shift = t.Random<int>(-20, 6);
    const auto bias = t.Random<std::int64_t>(-(1LL << 40), 1LL << 40);
    t.state().bias.Row(0)[0] = static_cast<std::int32_t>(bias);
    t.state().multiplier.Row(0)[0] = static_cast<std::int32_t>(
        static_cast<std::uint32_t>(bias >> 32) << 16 |
        static_cast<std::uint32_t>(tflite_rounding::ReducedMultiplier(multiplier)));
    t.state().shift.Row(0)[0] = static_cast<std::int8_t>(shift);
    const auto high = t.Random<std::int32_t>(-(1 << 28), 1 << 28);
    const auto low = t.Random<std::int32_t>(-(1 << 28), 1 << 28);
    t.state().acc.Row(0)[0] = high;
    t.state().acc.Row(5)[0] = low;
    t.Add(v).ExpectRuns();
    ASSERT_EQ(
        InBuffer(t.state(), IntegerFormat::kInt32, 100, 0),
        tflite_rounding::MultiplyWide(std::int64_t{256} * high + low + bias, multiplier, shift));
  }
}

TEST(Ivector, AnEmptyWindowIsNotMapped) {
  MachineTester t(4, 2, kInt16);
  isa::Ivector v;
  v.map = IntegerMap::kAdd;
  v.operand = IntegerOperand::kConstant;
  v.constant = 7;
  v.requant = IntegerRequant::kNone;
  v.o_format = IntegerFormat::kInt32;
  v.o_row = 100;
  v.y_bound = 0;
  t.state().bias.Row(0)[0] = 0;
  t.Add(v).ExpectRuns();
  EXPECT_EQ(InBuffer(t.state(), IntegerFormat::kInt32, 100, 0), 0);
  v.y_bound = v.x_bound = 1;
  v.a_format = IntegerFormat::kInt16;
  const std::int64_t a = InBuffer(t.state(), IntegerFormat::kInt16, 0, 0);
  t.Add(v).ExpectRuns();
  EXPECT_EQ(InBuffer(t.state(), IntegerFormat::kInt32, 100, 0), a + 7);
}

TEST(Ivector, NamesPlacesThatDoNotExistInTheOrderOfUse) {
  const auto expect = [](isa::ErrorCode code, auto change) {
    MachineTester t(4, 3, kInt16);
    isa::Ivector v;
    v.source = VectorSource::kAccumulators;
    v.a_format = IntegerFormat::kPair;
    v.map = IntegerMap::kAdd;
    v.b_format = v.o_format = IntegerFormat::kInt16;
    v.y_bound = v.x_bound = 1;
    change(v);
    t.Add(v).ExpectFails(code, isa::Unit::kVector, 0);
  };
  using isa::ErrorCode;
  // The low row, then B, then the parameters, then the output's last row.
  const auto output = [](isa::Ivector& v) { v.o_row = 255; };
  const auto parameters = [&](isa::Ivector& v) { v.param_row = 16, output(v); };
  const auto b = [&](isa::Ivector& v) { v.b_row = 255, parameters(v); };
  expect(ErrorCode::kAccRange, [&](isa::Ivector& v) { v.a_low = 64, b(v); });
  expect(ErrorCode::kAccRange, [&](isa::Ivector& v) { v.a_low = -1, b(v); });
  expect(ErrorCode::kUbRange, b);
  expect(ErrorCode::kParamRange, parameters);
  expect(ErrorCode::kUbRange, output);
}

// ---- MATMUL ------------------------------------------------------------------------------

// x = 256 high + low + 128: both rows together, and 128 times the weights, are the products of
// int16.
TEST(MatmulPlanes, TogetherMultiplyInt16) {
  int ran = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const std::uint32_t n = seed % 2 == 0 ? 4 : 8;
    MachineTester t(n, seed, kInt16);
    isa::Matmul m;
    m.n_cb = t.Random<std::uint32_t>(1, 3);
    m.n_ow = t.Random<std::uint32_t>(1, 5);
    const std::int64_t image_rows = t.Random<std::int64_t>(1, 3);
    m.ub_addr = t.Random<std::int32_t>(-3, 60);
    m.s_cb = t.Random<std::int32_t>(-2, 20);
    m.s_ow = t.Random<std::int32_t>(0, 20);
    m.s_oh = t.Random<std::int32_t>(0, 20);
    m.ys_oh = t.Random<std::uint32_t>(0, 1);
    m.x0 = t.Random<std::int32_t>(-2, 3);
    m.xs_ow = 1;
    m.y_bound = 2;
    m.x_bound = t.Random<std::uint32_t>(4, 12);
    isa::Weights weights;
    weights.tiles = m.n_cb;
    std::vector<std::int64_t> expected(static_cast<std::size_t>(image_rows) * m.n_ow * n);
    bool legal = true;
    for (std::int64_t cb = 0; cb < m.n_cb; ++cb)
      for (std::int64_t row = 0; row < image_rows * m.n_ow; ++row)
        for (std::int64_t k = 0; k < n; ++k) {
          const std::int64_t oh = row / m.n_ow;
          const std::int64_t ow = row % m.n_ow;
          const std::int64_t x = m.x0 + ow + k;
          if (x < 0 || x >= m.x_bound || oh * m.ys_oh >= m.y_bound) continue;  // Zero.
          const std::int64_t number = m.ub_addr + cb * m.s_cb + oh * m.s_oh + ow * m.s_ow + k;
          legal = legal && number >= 0;
          if (!legal) continue;
          const std::int64_t value =
              InBuffer(t.state(), IntegerFormat::kInt16, 0, static_cast<std::size_t>(number));
          for (std::uint32_t lane = 0; lane < n; ++lane) {
            const auto at = static_cast<std::size_t>((cb * n + k) * n + lane);
            expected[static_cast<std::size_t>(row) * n + lane] +=
                value * static_cast<std::int8_t>(t.memory()[at]);
          }
        }
    m.planes = 1;
    m.n_oh = 2 * static_cast<std::uint32_t>(image_rows);
    t.Add(weights).Add(m);
    const RunResult result = t.Run();
    ASSERT_EQ(result.error == isa::ErrorCode::kNone, legal) << result.message;
    if (!legal) continue;
    ++ran;
    for (std::int64_t row = 0; row < image_rows * m.n_ow; ++row)
      for (std::size_t lane = 0; lane < n; ++lane) {
        const std::int64_t high = row / m.n_ow * 2 * m.n_ow + row % m.n_ow;
        std::int64_t weight_sum = 0;
        for (std::size_t k = 0; k < m.n_cb * n; ++k) {
          weight_sum += static_cast<std::int8_t>(t.memory()[k * n + lane]);
        }
        const std::int64_t sum = std::int64_t{256} * t.state().acc.Row(high)[lane] +
                                 t.state().acc.Row(high + m.n_ow)[lane] + 128 * weight_sum;
        ASSERT_EQ(sum, expected[static_cast<std::size_t>(row) * n + lane]);
      }
  }
  EXPECT_GT(ran, 60);
}

}  // namespace
}  // namespace tpu::golden
