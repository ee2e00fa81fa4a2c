// SPDX-License-Identifier: Apache-2.0
// The vector unit against the model: random instructions under random stalls, errors, halt.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <limits>

#include "Vtpu_vector_n16.h"
#include "Vtpu_vector_n4.h"
#include "Vtpu_vector_n4_small.h"
#include "Vtpu_vector_n8.h"
#include "Vtpu_vector_n8_shared.h"
#include "Vtpu_vector_wide.h"
#include "vector_bench.h"

namespace tpu::vector_test {

// Fields of VECTOR only; the other instructions' expand to nothing.
#define TPU_FIELD_kLoad(...)
#define TPU_FIELD_kStore(...)
#define TPU_FIELD_kWeights(...)
#define TPU_FIELD_kUbWeights(...)
#define TPU_FIELD_kMatmul(...)
#define TPU_FIELD_kFvector(...)
#define TPU_FIELD_kAdam(...)
#define TPU_FIELD_kIvector(...)
#define TPU_FIELD_kVector(name, word, lsb, width)                   \
  bits[word] |= (static_cast<std::uint32_t>(instruction.name) &     \
                 ((width) == 32 ? ~0U : (1U << ((width)&31)) - 1U)) \
                << (lsb);
std::array<std::uint32_t, 32> Encode(const isa::Vector& instruction) {
  std::array<std::uint32_t, 32> bits{};
  bits[0] = static_cast<std::uint32_t>(isa::Opcode::kVector);
#define TPU_FIELD(op, name, word, lsb, width, type, min, max, doc) \
  TPU_FIELD_##op(name, word, lsb, width)
#include "isa/tpu_isa.def"
  return bits;
}

namespace {

using isa::ErrorCode;
using isa::VectorMap;
using isa::VectorReduce;
using isa::VectorRequant;
using isa::VectorSource;

using BenchN4 = Bench<Vtpu_vector_n4, 4>;
using BenchN8 = Bench<Vtpu_vector_n8, 8>;
using BenchN16 = Bench<Vtpu_vector_n16, 16>;
using BenchSmall = Bench<Vtpu_vector_n4_small, 4, false, 4>;
using BenchShared = Bench<Vtpu_vector_n8_shared, 8, true, 2>;

// Sources lie in the lower half of the buffer and outputs in the upper half, so that instructions
// do not depend on each other.
constexpr std::int64_t kOutBase = kUbRows / 2;

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : rng_(seed) {}

  isa::Vector Next() {
    isa::Vector v;
    v.source = Pick(3) == 0 ? VectorSource::kAccumulators : VectorSource::kUnifiedBuffer;
    v.map = v.source == VectorSource::kAccumulators ? VectorMap::kCopy
                                                    : static_cast<VectorMap>(Pick(7));
    v.reduce = static_cast<VectorReduce>(Pick(2));
    v.requant = static_cast<VectorRequant>(Pick(4));
    v.float_rounding = Pick(4) == 0 ? 1 : 0;
    v.lut_enable = Pick(3) == 0 ? 1 : 0;
    v.lut = Pick(8);
    Window(v);
    v.param_row = Pick(8);
    v.param_stride = Pick(4);
    v.a_zero = Byte();
    v.b_zero = Byte();
    v.o_zero = Byte();
    v.lo = Pick(2) == 0 ? -128 : Byte();
    v.hi = Pick(2) == 0 ? 127 : Byte();
    v.pre_shift = Pick(32);
    v.pre_mult = Pick(8) == 0 ? std::numeric_limits<std::int32_t>::max()
                              : static_cast<std::int32_t>(rng_() & 0x7FFFFFFF);
    Addresses(v);
    return v;
  }

  // Mostly such as go by column, the others one field away from it.
  isa::Vector NextWindow() {
    isa::Vector v = Next();
    v.source = VectorSource::kUnifiedBuffer;
    v.map = Pick(3) == 0 ? VectorMap::kCopy : VectorMap::kMultiply;
    if (v.map == VectorMap::kMultiply) v.reduce = VectorReduce::kSum;
    v.n_oh = 1 + Pick(5);
    v.n_ow = 1 + Pick(9);
    v.n_kh = v.n_kw = 3;
    v.b_zero = 0;
    Addresses(v);
    const std::int32_t apart = Between(1, 2);
    v.a_kw = Between(-4, 4);
    v.a_ow = apart * v.a_kw;
    v.xs_ow = static_cast<std::uint32_t>(apart) * v.xs_kw;
    v.b_cb = 9;
    v.b_oh = v.b_ow = 0;
    v.b_kh = 3;
    v.b_kw = 1;
    if (Pick(3) == 0) Spoil(v);
    PlaceSources(v);
    // Weights up to the end of the buffer; only the generator of errors goes beyond.
    if (v.map == VectorMap::kMultiply && v.b_cb == 9 && Pick(8) == 0) {
      v.b_row = static_cast<std::int32_t>(kUbRows - 9 * v.n_cb);
      v.b_kh = 3, v.b_kw = 1, v.b_oh = v.b_ow = 0;
    }
    return v;
  }

