// SPDX-License-Identifier: Apache-2.0
// The vector unit with bf16: FVECTOR and VECTOR in any order against the golden model.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <variant>

#include "Vtpu_fvector_n4.h"
#include "Vtpu_fvector_n8.h"
#include "golden/execute.h"
#include "golden/vector_walk.h"
#include "isa/encoding.h"
#include "timing/vector_unit.h"
#include "vector_bench.h"

namespace tpu::vector_test {
namespace {

using isa::ErrorCode;
using isa::FloatFunction;
using isa::FloatMap;
using isa::FloatOperand;
using isa::FloatReduce;
using isa::Fvector;
using isa::NumberFormat;
using isa::VectorSource;
using Either = std::variant<isa::Vector, Fvector>;

// Sources lie in the lower half of the buffer and outputs in the upper half, so that instructions
// do not depend on each other.
constexpr std::int64_t kOutBase = kUbRows / 2;
// Entries before this one are for VECTOR, those from it on for FVECTOR.
constexpr std::uint32_t kFloatEntries = kParamRows / 2;

std::uint64_t Seed(std::uint64_t otherwise) {
  const char* text = std::getenv("TPU_SEED");
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::uint32_t Lines(NumberFormat format) {
  switch (format) {
    case NumberFormat::kInt8:
      return 1;
    case NumberFormat::kBfloat16:
      return 2;
    case NumberFormat::kFloat32:
    case NumberFormat::kInt32:
      break;
  }
  return 4;
}

bool ReadsB(const Fvector& v) {
  return v.map != FloatMap::kCopy && v.operand == FloatOperand::kUnifiedBuffer;
}

std::uint32_t LinesOfA(const Fvector& v) {
  return v.source == VectorSource::kAccumulators ? 1 : Lines(v.a_format);
}

/// Cycles in which something is issued.
std::uint64_t Active(const Fvector& v, const Memories& /*memories*/) {
  const std::uint64_t inside = std::max(LinesOfA(v), ReadsB(v) ? Lines(v.b_format) : 1);
  std::uint64_t active = 0;
  golden::ForEachOutput(v, [&](golden::VectorStep at) {
    for (at.kh = 0; at.kh < v.n_kh; ++at.kh) {
      for (at.kw = 0; at.kw < v.n_kw; ++at.kw) active += golden::IsInside(v, at) ? inside : 1;
    }
  });
  return active;
}
std::uint64_t Active(const isa::Vector& v, const Memories& memories) {
  return Execute(v, memories, true).steps;
}

std::uint64_t Writes(const Fvector& v) {
  return std::uint64_t{v.n_cb} * v.n_oh * v.n_ow * Lines(v.o_format);
}
std::uint64_t Writes(const isa::Vector& v) { return std::uint64_t{v.n_cb} * v.n_oh * v.n_ow; }

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : rng_(seed) {}

  Either Next() {
    if (Pick(3) == 0) return NextVector();
    return NextFvector();
  }

  Fvector NextFvector() {
    Fvector v;
    v.source = Pick(3) == 0 ? VectorSource::kAccumulators : VectorSource::kUnifiedBuffer;
    v.operand = Pick(4) == 0 ? FloatOperand::kConstant : FloatOperand::kUnifiedBuffer;
    v.a_format = v.source == VectorSource::kAccumulators
                     ? (Pick(3) == 0 ? NumberFormat::kInt32 : NumberFormat::kFloat32)
                     : static_cast<NumberFormat>(Pick(4));
    v.b_format = static_cast<NumberFormat>(Pick(4));
    v.o_format = static_cast<NumberFormat>(Pick(4));
    v.map = static_cast<FloatMap>(Pick(12));
    v.reduce = static_cast<FloatReduce>(Pick(3));
    v.scale = Pick(2);
    v.function = static_cast<FloatFunction>(Pick(2) == 0 ? Pick(3) : Pick(9));
    v.constant = Word();
    v.lo = Pick(3) == 0 ? Word() : 0xFF800000;
    v.hi = Pick(3) == 0 ? Word() : 0x7F800000;
    Window(v);
    v.param_row = kFloatEntries + Pick(4);
    v.param_stride = Pick(2);
    const bool acc = v.source == VectorSource::kAccumulators;
    Addresses(v, acc ? std::int64_t{kAccRows} : kOutBase - 3, kOutBase - 3, kOutBase - 3);
    return v;
  }

  isa::Vector NextVector() {
    isa::Vector v;
    v.source = Pick(3) == 0 ? VectorSource::kAccumulators : VectorSource::kUnifiedBuffer;
    const bool acc = v.source == VectorSource::kAccumulators;
    v.map = acc ? isa::VectorMap::kCopy : static_cast<isa::VectorMap>(Pick(7));
    v.reduce = static_cast<isa::VectorReduce>(Pick(2));
    v.requant = static_cast<isa::VectorRequant>(Pick(4));
    v.lut_enable = Pick(3) == 0 ? 1 : 0;
    v.lut = Pick(8);
    v.a_zero = Between(-128, 127);
    v.b_zero = Between(-128, 127);
    v.o_zero = Between(-128, 127);
    v.lo = -128;
    v.hi = 127;
    v.pre_shift = Pick(32);
    v.pre_mult = static_cast<std::int32_t>(rng_() & 0x7FFFFFFF);
    Window(v);
    v.param_row = Pick(4);
    v.param_stride = Pick(2);
    Addresses(v, acc ? std::int64_t{kAccRows} : kOutBase, kOutBase, kOutBase);
    if (Pick(4) == 0 && !acc) {
      // By column
      v.map = isa::VectorMap::kCopy;
      v.n_kh = v.n_kw = 3;
      v.a_kw = v.a_ow;
      v.xs_kw = v.xs_ow;
      v.a_row =
          Base({{v.n_cb, v.a_cb}, {v.n_oh, v.a_oh}, {v.n_ow, v.a_ow}, {3, v.a_kh}, {3, v.a_kw}},
               kOutBase);
    }
    return v;
  }

  /// One of an instruction's rows out of range, often only its last line, or late in the loops.
  void Spoil(Fvector& v) {
    const bool acc = v.source == VectorSource::kAccumulators;
    const auto a_rows = static_cast<std::int32_t>(acc ? kAccRows : kUbRows);
    const auto near = [this](std::int32_t rows) {
      return Pick(4) == 0 ? -Between(1, 5) : rows - Between(-1, 5);
    };
    switch (Pick(6)) {
      case 0:
        v.a_row = near(a_rows);
        break;
      case 1:
        v.b_row = near(kUbRows);
        break;
      case 2:
        v.param_row = kParamRows - Pick(2);
        v.param_stride = 1 + Pick(3);
        break;
      case 3:
        v.o_row = kUbRows - Pick(12);
        break;
      case 4:
        v.a_row = near(a_rows);
        v.param_row = kParamRows;
        break;
      default:
        v.o_row = kUbRows - Pick(5);
        v.b_row = near(kUbRows);
    }
  }

  std::uint32_t Pick(std::uint32_t n) { return static_cast<std::uint32_t>(rng_() % n); }

  /// Often a number of moderate size.
  std::uint32_t Word() {
    const auto bits = static_cast<std::uint32_t>(rng_());
    constexpr std::array<std::uint32_t, 8> kSpecial = {
        0, 0x80000000, 0x3F800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x00000001, 0x7F7FFFFF};
    if (Pick(8) == 0) return kSpecial[Pick(8)];
    if (Pick(8) == 0) return bits;
    return (bits & 0x807FFFFF) | (120 + Pick(14)) << 23;
  }

 private:
  std::int32_t Between(std::int32_t lo, std::int32_t hi) {
    return lo + static_cast<std::int32_t>(Pick(static_cast<std::uint32_t>(hi - lo + 1)));
  }

  template <typename V>
  void Window(V& v) {
    v.n_cb = 1 + Pick(2);
    v.n_oh = 1 + Pick(3);
    v.n_ow = 1 + Pick(5);
    if (Pick(2) == 0) {
      v.n_kh = 1 + Pick(3);
      v.n_kw = 1 + Pick(3);
    }
    if (Pick(4) == 0) v.n_cb = v.n_oh = v.n_ow = 1;
    v.y0 = Between(-2, 1);
    v.x0 = Between(-2, 1);
    v.y_bound = Pick(2) == 0 ? 0xFFFF : Pick(7);
    v.x_bound = Pick(2) == 0 ? 0xFFFF : Pick(9);
    if (Pick(2) == 0) v.y0 = v.x0 = 0;
    v.ys_oh = Pick(3);
    v.ys_kh = Pick(3);
    v.xs_ow = Pick(3);
    v.xs_kw = Pick(3);
  }

  template <typename V>
  void Addresses(V& v, std::int64_t a_rows, std::int64_t b_rows, std::int64_t o_rows) {
    for (auto* stride :
         {&v.a_cb, &v.a_oh, &v.a_ow, &v.a_kh, &v.a_kw, &v.b_cb, &v.b_oh, &v.b_ow, &v.b_kh, &v.b_kw})
      *stride = Between(-9, 9);
    for (auto* stride : {&v.o_cb, &v.o_oh, &v.o_ow}) *stride = Between(-20, 20);
    v.a_row = Base(
        {{v.n_cb, v.a_cb}, {v.n_oh, v.a_oh}, {v.n_ow, v.a_ow}, {v.n_kh, v.a_kh}, {v.n_kw, v.a_kw}},
        a_rows);
    v.b_row = Base(
        {{v.n_cb, v.b_cb}, {v.n_oh, v.b_oh}, {v.n_ow, v.b_ow}, {v.n_kh, v.b_kh}, {v.n_kw, v.b_kw}},
        b_rows);
    v.o_row = static_cast<std::uint32_t>(
        kOutBase + Base({{v.n_cb, v.o_cb}, {v.n_oh, v.o_oh}, {v.n_ow, v.o_ow}}, o_rows));
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

/// The unit, and a golden machine with the same memories.
template <typename BenchT>
class Pair {
 public:
  explicit Pair(std::uint64_t seed)
      : bench_(seed),
        state_({.n = BenchT::kLanes,
                .ub_rows = kUbRows,
                .acc_rows = kAccRows,
                .param_rows = kParamRows,
                .bf16 = 1},
               external_) {
    Generator generator(seed);
    bench_.FillMemories();
    Memories& memories = bench_.memories();
    for (auto& row : memories.ub) {
      for (std::size_t i = 0; i < row.size(); i += 4) {
        const std::uint32_t word = generator.Word();
        std::memcpy(row.data() + i, &word, 4);
      }
    }
    for (auto& row : memories.acc) {
      for (auto& word : row) {
        if (generator.Pick(3) != 0) word = static_cast<std::int32_t>(generator.Word());
      }
    }
    for (std::size_t e = kFloatEntries; e < kParamRows; ++e) {
      for (std::size_t i = 0; i < BenchT::kLanes; ++i) {
        memories.params[e].bias[i] = static_cast<std::int32_t>(generator.Word());
        memories.params[e].multiplier[i] = static_cast<std::int32_t>(generator.Word());
      }
    }
    bench_.LoadTables();
    Copy();
  }

  BenchT& bench() { return bench_; }

  /// Runs all instructions in one go and compares what each of them wrote.
  void ExpectLikeGolden(const std::vector<Either>& program) {
    std::uint64_t active = 0;
    for (std::size_t i = 0; i < program.size(); ++i) {
      std::visit([&](const auto& v) { active += Active(v, bench_.memories()); }, program[i]);
      Queue(program[i], static_cast<std::uint32_t>(i));
    }
    bench_.Run(program.size(), 400000);
    ASSERT_EQ(bench_.dut()->err_valid, 0);
    const Log& log = bench_.log();
    ASSERT_EQ(log.done_cycles.size(), program.size());
    Copy();
    std::vector<std::vector<std::int8_t>> ub = bench_.memories().ub;
    std::size_t next = 0;
    for (std::size_t i = 0; i < program.size(); ++i) {
      std::visit([&](const auto& v) { golden::Execute(v, state_); }, program[i]);
      next += std::visit([](const auto& v) { return Writes(v); }, program[i]);
      ASSERT_EQ(log.writes_at_done[i], next) << "writes before instruction " << i << " was done";
      for (std::size_t w = i == 0 ? 0 : log.writes_at_done[i - 1]; w < next; ++w) {
        ub[log.writes[w].row] = log.writes[w].bytes;
      }
      ASSERT_NO_FATAL_FAILURE(CompareBuffer(ub, Describe(program[i], i)));
    }
    EXPECT_EQ(log.active, active);
    for (int i = 0; i < 3; ++i) bench_.Cycle();
    EXPECT_EQ(bench_.dut()->busy, 0);
    EXPECT_EQ(log.done_cycles.size(), program.size());
    EXPECT_EQ(log.writes.size(), next);
  }

  /// The same for a program whose last instruction fails; whatever was issued is written.
  void ExpectErrorOfLast(const std::vector<Either>& program, std::uint32_t index) {
    Copy();
    std::optional<ErrorCode> code;
    for (std::size_t i = 0; i < program.size(); ++i) {
      Queue(program[i], index + static_cast<std::uint32_t>(i));
      try {
        std::visit([&](const auto& v) { golden::Execute(v, state_); }, program[i]);
      } catch (const golden::Fault& fault) {
        ASSERT_EQ(i + 1, program.size());
        code = fault.code();
      }
    }
    Queue(program.front(), index + static_cast<std::uint32_t>(program.size()));
    ASSERT_TRUE(code);
    for (int i = 0; i < 100000 && bench_.dut()->err_valid == 0; ++i) {
      bench_.Cycle();
      ASSERT_LT(bench_.log().done_cycles.size(), program.size());
    }
    ASSERT_EQ(bench_.dut()->err_valid, 1);
    EXPECT_EQ(bench_.dut()->err_code, static_cast<int>(*code)) << Describe(program.back(), 0);
    EXPECT_EQ(bench_.dut()->err_index, index + program.size() - 1);
    for (int i = 0; i < 250; ++i) bench_.Cycle();
    EXPECT_EQ(bench_.dut()->err_index, index + program.size() - 1);
    std::vector<std::vector<std::int8_t>> ub = bench_.memories().ub;
    for (const Write& write : bench_.log().writes) ub[write.row] = write.bytes;
    CompareBuffer(ub, Describe(program.back(), program.size() - 1));
  }

  /// Whether the golden machine finds an error in it.
  bool Fails(const Fvector& v) {
    Copy();
    try {
      golden::Execute(v, state_);
    } catch (const golden::Fault&) {
      return true;
    }
    return false;
  }

  void Queue(const Either& instruction, std::uint32_t index) {
    std::vector<std::uint8_t> bytes;
    std::visit([&](const auto& v) { isa::Encode(v, bytes); }, instruction);
    bench_.Queue(bytes, index);
  }

 private:
  void Copy() {
    const Memories& memories = bench_.memories();
    for (std::uint32_t r = 0; r < kUbRows; ++r)
      std::ranges::copy(memories.ub[r], state_.ub.Row(r).begin());
    for (std::uint32_t r = 0; r < kAccRows; ++r) {
      std::ranges::copy(memories.acc[r], state_.acc.Row(r).begin());
    }
    for (std::uint32_t e = 0; e < kParamRows; ++e) {
      std::ranges::copy(memories.params[e].bias, state_.bias.Row(e).begin());
      std::ranges::copy(memories.params[e].multiplier, state_.multiplier.Row(e).begin());
      std::ranges::copy(memories.params[e].shift, state_.shift.Row(e).begin());
    }
    for (std::size_t t = 0; t < memories.luts.size(); ++t) {
      std::ranges::copy(memories.luts[t], state_.lut.Row(static_cast<std::int64_t>(t)).begin());
    }
  }

  static std::string Describe(const Either& instruction, std::size_t i) {
    if (const auto* v = std::get_if<Fvector>(&instruction)) {
      return fmt::format(
          "instruction {}: FVECTOR map {} reduce {} formats {} {} {} source {} operand {} scale {} "
          "function {} windows {} "
          "{} {} of {} {}",
          i, static_cast<int>(v->map), static_cast<int>(v->reduce), static_cast<int>(v->a_format),
          static_cast<int>(v->b_format), static_cast<int>(v->o_format), static_cast<int>(v->source),
          static_cast<int>(v->operand), v->scale, static_cast<int>(v->function), v->n_cb, v->n_oh,
          v->n_ow, v->n_kh, v->n_kw);
    }
    return fmt::format("instruction {}: VECTOR", i);
  }

  void CompareBuffer(const std::vector<std::vector<std::int8_t>>& ub, const std::string& what) {
    for (std::uint32_t r = 0; r < kUbRows; ++r) {
      ASSERT_TRUE(std::ranges::equal(ub[r], state_.ub.Row(r))) << "row " << r << ", " << what;
    }
  }

  BenchT bench_;
  std::vector<std::uint8_t> external_;
  golden::State state_;
};

template <typename BenchT>
class FvectorUnit : public ::testing::Test {};
// Rows of one format of a single byte may follow each other in every cycle.
using BenchN4 = Bench<Vtpu_fvector_n4, 4>;
using BenchN8 = Bench<Vtpu_fvector_n8, 8>;
using Sizes = ::testing::Types<BenchN4, BenchN8>;
TYPED_TEST_SUITE(FvectorUnit, Sizes);

constexpr std::array<Rates, 7> kRates = {{{},
                                          {.command = 0.1},
                                          {.a = 0.5, .b = 0.5, .acc = 0.5},
                                          {.b = 0.2},
                                          {.a = 0.3, .acc = 0.3},
                                          {.acc = 0.15},
                                          {}}};

TYPED_TEST(FvectorUnit, RandomProgramsMatchTheGoldenModel) {
  const std::uint64_t first = Seed(1);
  for (std::uint64_t seed = first; seed < first + kRates.size(); ++seed) {
    SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
    Pair<TypeParam> pair(seed);
    pair.bench().set_rates(kRates[(seed - first) % kRates.size()]);
    pair.bench().set_banked(seed % 2 == 0);
    Generator generator(100 + seed);
    std::vector<Either> program(300);
    // Every other program has long stretches of one kind.
    for (auto& v : program) v = seed % 2 == 0 ? Either(generator.NextFvector()) : generator.Next();
    pair.ExpectLikeGolden(program);
    if (this->HasFailure()) return;
  }
}

// Configuration banks change as often as they can, and classes of windows meet.
TYPED_TEST(FvectorUnit, ShortInstructionsOfEveryKindFollowEachOther) {
  const std::uint64_t seed = Seed(31);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  Pair<TypeParam> pair(seed);
  Generator generator(seed);
  std::vector<Either> program;
  for (int i = 0; i < 600; ++i) {
    Fvector v = generator.NextFvector();
    v.n_cb = v.n_oh = 1;
    v.n_ow = 1 + generator.Pick(2);
    v.n_kh = 1;
    v.n_kw = 1 + generator.Pick(2);
    program.emplace_back(v);
    if (generator.Pick(8) == 0) program.emplace_back(generator.NextVector());
  }
  pair.ExpectLikeGolden(program);
}

TYPED_TEST(FvectorUnit, ErrorsAreThoseOfTheGoldenModel) {
  const std::uint64_t seed = Seed(41);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  Pair<TypeParam> pair(seed);
  Generator generator(seed);
  std::array<int, 16> codes{};
  for (int round = 0; round < 400;) {
    SCOPED_TRACE(fmt::format("round {}", round));
    Fvector bad = generator.NextFvector();
    generator.Spoil(bad);
    if (!pair.Fails(bad)) continue;
    ++round;
    pair.bench().ResetNow();
    pair.bench().set_rates(kRates[generator.Pick(kRates.size())]);
    std::vector<Either> program;
    if (generator.Pick(3) != 0) program.push_back(generator.Next());
    program.emplace_back(bad);
    pair.ExpectErrorOfLast(program, generator.Pick(1000000));
    ++codes[pair.bench().dut()->err_code];
    if (this->HasFailure()) return;
  }
  EXPECT_GT(codes[static_cast<std::size_t>(ErrorCode::kUbRange)], 100);
  EXPECT_GT(codes[static_cast<std::size_t>(ErrorCode::kAccRange)], 10);
  EXPECT_GT(codes[static_cast<std::size_t>(ErrorCode::kParamRange)], 30);
}

TYPED_TEST(FvectorUnit, AResetInAnyCycleLeavesNothing) {
  const std::uint64_t seed = Seed(52);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  Pair<TypeParam> pair(seed);
  Generator generator(seed);
  TypeParam& bench = pair.bench();
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(fmt::format("round {}", round));
    for (std::uint32_t i = 0; i < 4; ++i) pair.Queue(generator.Next(), i);
    const std::uint32_t cycles = generator.Pick(250);
    for (std::uint32_t i = 0; i < cycles; ++i) bench.Cycle();
    bench.ResetNow();
    // Longer than a row's way through the lanes, or not at all.
    if (round % 4 < 2) {
      for (int i = 0; i < 200; ++i) bench.Cycle();
      ASSERT_EQ(bench.log().writes.size() + bench.log().done_cycles.size(), 0U);
    }
    pair.ExpectLikeGolden({generator.Next(), generator.Next()});
    bench.ResetNow();
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(FvectorUnit, AHaltInAnyCycleStopsEverything) {
  const std::uint64_t seed = Seed(62);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  Pair<TypeParam> pair(seed);
  Generator generator(seed);
  TypeParam& bench = pair.bench();
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(fmt::format("round {}", round));
    for (std::uint32_t i = 0; i < 8; ++i) {
      Either next = generator.Next();
      std::visit([](auto& v) { v.n_cb = v.n_oh = v.n_ow = 1; }, next);
      pair.Queue(next, i);
    }
    const std::uint32_t cycles = 1 + generator.Pick(150);
    for (std::uint32_t i = 0; i < cycles; ++i) bench.Cycle();
    bench.dut()->halt = 1;
    for (int i = 0; i < 40; ++i) bench.Cycle();
    bench.ResetNow();
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(FvectorUnit, EventsSayWhatEachCycleIsSpentOn) {
  const std::uint64_t first = Seed(63);
  for (std::uint64_t seed = first; seed < first + 4; ++seed) {
    SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
    Pair<TypeParam> pair(seed);
    pair.bench().set_rates(kRates[(seed - first) % 4]);
    Generator generator(seed);
    std::vector<std::uint64_t> steps;
    for (std::uint32_t i = 0; i < 100; ++i) {
      Either next = generator.Next();
      if (i % 3 != 0) std::visit([](auto& v) { v.n_cb = v.n_oh = v.n_ow = 1; }, next);
      steps.push_back(
          std::visit([&](const auto& v) { return Active(v, pair.bench().memories()); }, next));
      pair.Queue(next, i);
    }
    pair.bench().ExpectAnEventInEachCycle(steps, 4);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(FvectorUnit, HaltStopsIssue) {
  Pair<TypeParam> pair(61);
  Fvector v;
  v.map = FloatMap::kAdd;
  v.a_format = v.b_format = v.o_format = NumberFormat::kBfloat16;
  v.n_ow = 60;
  v.a_ow = v.b_ow = v.o_ow = 2;
  v.o_row = kOutBase;
  v.y_bound = v.x_bound = 0xFFFF;
  v.param_row = kFloatEntries;
  v.lo = 0xFF800000;
  v.hi = 0x7F800000;
  TypeParam& bench = pair.bench();
  pair.Queue(v, 0);
  for (int i = 0; i < 50; ++i) bench.Cycle();
  bench.dut()->halt = 1;
  bench.Cycle();
  const std::size_t reads = bench.log().a_reads.size();
  EXPECT_GT(reads, 20U);
  EXPECT_LT(reads, 120U);
  for (int i = 0; i < 60; ++i) bench.Cycle();
  EXPECT_EQ(bench.log().a_reads.size(), reads);
  EXPECT_EQ(bench.dut()->err_valid, 0);
  bench.ResetNow();
  pair.ExpectLikeGolden({v, v});
}

// ---- Time ------------------------------------------------------------------------------

Fvector Rows(std::uint32_t rows) {
  Fvector v;
  v.n_ow = rows;
  v.a_format = v.b_format = NumberFormat::kFloat32;
  v.o_format = NumberFormat::kBfloat16;
  v.o_row = kOutBase;
  v.y_bound = v.x_bound = 0xFFFF;
  v.param_row = kFloatEntries;
  v.lo = 0xFF800000;
  v.hi = 0x7F800000;
  v.o_ow = 2;
  return v;
}

template <typename BenchT>
struct Timing {
  double cycles_per_row;
  std::uint64_t accept_to_done;
};

template <typename BenchT>
Timing<BenchT> Time(const Fvector& v) {
  Pair<BenchT> pair(71);
  pair.ExpectLikeGolden({v});
  const Log& log = pair.bench().log();
  const std::size_t lines = Lines(v.o_format);
  const double cycles =
      static_cast<double>(log.write_cycles[log.write_cycles.size() - lines] - log.write_cycles[0]);
  return {cycles / (v.n_ow - 1), log.done_cycles[0] - log.accept_cycles[0]};
}

// The timing model says in which cycle each instruction is accepted and completed. It is about
// lanes in pairs.
TEST(FvectorTiming, ModelSaysWhenTheRtlAcceptsAndCompletes) {
  const isa::HardwareConfig config{.n = BenchN8::kLanes,
                                   .ub_rows = kUbRows,
                                   .acc_rows = kAccRows,
                                   .param_rows = kParamRows,
                                   .window = 1,
                                   .requant_lanes = 1,
                                   .bf16 = 1};
  const std::uint64_t first = Seed(64);
  for (std::uint64_t seed = first; seed < first + 6; ++seed) {
    SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
    Pair<BenchN8> pair(seed);
    BenchN8& bench = pair.bench();
    bench.set_banked(true);
    Generator generator(seed);
    std::vector<Either> program(60);
    // Stretches of one kind, as an instruction waits longer for one of the other kind.
    for (std::size_t i = 0; i < program.size(); ++i) {
      program[i] = seed % 3 == 0    ? generator.Next()
                   : i / 8 % 2 == 0 ? Either(generator.NextVector())
                                    : Either(generator.NextFvector());
      if (seed % 2 == 0) std::visit([](auto& v) { v.n_cb = v.n_oh = v.n_ow = 1; }, program[i]);
      pair.Queue(program[i], static_cast<std::uint32_t>(i));
    }
    std::uint64_t cycle = bench.dut().cycles();
    bench.Run(program.size());
    timing::VectorUnit unit(config);
    timing::MatmulUnit array(config);
    std::vector<std::uint64_t> accepted;
    std::vector<std::uint64_t> completed;
    for (; completed.size() < program.size(); ++cycle) {
      ASSERT_LT(cycle, 1000000U);
      timing::Banks banks = 0;
      if (const auto completion = unit.Step(cycle, array, banks)) completed.push_back(*completion);
      if (accepted.size() == program.size() || unit.ready() > cycle) continue;
      std::visit([&](const auto& v) { unit.Accept(v, cycle); }, program[accepted.size()]);
      accepted.push_back(cycle);
    }
    ASSERT_EQ(bench.log().accept_cycles, accepted);
    ASSERT_EQ(bench.log().done_cycles, completed);
  }
}

TYPED_TEST(FvectorUnit, RowsFollowAsCloselyAsPromised) {
  constexpr std::size_t kSharing = TypeParam::kLanes / 4;
  const auto lanes = static_cast<double>(kSharing);
  Fvector copy = Rows(100);
  copy.source = VectorSource::kAccumulators;
  copy.a_ow = 1;
  EXPECT_EQ(Time<TypeParam>(copy).cycles_per_row, 2) << "accumulators to bf16";
  copy.o_format = NumberFormat::kInt8;
  copy.o_ow = 1;
  EXPECT_EQ(Time<TypeParam>(copy).cycles_per_row, lanes) << "accumulators to int8";

  Fvector add = Rows(100);
  add.map = FloatMap::kAdd;
  add.a_format = add.b_format = NumberFormat::kBfloat16;
  add.a_ow = add.b_ow = 2;
  add.b_row = 201;
  EXPECT_EQ(Time<TypeParam>(add).cycles_per_row, 2) << "sum of two rows of bf16";

  Fvector window = Rows(40);
  window.a_format = NumberFormat::kBfloat16;
  window.a_ow = 2;
  window.n_kh = window.n_kw = 3;
  window.a_kw = 2;
  window.a_kh = 20;
  EXPECT_EQ(Time<TypeParam>(window).cycles_per_row, 34) << "sum of 9 rows of bf16";
  window.map = FloatMap::kMultiply;
  window.b_format = NumberFormat::kBfloat16;
  window.b_kw = 2;
  window.b_kh = 6;
  EXPECT_EQ(Time<TypeParam>(window).cycles_per_row, 34) << "sum of 9 products of bf16";
  window.map = FloatMap::kAdd;
  EXPECT_EQ(Time<TypeParam>(window).cycles_per_row, 45) << "sum of 9 sums of bf16";

  Fvector exp = Rows(100);
  exp.a_format = NumberFormat::kBfloat16;
  exp.a_ow = 2;
  exp.function = FloatFunction::kExp;
  EXPECT_EQ(Time<TypeParam>(exp).cycles_per_row, 8 * lanes) << "exponential of bf16";
  exp.function = FloatFunction::kLogistic;
  EXPECT_EQ(Time<TypeParam>(exp).cycles_per_row, 13 * lanes) << "logistic function of bf16";
}

TYPED_TEST(FvectorUnit, ALoneRowTakesSoManyCycles) {
  const std::uint64_t turns = TypeParam::kLanes / 4 - 1;
  Fvector copy = Rows(2);
  copy.n_ow = 1;
  copy.source = VectorSource::kAccumulators;
  copy.o_format = NumberFormat::kInt8;
  const auto time = [](const Fvector& v) {
    Pair<TypeParam> pair(71);
    pair.ExpectLikeGolden({v});
    return pair.bench().log().done_cycles[0] - pair.bench().log().accept_cycles[0];
  };
  // From acceptance to the tap 3 cycles, from there to the first line 24.
  EXPECT_EQ(time(copy), 27 + turns);
  copy.o_format = NumberFormat::kFloat32;
  EXPECT_EQ(time(copy), 30 + turns);
  copy.function = FloatFunction::kExp;
  EXPECT_EQ(time(copy), 30 + 8 * turns + 56);
  copy.function = FloatFunction::kNone;
  copy.map = FloatMap::kAdd;
  copy.b_format = NumberFormat::kFloat32;
  EXPECT_EQ(time(copy), 30 + 4 + turns);
  copy.n_kw = 2;
  EXPECT_EQ(time(copy), 30 + 4 + 4 + 5 + turns);
}

}  // namespace
}  // namespace tpu::vector_test