 private:
  void Spoil(isa::Vector& v) {
    const std::array<std::function<void()>, 14> changes = {
        [&] { v.n_kh = 2 + 2 * Pick(2); },
        [&] { v.n_kw = 2 + 2 * Pick(2); },
        [&] { v.a_ow += 1 - 2 * Between(0, 1); },
        [&] { v.a_ow = 3 * v.a_kw; },
        [&] { ++v.xs_ow; },
        [&] { v.xs_ow = 3 * v.xs_kw; },
        [&] { v.map = static_cast<VectorMap>(Pick(7)); },
        [&] { v.reduce = static_cast<VectorReduce>(1 - static_cast<int>(v.reduce)); },
        [&] { v.b_zero = 1; },
        [&] { v.b_cb = Between(8, 10); },
        [&] { v.b_kh = 2; },
        [&] { v.b_kw = 2; },
        [&] { v.b_oh = 1; },
        [&] { v.b_ow = -1; },
    };
    changes[Pick(changes.size())]();
  }

  std::uint32_t Pick(std::uint32_t n) { return static_cast<std::uint32_t>(rng_() % n); }
  std::int32_t Between(std::int32_t lo, std::int32_t hi) {
    return lo + static_cast<std::int32_t>(Pick(static_cast<std::uint32_t>(hi - lo + 1)));
  }
  std::int32_t Byte() { return Between(-128, 127); }

  void Window(isa::Vector& v) {
    v.n_cb = 1 + Pick(3);
    v.n_oh = 1 + Pick(4);
    v.n_ow = 1 + Pick(6);
    if (Pick(2) == 0) {
      v.n_kh = 1 + Pick(3);
      v.n_kw = 1 + Pick(3);
    }
    v.y0 = Between(-2, 1);
    v.x0 = Between(-2, 1);
    v.y_bound = Pick(4) == 0 ? 0xFFFF : Pick(7);
    v.x_bound = Pick(4) == 0 ? 0xFFFF : Pick(9);
    v.ys_oh = Pick(3);
    v.ys_kh = Pick(3);
    v.xs_ow = Pick(3);
    v.xs_kw = Pick(3);
  }

  void Addresses(isa::Vector& v) {
    for (auto* stride :
         {&v.a_cb, &v.a_oh, &v.a_ow, &v.a_kh, &v.a_kw, &v.b_cb, &v.b_oh, &v.b_ow, &v.b_kh, &v.b_kw})
      *stride = Between(-9, 9);
    for (auto* stride : {&v.o_cb, &v.o_oh, &v.o_ow}) *stride = Between(-20, 20);
    PlaceSources(v);
    v.o_row = static_cast<std::uint32_t>(
        kOutBase + Base({{v.n_cb, v.o_cb}, {v.n_oh, v.o_oh}, {v.n_ow, v.o_ow}}, kOutBase));
  }

  // Smallest and largest offset of any tap decide where the first one may lie.
  void PlaceSources(isa::Vector& v) {
    v.a_row = Base(
        {{v.n_cb, v.a_cb}, {v.n_oh, v.a_oh}, {v.n_ow, v.a_ow}, {v.n_kh, v.a_kh}, {v.n_kw, v.a_kw}},
        v.source == VectorSource::kAccumulators ? std::int64_t{kAccRows} : kOutBase);
    v.b_row = Base(
        {{v.n_cb, v.b_cb}, {v.n_oh, v.b_oh}, {v.n_ow, v.b_ow}, {v.n_kh, v.b_kh}, {v.n_kw, v.b_kw}},
        kOutBase);
  }

  std::int32_t Base(std::initializer_list<std::pair<std::uint32_t, std::int32_t>> loops,
                    std::int64_t rows) {
    std::int64_t low = 0;
    std::int64_t high = 0;
    for (const auto& [count, stride] : loops) {
      const std::int64_t reach = (std::int64_t{count} - 1) * stride;
      (reach < 0 ? low : high) += reach;
    }
    return Between(static_cast<std::int32_t>(-low), static_cast<std::int32_t>(rows - 1 - high));
  }

  std::mt19937_64 rng_;
};

template <typename BenchT>
class VectorUnit : public ::testing::Test {};
using Sizes = ::testing::Types<BenchN4, BenchN8, BenchN16, BenchSmall, BenchShared>;
TYPED_TEST_SUITE(VectorUnit, Sizes);

// Runs all instructions in one go and compares every access with the model.
template <typename BenchT>
void ExpectLikeModel(BenchT& bench, const std::vector<isa::Vector>& instructions) {
  Effects expected;
  std::vector<std::size_t> writes_at_done;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const Effects effects = Execute(instructions[i], bench.memories(), BenchT::kWindow);
    ASSERT_EQ(effects.error, ErrorCode::kNone);
    expected.a_reads.insert(expected.a_reads.end(), effects.a_reads.begin(), effects.a_reads.end());
    expected.b_reads.insert(expected.b_reads.end(), effects.b_reads.begin(), effects.b_reads.end());
    expected.c_reads.insert(expected.c_reads.end(), effects.c_reads.begin(), effects.c_reads.end());
    expected.writes.insert(expected.writes.end(), effects.writes.begin(), effects.writes.end());
    expected.steps += effects.steps;
    writes_at_done.push_back(expected.writes.size());
    bench.Queue(instructions[i], static_cast<std::uint32_t>(i));
  }
  bench.Run(instructions.size());
  const Log& log = bench.log();
  ASSERT_EQ(bench.dut()->err_valid, 0);
  EXPECT_EQ(log.a_reads, expected.a_reads);
  EXPECT_EQ(log.b_reads, expected.b_reads);
  EXPECT_EQ(log.c_reads, expected.c_reads);
  ASSERT_EQ(log.writes.size(), expected.writes.size());
  for (std::size_t i = 0; i < log.writes.size(); ++i) {
    ASSERT_EQ(log.writes[i].row, expected.writes[i].row) << "write " << i;
    ASSERT_EQ(log.writes[i].bytes, expected.writes[i].bytes) << "write " << i;
  }
  EXPECT_EQ(log.active, expected.steps);
  // `done` comes in the cycle after the last write; a write of the next instruction may share that
  // cycle, after the log's entry.
  EXPECT_EQ(log.writes_at_done, writes_at_done);
  for (int i = 0; i < 3; ++i) bench.Cycle();
  EXPECT_EQ(bench.dut()->busy, 0);
  EXPECT_EQ(log.done_cycles.size(), instructions.size());
}

TYPED_TEST(VectorUnit, RandomInstructionsMatchTheModel) {
  const std::array<Rates, 6> rates = {{{},
                                       {.command = 0.1},
                                       {.a = 0.5, .b = 0.5, .acc = 0.5},
                                       {.b = 0.2},
                                       {.a = 0.3, .acc = 0.3},
                                       {.acc = 0.15}}};
  for (std::uint64_t seed = 1; seed <= rates.size(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    TypeParam bench(seed);
    bench.FillMemories();
    bench.set_rates(rates[seed - 1]);
    Generator generator(100 + seed);
    std::vector<isa::Vector> instructions(300);
    std::generate(instructions.begin(), instructions.end(), [&] { return generator.Next(); });
    ExpectLikeModel(bench, instructions);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(VectorUnit, RandomWindowsMatchTheModel) {
  const std::array<Rates, 7> rates = {{{},
                                       {.command = 0.1},
                                       {.a = 0.5, .b = 0.5, .c = 0.5},
                                       {.b = 0.2},
                                       {.c = 0.2},
                                       {.a = 0.3},
                                       {.a = 0.15}}};
  for (std::uint64_t seed = 1; seed <= rates.size(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    TypeParam bench(seed);
    bench.FillMemories();
    bench.set_rates(rates[seed - 1]);
    bench.set_banked(seed % 2 == 0);
    Generator generator(200 + seed);
    std::vector<isa::Vector> instructions(150);
    std::generate(instructions.begin(), instructions.end(), [&] { return generator.NextWindow(); });
    // Other instructions in between: the ways through the lanes must not overtake each other.
    for (std::size_t i = 0; i < instructions.size(); i += 5) instructions[i] = generator.Next();
    const auto by_column =
        std::count_if(instructions.begin(), instructions.end(),
                      [](const isa::Vector& v) { return GoesByColumn(v, kUbRows); });
    EXPECT_GT(by_column, 60);
    EXPECT_LT(by_column, 120);
    ExpectLikeModel(bench, instructions);
    if (this->HasFatalFailure()) return;
  }
}

// A one-tap instruction is the shortest there is: configuration banks change as often as they can.
TYPED_TEST(VectorUnit, ShortInstructionsKeepTheirConfigurations) {
  constexpr std::uint64_t kSeed = 21;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  TypeParam bench(kSeed);
  bench.FillMemories();
  Generator generator(kSeed);
  std::vector<isa::Vector> instructions(80);
  for (auto& v : instructions) {
    v = generator.Next();
    v.n_cb = v.n_oh = v.n_kh = v.n_kw = 1;
    v.n_ow = 1 + v.n_ow % 2;
    v.a_row = v.b_row = 20;
    v.o_row = kOutBase + 30;
  }
  ExpectLikeModel(bench, instructions);
}

// Every pre_shift with every rounding. A equals its zero point, so that P(b) alone, a small number,
// reaches the output unscaled.
TYPED_TEST(VectorUnit, PremultiplierRoundsLikeTheModel) {
  constexpr std::uint64_t kSeed = 23;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  TypeParam bench(kSeed);
  bench.FillMemories();
  for (std::size_t i = 0; i < TypeParam::kLanes; ++i) {
    bench.memories().ub[0][i] = 7;
    bench.memories().params[0].bias[i] = 0;
    bench.memories().params[0].multiplier[i] = 1 << 30;
    bench.memories().params[0].shift[i] = 1;
  }
  bench.LoadTables();
  std::mt19937_64 rng(kSeed);
  std::vector<isa::Vector> instructions;
  for (std::uint32_t shift = 0; shift < 32; ++shift) {
    for (const VectorRequant requant :
         {VectorRequant::kNone, VectorRequant::kDouble, VectorRequant::kSingle}) {
      for (const VectorMap map :
           {VectorMap::kAdd, VectorMap::kSubtract, VectorMap::kReverseSubtract}) {
        isa::Vector v;
        v.map = map;
        v.requant = requant;
        v.n_ow = 16;
        v.b_row = 1;
        v.b_ow = 1;
        v.o_row = kOutBase;
        v.o_ow = 1;
        v.y_bound = v.x_bound = 0xFFFF;
        v.a_zero = 7;
        v.b_zero = -3;
        v.lo = -128;
        v.hi = 127;
        v.pre_shift = shift;
        // b * pre_mult / 2^(11 + shift) is about b, or as large as it can get; odd and even
        // multipliers give ties.
        v.pre_mult = static_cast<std::int32_t>(
            std::min<std::uint64_t>((rng() % 4 + 1) << (9 + shift), 0x7FFFFFFF));
        instructions.push_back(v);
      }
    }
  }
  ExpectLikeModel(bench, instructions);
}

// The ten lowest bits of a product are all ones: less than half a unit more would carry.
TYPED_TEST(VectorUnit, PremultiplierTakesNothingForMoreThanItIs) {
  TypeParam bench(24);
  bench.FillMemories();
  std::ranges::fill(bench.memories().ub[0], std::int8_t{7});
  std::ranges::fill(bench.memories().ub[1], std::int8_t{0});
  std::vector<isa::Vector> instructions;
  for (const VectorMap map : {VectorMap::kAdd, VectorMap::kSubtract, VectorMap::kReverseSubtract}) {
    for (std::uint32_t shift = 1; shift < 5; ++shift) {
      for (const std::int32_t b : {1, 3, 9, -1}) {
        for (std::int32_t multiplier = 1023; multiplier < 1 << 15; multiplier += 1024) {
          if (multiplier % b != 0) continue;
          isa::Vector v;
          v.map = map;
          v.requant = VectorRequant::kNone;
          v.b_row = 1;
          v.o_row = kOutBase;
          v.y_bound = v.x_bound = 0xFFFF;
          v.a_zero = 7;
          v.b_zero = -b;
          v.lo = -128;
          v.hi = 127;
          v.pre_shift = shift;
          v.pre_mult = multiplier / std::abs(b);
          instructions.push_back(v);
        }
      }
    }
  }
  ExpectLikeModel(bench, instructions);
}

TYPED_TEST(VectorUnit, WindowsWithoutAnyTapInsideStillWrite) {
  TypeParam bench(5);
  bench.FillMemories();
  isa::Vector v;
  v.source = VectorSource::kUnifiedBuffer;
  v.map = VectorMap::kMultiply;
  v.n_ow = 7;
  v.n_kw = 3;
  v.a_row = -5;  // never read
  v.b_row = -5;
  v.o_row = kOutBase;
  v.o_ow = 1;
  v.lo = -128;
  v.hi = 127;
  isa::Vector max = v;
  max.reduce = VectorReduce::kMaximum;
  ExpectLikeModel(bench, {v, max, v});
}

// ---- Errors
// --------------------------------------------------------------------------------------

isa::Vector Plain(VectorSource source, VectorMap map) {
  isa::Vector v;
  v.source = source;
  v.map = map;
  v.n_ow = 12;
  v.a_row = 3;
  v.b_row = 40;
  v.o_row = kOutBase;
  v.a_ow = v.b_ow = v.o_ow = 1;
  v.y_bound = v.x_bound = 0xFFFF;
  v.lo = -128;
  v.hi = 127;
  return v;
}

// The same with 3 x 3 windows, without padding, by column.
isa::Vector PlainWindows(VectorMap map) {
  isa::Vector v = Plain(VectorSource::kUnifiedBuffer, map);
  v.n_kh = v.n_kw = 3;
  v.xs_ow = v.xs_kw = v.ys_kh = 1;
  v.a_kw = 1;
  v.a_kh = 20;
  v.b_ow = 0;
  v.b_cb = 9;
  v.b_kh = 3;
  v.b_kw = 1;
  return v;
}

struct ErrorCase {
  const char* name;
  VectorSource source;
  VectorMap map;
  std::function<void(isa::Vector&)> change;
  ErrorCode code;
};

std::vector<ErrorCase> ErrorCases() {
  constexpr auto kUb = VectorSource::kUnifiedBuffer;
  constexpr auto kAcc = VectorSource::kAccumulators;
  constexpr auto kCopy = VectorMap::kCopy;
  constexpr auto kAdd = VectorMap::kAdd;
  return {
      {"A beyond the end", kUb, kCopy, [](auto& v) { v.a_row = kUbRows - 5; }, ErrorCode::kUbRange},
      {"A before the start", kUb, kCopy, [](auto& v) { v.a_row = 4, v.a_ow = -1; },
       ErrorCode::kUbRange},
      {"A wraps nowhere", kUb, kAdd, [](auto& v) { v.a_ow = 30000, v.n_ow = 40; },
       ErrorCode::kUbRange},
      {"ACC beyond the end", kAcc, kCopy, [](auto& v) { v.a_row = kAccRows - 6; },
       ErrorCode::kAccRange},
      {"ACC first row", kAcc, kCopy, [](auto& v) { v.a_row = -1; }, ErrorCode::kAccRange},
      {"B beyond the end", kUb, kAdd, [](auto& v) { v.b_row = kUbRows - 7; }, ErrorCode::kUbRange},
      {"B first row", kUb, kAdd, [](auto& v) { v.b_row = -1; }, ErrorCode::kUbRange},
      {"parameter entry", kAcc, kCopy, [](auto& v) { v.param_row = kParamRows; },
       ErrorCode::kParamRange},
      {"parameter stride", kUb, kCopy,
       [](auto& v) {
         v.n_cb = 3, v.n_ow = 4, v.a_cb = 4, v.o_cb = 4, v.param_row = 8, v.param_stride = 7;
       },
       ErrorCode::kParamRange},
      {"output beyond the end", kUb, kAdd, [](auto& v) { v.o_row = kUbRows - 2; },
       ErrorCode::kUbRange},
      {"output before the start", kAcc, kCopy, [](auto& v) { v.o_ow = -600; }, ErrorCode::kUbRange},
      {"A before parameter", kAcc, kCopy, [](auto& v) { v.a_row = -1, v.param_row = 99; },
       ErrorCode::kAccRange},
      {"B before parameter", kUb, kAdd, [](auto& v) { v.b_row = -1, v.param_row = 99; },
       ErrorCode::kUbRange},
      {"parameter before output", kUb, kAdd, [](auto& v) { v.param_row = 99, v.o_row = 5000; },
       ErrorCode::kParamRange},
  };
}

template <typename T>
bool IsPrefix(const std::vector<T>& prefix, const std::vector<T>& all) {
  return prefix.size() <= all.size() && std::equal(prefix.begin(), prefix.end(), all.begin());
}

// Reported and checked like those above; each error must come from where the name says.
std::vector<ErrorCase> WindowErrorCases() {
  constexpr auto kUb = VectorSource::kUnifiedBuffer;
  constexpr auto kCopy = VectorMap::kCopy;
  constexpr auto kMul = VectorMap::kMultiply;
  return {
      {"upper row before the start", kUb, kMul, [](auto& v) { v.a_row = -2; }, ErrorCode::kUbRange},
      {"upper row of a later column", kUb, kMul, [](auto& v) { v.a_row = 7, v.a_ow = v.a_kw = -1; },
       ErrorCode::kUbRange},
      {"middle row beyond the end", kUb, kCopy,
       [](auto& v) { v.a_row = kUbRows - 25, v.y0 = -1, v.y_bound = 1; }, ErrorCode::kUbRange},
      {"lower row beyond the end", kUb, kMul, [](auto& v) { v.a_row = kUbRows - 50; },
       ErrorCode::kUbRange},
      {"lower row in another channel block", kUb, kMul,
       [](auto& v) { v.n_cb = 3, v.a_cb = (kUbRows - 50) / 2; }, ErrorCode::kUbRange},
      {"weights beyond the end", kUb, kMul, [](auto& v) { v.b_row = kUbRows - 8; },
       ErrorCode::kUbRange},
      {"weights before the start", kUb, kMul, [](auto& v) { v.b_row = -1; }, ErrorCode::kUbRange},
      {"parameter entry", kUb, kMul, [](auto& v) { v.param_row = kParamRows; },
       ErrorCode::kParamRange},
      {"parameter stride", kUb, kCopy, [](auto& v) { v.n_cb = 2, v.param_stride = kParamRows; },
       ErrorCode::kParamRange},
      {"first column before parameter", kUb, kMul,
       [](auto& v) { v.a_row = kUbRows - 42, v.param_row = 99; }, ErrorCode::kUbRange},
      {"parameter before fourth column", kUb, kMul,
       [](auto& v) { v.a_row = kUbRows - 43, v.param_row = 99; }, ErrorCode::kParamRange},
      {"fifth column before the output", kUb, kMul,
       [](auto& v) { v.a_row = kUbRows - 44, v.o_ow = 100, v.o_row = kUbRows - 201; },
       ErrorCode::kUbRange},
      {"output beyond the end", kUb, kMul, [](auto& v) { v.o_row = kUbRows - 2; },
       ErrorCode::kUbRange},
      {"parameter before output", kUb, kCopy, [](auto& v) { v.param_row = 99, v.o_row = 5000; },
       ErrorCode::kParamRange},
  };
}

TYPED_TEST(VectorUnit, ErrorsNameTheInstructionAndStopTheUnit) {
  TypeParam bench(31);
  bench.FillMemories();
  const std::vector<ErrorCase> single = ErrorCases();
  // Tap by tap windows meet their errors in another order.
  std::vector<ErrorCase> errors;
  if (TypeParam::kWindow) errors = WindowErrorCases();
  const std::size_t windows = errors.size();
  std::mt19937 rng(31);
  errors.insert(errors.end(), single.begin(), single.end());
  for (std::size_t e = 0; e < errors.size(); ++e) {
    const ErrorCase& error = errors[e];
    for (const double rate : {1.0, 0.4}) {
      SCOPED_TRACE(fmt::format("{}, rate {}", error.name, rate));
      bench.ResetNow();
      bench.set_rates({.a = rate, .b = rate, .c = rate, .acc = rate});
      const isa::Vector before = Plain(VectorSource::kUnifiedBuffer, VectorMap::kMultiply);
      isa::Vector bad = e < windows ? PlainWindows(error.map) : Plain(error.source, error.map);
      error.change(bad);
      const auto index = static_cast<std::uint32_t>(rng());
      bench.Queue(before, index - 1);
      bench.Queue(bad, index);
      bench.Queue(before, index + 1);
      bench.Run(3, 2000);
      ASSERT_EQ(bench.dut()->err_valid, 1);
      EXPECT_EQ(bench.dut()->err_code, static_cast<int>(error.code));
      EXPECT_EQ(bench.dut()->err_index, index);

      Effects expected = Execute(before, bench.memories(), TypeParam::kWindow);
      const Effects effects = Execute(bad, bench.memories(), TypeParam::kWindow);
      ASSERT_EQ(effects.error, error.code);
      for (int i = 0; i < 100; ++i) bench.Cycle();
      EXPECT_EQ(bench.dut()->err_valid, 1);
      EXPECT_EQ(bench.dut()->err_index, index);
      for (const std::uint32_t row : effects.a_reads) expected.a_reads.push_back(row);
      for (const std::uint32_t row : effects.b_reads) expected.b_reads.push_back(row);
      for (const Write& write : effects.writes) expected.writes.push_back(write);
      // The bad tap's own A row may have been read when B, the parameter or the output is at fault,
      // never a later one; B runs ahead.
      EXPECT_TRUE(IsPrefix(bench.log().a_reads, expected.a_reads));
      EXPECT_TRUE(IsPrefix(bench.log().writes, expected.writes));
      for (const std::uint32_t row : bench.log().b_reads) EXPECT_LT(row, kUbRows);
      for (const std::uint32_t row : bench.log().c_reads) EXPECT_LT(row, kUbRows);
      EXPECT_LE(bench.log().done_cycles.size(), 1U);
    }
  }
}

TYPED_TEST(VectorUnit, HaltStopsIssueAndResetMakesReady) {
  TypeParam bench(41);
  bench.FillMemories();
  for (isa::Vector v :
       {Plain(VectorSource::kUnifiedBuffer, VectorMap::kAdd), PlainWindows(VectorMap::kMultiply)}) {
    v.n_ow = 100;
    bench.Queue(v, 0);
    for (int i = 0; i < 40; ++i) bench.Cycle();
    bench.dut()->halt = 1;
    // The halt holds from the next cycle on.
    bench.Cycle();
    const std::size_t a_reads = bench.log().a_reads.size();
    const std::size_t b_reads = bench.log().b_reads.size();
    const std::size_t c_reads = bench.log().c_reads.size();
    EXPECT_GT(a_reads, 20U / TypeParam::kRequantLanes);
    EXPECT_LT(a_reads, 100U);
    for (int i = 0; i < 60; ++i) bench.Cycle();
    EXPECT_EQ(bench.log().a_reads.size(), a_reads);
    EXPECT_EQ(bench.log().b_reads.size(), b_reads);
    EXPECT_EQ(bench.log().c_reads.size(), c_reads);
    EXPECT_EQ(bench.dut()->cmd_ready, 0);
    EXPECT_EQ(bench.dut()->err_valid, 0);
    bench.ResetNow();
    ExpectLikeModel(bench, {v, v});
    bench.log() = {};
  }
}

// Also where the instruction in the slot waits for a bank of configuration, and between
// instructions.
TYPED_TEST(VectorUnit, AHaltInAnyCycleStopsEverything) {
  constexpr std::uint64_t kSeed = 42;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  TypeParam bench(kSeed);
  bench.FillMemories();
  isa::Vector v = Plain(VectorSource::kUnifiedBuffer, VectorMap::kCopy);
  v.n_ow = 1;
  for (int cycles = 1; cycles < 60; ++cycles) {
    SCOPED_TRACE(fmt::format("halt after {} cycles", cycles));
    for (int i = 0; i < 8; ++i) bench.Queue(v, 0);
    for (int i = 0; i < cycles; ++i) bench.Cycle();
    bench.dut()->halt = 1;
    for (int i = 0; i < 40; ++i) bench.Cycle();
    bench.ResetNow();
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(VectorUnit, EventsSayWhatEachCycleIsSpentOn) {
  for (std::uint64_t seed = 61; seed < 64; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    TypeParam bench(seed);
    bench.FillMemories();
    bench.set_rates(seed % 2 == 0 ? Rates{} : Rates{.command = 0.3, .a = 0.7, .b = 0.6, .c = 0.3});
    Generator generator(seed);
    std::vector<std::uint64_t> steps;
    for (int i = 0; i < 80; ++i) {
      isa::Vector v = i % 4 == 0 ? generator.NextWindow() : generator.Next();
      if (i % 3 != 0) v.n_cb = v.n_oh = v.n_ow = 1;
      steps.push_back(Execute(v, bench.memories(), TypeParam::kWindow).steps);
      bench.Queue(v, 0);
    }
    bench.ExpectAnEventInEachCycle(steps, 4);
    if (this->HasFailure()) return;
  }
}

// Whether windows go by column depends on all bits of counts and strides. The first pixels show it:
// only columns are read by stream C.
TYPED_TEST(VectorUnit, WindowsGoByColumnIfAllBitsOfTheirShapeSaySo) {
  TypeParam bench(44);
  bench.FillMemories();
  const auto reads_c = [&bench](const isa::Vector& v) {
    bench.Queue(v, 0);
    for (int i = 0; i < 60; ++i) bench.Cycle();
    const bool reads = !bench.log().c_reads.empty();
    EXPECT_EQ(bench.dut()->err_valid, 0);
    bench.ResetNow();
    return reads;
  };
  for (const std::uint32_t n_ow : {1U, 0x3FFFU, 0x4000U, 0x7FFFU, 0x8000U, 0xC000U}) {
    isa::Vector v = PlainWindows(VectorMap::kCopy);
    v.n_ow = n_ow;
    EXPECT_EQ(reads_c(v), TypeParam::kWindow && n_ow < 0x8000) << n_ow;
  }
  // One column of pixels lies in the image.
  for (const std::int32_t a_kw : {1, 0x1FFF, 0x2000, 0x3FFF, -0x2000, -0x2001, -0x4000}) {
    for (const std::int32_t a_ow : {a_kw, 2 * a_kw, 2 * a_kw ^ 0x4000}) {
      isa::Vector v = PlainWindows(VectorMap::kCopy);
      v.n_ow = 1;
      v.a_kw = a_kw;
      v.a_ow = a_ow;
      v.xs_kw = 1;
      v.xs_ow = a_ow == a_kw ? 1 : 2;
      v.x0 = 0;
      v.x_bound = 1;
      const bool columns = a_ow == a_kw || a_ow == 2 * a_kw;
      EXPECT_EQ(reads_c(v), TypeParam::kWindow && columns) << a_kw << " " << a_ow;
    }
  }
}

// Stream C may still have columns to read when streams A and B have none.
TYPED_TEST(VectorUnit, WindowsFollowEachOtherWhereOneStreamIsSlow) {
  if (!TypeParam::kWindow) return;
  for (const Rates& rates : {Rates{.a = 0.1}, Rates{.b = 0.1}, Rates{.c = 0.1}}) {
    TypeParam bench(45);
    bench.FillMemories();
    bench.set_rates(rates);
    std::vector<isa::Vector> windows;
    for (std::uint32_t i = 0; i < 60; ++i) {
      isa::Vector v = PlainWindows(i % 3 == 0 ? VectorMap::kMultiply : VectorMap::kCopy);
      v.n_cb = v.n_oh = 1;
      v.n_ow = 1 + i % 4;
      windows.push_back(v);
    }
    ExpectLikeModel(bench, windows);
    if (this->HasFailure()) return;
  }
}

// Rows that share a requantiser keep apart; no row keeps apart from one before a reset.
TYPED_TEST(VectorUnit, TheFirstRowAfterAResetDoesNotWait) {
  TypeParam bench(43);
  bench.FillMemories();
  isa::Vector v = Plain(VectorSource::kUnifiedBuffer, VectorMap::kCopy);
  v.n_ow = 8;
  const auto time = [&bench](isa::Vector alone) {
    alone.n_ow = 1;
    bench.Queue(alone, 0);
    bench.Run(1);
    const std::uint64_t cycles = bench.log().done_cycles[0] - bench.log().accept_cycles[0];
    bench.log() = {};
    return cycles;
  };
  const std::uint64_t alone = time(v);
  for (int cycles = 0; cycles < 40; ++cycles) {
    SCOPED_TRACE(fmt::format("reset after {} cycles", cycles));
    bench.Queue(v, 0);
    for (int i = 0; i < cycles; ++i) bench.Cycle();
    bench.ResetNow();
    ASSERT_EQ(time(v), alone);
  }
}

// The two banks of configuration hold from the first cycle after reset on, whatever the stages held
// before.
TYPED_TEST(VectorUnit, ShortInstructionsKeepTheirConfigurationRightAfterReset) {
  TypeParam bench(51);
  bench.FillMemories();
  std::vector<isa::Vector> program;
  for (std::uint32_t i = 0; i < 4; ++i) {
    isa::Vector v = Plain(VectorSource::kUnifiedBuffer, VectorMap::kCopy);
    // The second is longer than the way through the lanes, so that the fourth follows its last row
    // closely.
    v.n_ow = i == 1 ? 24 : 1;
    v.o_zero = 20 * static_cast<std::int32_t>(i) - 30;
    v.o_row += 32 * i;
    program.push_back(v);
  }
  for (int idle = 0; idle < 24; ++idle) {
    SCOPED_TRACE(fmt::format("{} cycles after reset", idle));
    for (isa::Vector v : program) {
      v.n_ow = 1;
      bench.Queue(v, 0);
    }
    for (int i = 0; i < 12 + idle / 2; ++i) bench.Cycle();
    bench.ClearCommands();
    bench.dut().Reset();
    bench.log() = {};
    for (int i = 0; i < idle; ++i) bench.Cycle();
    ExpectLikeModel(bench, program);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(VectorUnit, AResetInAnyCycleLeavesNothing) {
  constexpr std::uint64_t kSeed = 52;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  TypeParam bench(kSeed);
  bench.FillMemories();
  Generator generator(kSeed);
  std::mt19937_64 rng(kSeed);
  for (int round = 0; round < 120; ++round) {
    SCOPED_TRACE(fmt::format("round {}", round));
    for (int i = 0; i < 4; ++i) {
      bench.Queue(round % 2 == 0 ? generator.Next() : generator.NextWindow(), 0);
    }
    const std::uint64_t cycles = rng() % 120;
    for (std::uint64_t i = 0; i < cycles; ++i) bench.Cycle();
    bench.ResetNow();
    // Longer than a row's way through the lanes, or not at all.
    if (round % 4 < 2) {
      for (int i = 0; i < 30; ++i) bench.Cycle();
      ASSERT_EQ(bench.log().writes.size() + bench.log().done_cycles.size(), 0U);
    }
    ExpectLikeModel(bench, {generator.Next(), generator.NextWindow()});
    bench.ResetNow();
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(VectorUnit, AResetInAnyCycleForgetsAnError) {
  TypeParam bench(53);
  bench.FillMemories();
  isa::Vector bad = Plain(VectorSource::kUnifiedBuffer, VectorMap::kAdd);
  bad.a_row = kUbRows - 2;
  for (int cycles = 0; cycles < 16; ++cycles) {
    SCOPED_TRACE(fmt::format("reset after {} cycles", cycles));
    bench.Queue(bad, 0);
    for (int i = 0; i < cycles; ++i) bench.Cycle();
    bench.ResetNow();
    for (int i = 0; i < 30; ++i) bench.Cycle();
    ASSERT_EQ(bench.dut()->err_valid, 0);
    ASSERT_EQ(bench.dut()->err_code, 0);
    if (this->HasFailure()) return;
  }
}

TEST(VectorUnitOfTheLargestBuffer, TakesOutputStridesOfAllBits) {
  Bench<Vtpu_vector_wide, 4> bench(61);
  bench.FillMemories();
  constexpr std::uint32_t kFrom = 0x8000;
  for (const std::int32_t stride : {0x4000, 0x7FFF, -0x4001, -0x8000}) {
    for (std::size_t loop = 0; loop < 3; ++loop) {
      isa::Vector v = Plain(VectorSource::kUnifiedBuffer, VectorMap::kCopy);
      v.n_ow = 1;
      *std::array{&v.n_cb, &v.n_oh, &v.n_ow}[loop] = 2;
      *std::array{&v.o_cb, &v.o_oh, &v.o_ow}[loop] = stride;
      v.o_row = kFrom;
      bench.log() = {};
      bench.Queue(v, 0);
      bench.Run(1);
      ASSERT_EQ(bench.dut()->err_valid, 0) << "stride " << stride << " of loop " << loop;
      ASSERT_EQ(bench.log().writes.size(), 2U);
      EXPECT_EQ(bench.log().writes[0].row, kFrom);
      EXPECT_EQ(bench.log().writes[1].row, kFrom + static_cast<std::uint32_t>(stride));
    }
  }
}

}  // namespace
}  // namespace tpu::vector_test
