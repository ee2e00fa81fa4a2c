// SPDX-License-Identifier: Apache-2.0
// The vector unit with int16: IVECTOR, VECTOR and on a machine with bf16 FVECTOR in any order
// against the golden model, and IVECTOR against TensorFlow Lite's formulas.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "Vtpu_ivector_n16.h"
#include "Vtpu_ivector_n4.h"
#include "Vtpu_ivector_n4_alone.h"
#include "Vtpu_ivector_n8.h"
#include "line_bench.h"
#include "tests/golden/tflite_rounding.h"

namespace tpu::vector_test {
namespace {

using isa::ErrorCode;
using isa::IntegerFormat;
using isa::IntegerMap;
using isa::IntegerOperand;
using isa::IntegerRequant;
using isa::Ivector;
using isa::VectorReduce;
using isa::VectorSource;

template <typename Model, std::size_t kN, std::uint64_t kSharing, bool kFloats = false>
struct Machine : Bench<Model, kN> {
  using Bench<Model, kN>::Bench;
  static constexpr std::uint64_t kInt16Lanes = kSharing;  ///< That take turns.
  static constexpr bool kBf16 = kFloats;
};

class Generator : public LoopGenerator {
 public:
  Generator(std::uint64_t seed, bool bf16) : LoopGenerator(seed), bf16_(bf16) {}

  Any Next() {
    switch (Pick(6)) {
      case 0:
        return NextVector();
      case 1:
        if (bf16_) return NextFvector();
        [[fallthrough]];
      default:
        return NextIvector();
    }
  }

  Ivector NextIvector() {
    Ivector v;
    const bool acc = Pick(2) == 0;
    v.source = acc ? VectorSource::kAccumulators : VectorSource::kUnifiedBuffer;
    v.operand = Pick(4) == 0 ? IntegerOperand::kConstant : IntegerOperand::kUnifiedBuffer;
    v.a_format = acc ? (Pick(3) == 0 ? IntegerFormat::kInt32 : IntegerFormat::kPair)
                     : static_cast<IntegerFormat>(Pick(3));
    v.b_format = static_cast<IntegerFormat>(Pick(3));
    v.o_format = static_cast<IntegerFormat>(Pick(3));
    v.map = static_cast<IntegerMap>(Pick(11));
    v.lut = Pick(2);
    v.uniform = Pick(2);
    v.reduce = static_cast<VectorReduce>(Pick(2));
    v.requant = static_cast<IntegerRequant>(Pick(6));
    v.o_zero = Between(-128, 127);
    v.constant = static_cast<std::int32_t>(rng()());
    if (Pick(2) == 0) v.constant &= 0x7FFFFFFF;
    v.lo = Pick(3) == 0 ? Between(-32768, 32767) : -32768;
    v.hi = Pick(3) == 0 ? Between(-32768, 32767) : 32767;
    v.pre_shift = Pick(3) == 0 ? Pick(32) : Pick(4);
    Window(v);
    v.param_row = v.requant == IntegerRequant::kWide ? kWideEntries + Pick(2) : Pick(4);
    v.param_stride = Pick(2);
    Addresses(v, acc ? std::int64_t{kAccRows} : kOutBase - 3, kOutBase - 3, kOutBase - 3);
    if (v.a_format == IntegerFormat::kPair) {
      v.a_low = Pick(8) == 0 ? Between(-100, 100) : Between(-9, 9);
      v.a_row = Base({{v.n_cb, v.a_cb},
                      {v.n_oh, v.a_oh},
                      {v.n_ow, v.a_ow},
                      {v.n_kh, v.a_kh},
                      {v.n_kw, v.a_kw},
                      {2, v.a_low}},
                     kAccRows);
    }
    return v;
  }

  /// Enough to meet the other kinds in the streams and the parameter memory.
  isa::Fvector NextFvector() {
    isa::Fvector v;
    const bool acc = Pick(3) == 0;
    v.source = acc ? VectorSource::kAccumulators : VectorSource::kUnifiedBuffer;
    v.a_format = acc ? isa::NumberFormat::kInt32 : static_cast<isa::NumberFormat>(Pick(4));
    v.b_format = static_cast<isa::NumberFormat>(Pick(4));
    v.o_format = static_cast<isa::NumberFormat>(Pick(4));
    v.map = Pick(2) == 0 ? isa::FloatMap::kCopy : isa::FloatMap::kAdd;
    v.scale = Pick(2);
    v.function = static_cast<isa::FloatFunction>(Pick(9));
    v.lo = 0xFF800000;
    v.hi = 0x7F800000;
    Window(v);
    v.param_row = kFloatEntries + Pick(4);
    v.param_stride = Pick(2);
    Addresses(v, acc ? std::int64_t{kAccRows} : kOutBase - 3, kOutBase - 3, kOutBase - 3);
    return v;
  }

  /// One of an instruction's rows out of range, often only its last line, or late in the loops.
  void Spoil(Ivector& v) {
    const bool acc = v.source == VectorSource::kAccumulators;
    const auto near = [this](std::int32_t rows) {
      return Pick(4) == 0 ? -Between(1, 5) : rows - Between(-1, 5);
    };
    const auto a_rows = static_cast<std::int32_t>(acc ? kAccRows : kUbRows);
    switch (Pick(7)) {
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
        // The low row alone, and B beside it
        v.a_low = Between(200, 300) * (Pick(2) == 0 ? 1 : -1);
        if (Pick(2) == 0) v.b_row = near(kUbRows);
        break;
      case 5:
        v.a_row = near(a_rows);
        v.param_row = kParamRows;
        break;
      default:
        v.o_row = kUbRows - Pick(5);
        v.b_row = near(kUbRows);
        v.n_cb = v.n_oh = v.n_ow = 1;
    }
    if (v.o_row < kUbRows - 12) KeepOutputsBelow(v);
  }

  /// What an instruction that is spoilt reads in the upper half is written by nobody. None is an
  /// ADAM.
  void KeepOutputsBelow(isa::Adam& /*adam*/) {}
  template <typename V>
  void KeepOutputsBelow(V& v) {
    v.o_row = kOutBase + static_cast<std::uint32_t>(
                             Base({{v.n_cb, v.o_cb}, {v.n_oh, v.o_oh}, {v.n_ow, v.o_ow}}, 350));
  }

 private:
  bool bf16_;
};

/// Parameters of the wide requantisation: shifts up to 14, and most biases of moderate size.
/// FVECTOR does not look at shifts.
void FillWide(std::uint64_t seed, Memories& memories) {
  std::mt19937_64 rng(seed);
  for (std::size_t e = kWideEntries; e < kParamRows; ++e) {
    for (auto& shift : memories.params[e].shift) {
      shift = static_cast<std::int8_t>(static_cast<int>(rng() % 46) - 31);
    }
    if (e >= kFloatEntries) continue;
    for (auto& multiplier : memories.params[e].multiplier) {
      const auto high = static_cast<std::int16_t>(rng() % 4 == 0 ? rng() : rng() % 16 - 8);
      multiplier = static_cast<std::int32_t>(static_cast<std::uint32_t>(high) << 16 |
                                             static_cast<std::uint32_t>(rng() & 0xFFFF));
    }
  }
}

template <typename BenchT>
class IntegerPair : public Pair<BenchT> {
 public:
  explicit IntegerPair(std::uint64_t seed)
      : Pair<BenchT>(seed, [seed](Memories& memories) { FillWide(seed, memories); }) {}
};

template <typename BenchT>
class IvectorUnit : public ::testing::Test {};
using MachineN4 = Machine<Vtpu_ivector_n4, 4, 4>;
using MachineN4Alone = Machine<Vtpu_ivector_n4_alone, 4, 1>;
using MachineN8 = Machine<Vtpu_ivector_n8, 8, 4, true>;
using MachineN16 = Machine<Vtpu_ivector_n16, 16, 4>;
using Sizes = ::testing::Types<MachineN4, MachineN4Alone, MachineN8, MachineN16>;
TYPED_TEST_SUITE(IvectorUnit, Sizes);

TYPED_TEST(IvectorUnit, RandomProgramsMatchTheGoldenModel) {
  const std::uint64_t first = Seed(1);
  for (std::uint64_t seed = first; seed < first + kRates.size(); ++seed) {
    SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
    IntegerPair<TypeParam> pair(seed);
    pair.bench().set_rates(kRates[(seed - first) % kRates.size()]);
    pair.bench().set_banked(seed % 2 == 0);
    Generator generator(100 + seed, TypeParam::kBf16);
    std::vector<Any> program(200);
    // Every other program has long stretches of one kind.
    for (auto& v : program) v = seed % 2 == 0 ? Any(generator.NextIvector()) : generator.Next();
    pair.ExpectLikeGolden(program);
    if (this->HasFailure()) return;
  }
}

// Configuration banks change as often as they can.
TYPED_TEST(IvectorUnit, ShortInstructionsOfEveryKindFollowEachOther) {
  const std::uint64_t seed = Seed(31);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  IntegerPair<TypeParam> pair(seed);
  Generator generator(seed, TypeParam::kBf16);
  std::vector<Any> program;
  for (int i = 0; i < 500; ++i) {
    Ivector v = generator.NextIvector();
    v.n_cb = v.n_oh = 1;
    v.n_ow = std::min(v.n_ow, 1 + generator.Pick(2));
    v.n_kh = 1;
    v.n_kw = std::min(v.n_kw, 1 + generator.Pick(2));
    program.emplace_back(v);
    if (generator.Pick(8) == 0) program.push_back(generator.Next());
  }
  pair.ExpectLikeGolden(program);
}

TYPED_TEST(IvectorUnit, ErrorsAreThoseOfTheGoldenModel) {
  const std::uint64_t seed = Seed(41);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  IntegerPair<TypeParam> pair(seed);
  Generator generator(seed, TypeParam::kBf16);
  std::array<int, 16> codes{};
  for (int round = 0; round < 300;) {
    SCOPED_TRACE(fmt::format("round {}", round));
    Ivector bad = generator.NextIvector();
    generator.Spoil(bad);
    if (!pair.Fails(bad)) continue;
    ++round;
    pair.bench().ResetNow();
    pair.bench().set_rates(kRates[generator.Pick(kRates.size())]);
    std::vector<Any> program;
    if (generator.Pick(3) != 0) {
      program.push_back(generator.Next());
      std::visit([&](auto& v) { generator.KeepOutputsBelow(v); }, program.back());
    }
    program.emplace_back(bad);
    pair.ExpectErrorOfLast(program, generator.Pick(1000000));
    ++codes[pair.bench().dut()->err_code];
    if (this->HasFailure()) return;
  }
  EXPECT_GT(codes[static_cast<std::size_t>(ErrorCode::kUbRange)], 60);
  EXPECT_GT(codes[static_cast<std::size_t>(ErrorCode::kAccRange)], 30);
  EXPECT_GT(codes[static_cast<std::size_t>(ErrorCode::kParamRange)], 20);
}

// Both rows of a pair come before B, although they are read in two cycles.
TYPED_TEST(IvectorUnit, LowRowsAreCheckedBeforeB) {
  IntegerPair<TypeParam> pair(43);
  Ivector v;
  v.source = VectorSource::kAccumulators;
  v.a_format = IntegerFormat::kPair;
  v.map = IntegerMap::kAdd;
  v.a_low = kAccRows;
  v.b_row = kUbRows;
  v.o_row = kOutBase;
  v.y_bound = v.x_bound = 1;
  pair.ExpectErrorOfLast({v}, 7);
  EXPECT_EQ(pair.bench().dut()->err_code, static_cast<int>(ErrorCode::kAccRange));
}

TYPED_TEST(IvectorUnit, AResetInAnyCycleLeavesNothing) {
  const std::uint64_t seed = Seed(52);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  IntegerPair<TypeParam> pair(seed);
  Generator generator(seed, TypeParam::kBf16);
  TypeParam& bench = pair.bench();
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(fmt::format("round {}", round));
    for (std::uint32_t i = 0; i < 4; ++i) pair.Queue(generator.Next(), i);
    const std::uint32_t cycles = generator.Pick(150);
    for (std::uint32_t i = 0; i < cycles; ++i) bench.Cycle();
    bench.ResetNow();
    // Longer than a row's way through the lanes, or not at all.
    if (round % 4 < 2) {
      for (int i = 0; i < 100; ++i) bench.Cycle();
      ASSERT_EQ(bench.log().writes.size() + bench.log().done_cycles.size(), 0U);
    }
    pair.ExpectLikeGolden({generator.Next(), generator.NextIvector()});
    bench.ResetNow();
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(IvectorUnit, AHaltInAnyCycleStopsEverything) {
  const std::uint64_t seed = Seed(62);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  IntegerPair<TypeParam> pair(seed);
  Generator generator(seed, TypeParam::kBf16);
  TypeParam& bench = pair.bench();
  for (int round = 0; round < 100; ++round) {
    SCOPED_TRACE(fmt::format("round {}", round));
    for (std::uint32_t i = 0; i < 8; ++i) pair.Queue(generator.NextIvector(), i);
    const std::uint32_t cycles = 1 + generator.Pick(150);
    for (std::uint32_t i = 0; i < cycles; ++i) bench.Cycle();
    bench.dut()->halt = 1;
    // Rows that are on their way are written.
    for (int i = 0; i < 30; ++i) bench.Cycle();
    const std::size_t writes = bench.log().writes.size();
    const std::uint64_t active = bench.log().active;
    for (int i = 0; i < 40; ++i) bench.Cycle();
    EXPECT_EQ(bench.log().writes.size(), writes);
    EXPECT_EQ(bench.log().active, active);
    bench.ResetNow();
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(IvectorUnit, EventsSayWhatEachCycleIsSpentOn) {
  const std::uint64_t first = Seed(63);
  for (std::uint64_t seed = first; seed < first + 4; ++seed) {
    SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
    IntegerPair<TypeParam> pair(seed);
    pair.bench().set_rates(kRates[(seed - first) % 4]);
    Generator generator(seed, TypeParam::kBf16);
    std::vector<std::uint64_t> steps;
    for (std::uint32_t i = 0; i < 100; ++i) {
      Any next = generator.Next();
      if (i % 3 != 0) Shorten(next);
      steps.push_back(
          std::visit([&](const auto& v) { return Active(v, pair.bench().memories()); }, next));
      pair.Queue(next, i);
    }
    pair.bench().ExpectAnEventInEachCycle(steps, 4);
    if (this->HasFailure()) return;
  }
}

// ---- TensorFlow Lite -------------------------------------------------------------------

/// Rows of one instruction, from the sums in the accumulators or from int16 numbers.
Ivector Rows(std::uint32_t rows) {
  Ivector v;
  v.n_ow = rows;
  v.y_bound = v.x_bound = 0xFFFF;
  v.a_format = v.b_format = IntegerFormat::kInt16;
  v.o_format = IntegerFormat::kInt32;
  v.o_row = kOutBase;
  v.o_ow = 4;
  v.lo = -32768;
  v.hi = 32767;
  return v;
}

/// The numbers that a run wrote, row by row.
template <typename BenchT>
std::vector<std::int32_t> Written(const BenchT& bench) {
  std::vector<std::int32_t> words;
  const std::vector<Write>& writes = const_cast<BenchT&>(bench).log().writes;
  for (std::size_t w = 0; w + 4 <= writes.size(); w += 4) {
    std::vector<std::int8_t> bytes;
    for (std::size_t i = w; i < w + 4; ++i) {
      bytes.insert(bytes.end(), writes[i].bytes.begin(), writes[i].bytes.end());
    }
    for (std::size_t i = 0; i < bytes.size(); i += 4) {
      std::int32_t word = 0;
      std::memcpy(&word, &bytes[i], 4);
      words.push_back(word);
    }
  }
  return words;
}

/// Multipliers of 31 bits as a model has them, and entry 0 of the parameters made of them.
struct Quantised {
  std::vector<std::int64_t> bias;
  std::vector<std::int32_t> multiplier;
  std::vector<int> shift;
};

template <typename BenchT>
Quantised SetEntry(BenchT& bench, std::uint64_t seed, bool wide) {
  std::mt19937_64 rng(seed);
  Quantised q;
  auto& entry = bench.memories().params[0];
  for (std::size_t i = 0; i < BenchT::kLanes; ++i) {
    q.multiplier.push_back(static_cast<std::int32_t>(0x40000000 + rng() % 0x40000000));
    if (rng() % 8 == 0) q.multiplier.back() = 0x7FFFFFFF;
    q.shift.push_back(static_cast<int>(rng() % 24) - (wide ? 20 : 23));
    q.bias.push_back(static_cast<std::int64_t>(rng() % (1ULL << (wide ? 40 : 20))) -
                     (1LL << (wide ? 39 : 19)));
    entry.bias[i] = static_cast<std::int32_t>(q.bias[i]);
    entry.shift[i] = static_cast<std::int8_t>(q.shift[i]);
    entry.multiplier[i] =
        wide ? static_cast<std::int32_t>(
                   static_cast<std::uint32_t>(q.bias[i] >> 32) << 16 |
                   static_cast<std::uint32_t>(tflite_rounding::ReducedMultiplier(q.multiplier[i])))
             : q.multiplier[i];
  }
  bench.LoadTables();
  return q;
}

// 16x8 convolutions: sums of 64 bits, multipliers of 15.
TYPED_TEST(IvectorUnit, WideIsTensorFlowLitesMultiplicationOfASum) {
  IntegerPair<TypeParam> pair(81);
  TypeParam& bench = pair.bench();
  const Quantised q = SetEntry(bench, 82, true);
  Ivector v = Rows(60);
  v.source = VectorSource::kAccumulators;
  v.a_format = IntegerFormat::kPair;
  v.a_ow = 2;
  v.a_low = 1;
  v.requant = IntegerRequant::kWide;
  pair.ExpectLikeGolden({v});
  const std::vector<std::int32_t> words = Written(bench);
  ASSERT_EQ(words.size(), 60 * TypeParam::kLanes);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t lane = i % TypeParam::kLanes;
    const std::size_t row = 2 * (i / TypeParam::kLanes);
    const std::int64_t sum = std::int64_t{256} * bench.memories().acc[row][lane] +
                             bench.memories().acc[row + 1][lane] + q.bias[lane];
    ASSERT_EQ(words[i], tflite_rounding::MultiplyWide(sum, q.multiplier[lane], q.shift[lane]))
        << "number " << i;
  }
}

// ADD of int16: both operands 2^15 times as large, the first one's multiplier is 1/2.
TYPED_TEST(IvectorUnit, ScaledSumsAreTensorFlowLitesAddition) {
  IntegerPair<TypeParam> pair(83);
  TypeParam& bench = pair.bench();
  const Quantised q = SetEntry(bench, 84, false);
  for (const bool single : {false, true}) {
    const auto multiply =
        single ? tflite_rounding::MultiplySingle : tflite_rounding::MultiplyDouble;
    Ivector v = Rows(60);
    v.a_ow = v.b_ow = 2;
    v.b_row = 200;
    v.map = IntegerMap::kAddScaled;
    v.constant = 0x5A827999;
    v.pre_shift = 3;
    v.requant = single ? IntegerRequant::kSingle : IntegerRequant::kDouble;
    bench.ResetNow();
    pair.ExpectLikeGolden({v});
    const std::vector<std::int32_t> words = Written(bench);
    ASSERT_EQ(words.size(), 60 * TypeParam::kLanes);
    const auto number = [&](std::size_t row, std::size_t i) {
      const std::size_t byte = row * TypeParam::kLanes + 2 * i;
      std::int16_t half = 0;
      for (std::size_t b = 0; b < 2; ++b) {
        const auto& bytes = bench.memories().ub[(byte + b) / TypeParam::kLanes];
        std::memcpy(reinterpret_cast<char*>(&half) + b, &bytes[(byte + b) % TypeParam::kLanes], 1);
      }
      return half;
    };
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::size_t lane = i % TypeParam::kLanes;
      const std::size_t row = 2 * (i / TypeParam::kLanes);
      const std::int32_t a = multiply(number(row, lane) * (1 << 15), 1 << 30, 0);
      const std::int32_t b = multiply(number(200 + row, lane) * (1 << 15), v.constant, -3);
      const auto sum = static_cast<std::int32_t>(a + b + q.bias[lane]);
      ASSERT_EQ(words[i], multiply(sum, q.multiplier[lane], q.shift[lane]))
          << "number " << i << (single ? ", single" : ", double");
    }
  }
}

// ---- Time ------------------------------------------------------------------------------

// The timing model says in which cycle each instruction is accepted and completed. It is about
// four integer lanes that take turns, and two floating-point lanes.
template <typename BenchT>
void ExpectModelledTime(const isa::HardwareConfig& config, std::uint64_t seed) {
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  IntegerPair<BenchT> pair(seed);
  BenchT& bench = pair.bench();
  bench.set_banked(true);
  Generator generator(seed, BenchT::kBf16);
  std::vector<Any> program(60);
  // Stretches of one kind, as an instruction waits longer for one of another kind.
  for (std::size_t i = 0; i < program.size(); ++i) {
    program[i] = seed % 3 == 0    ? generator.Next()
                 : i / 8 % 2 == 0 ? Any(generator.NextVector())
                                  : Any(generator.NextIvector());
    if (seed % 2 == 0) Shorten(program[i]);
    pair.Queue(program[i], static_cast<std::uint32_t>(i));
  }
  const std::uint64_t cycle = bench.dut().cycles();
  bench.Run(program.size());
  const Modelled modelled = Model(config, program, cycle);
  ASSERT_EQ(bench.log().accept_cycles, modelled.accepted);
  ASSERT_EQ(bench.log().done_cycles, modelled.completed);
  ASSERT_EQ(WritesOf(bench.log()), modelled.writes);
}

TEST(IvectorTiming, ModelSaysWhenTheRtlAcceptsAndCompletes) {
  isa::HardwareConfig config{.n = 4,
                             .ub_rows = kUbRows,
                             .acc_rows = kAccRows,
                             .param_rows = kParamRows,
                             .window = 1,
                             .requant_lanes = 1,
                             .int16 = 1};
  const std::uint64_t first = Seed(64);
  for (std::uint64_t seed = first; seed < first + 6; ++seed) {
    config.n = 4;
    config.bf16 = 0;
    ASSERT_NO_FATAL_FAILURE(ExpectModelledTime<MachineN4>(config, seed));
    config.n = 8;
    config.bf16 = 1;
    ASSERT_NO_FATAL_FAILURE(ExpectModelledTime<MachineN8>(config, seed));
    config.n = 16;
    config.bf16 = 0;
    ASSERT_NO_FATAL_FAILURE(ExpectModelledTime<MachineN16>(config, seed));
  }
}

template <typename BenchT>
double CyclesPerRow(const Ivector& v) {
  IntegerPair<BenchT> pair(71);
  pair.ExpectLikeGolden({v});
  const Log& log = pair.bench().log();
  const std::size_t lines = Lines(v.o_format);
  return static_cast<double>(log.write_cycles[log.write_cycles.size() - lines] -
                             log.write_cycles[0]) /
         (v.n_ow - 1);
}

TYPED_TEST(IvectorUnit, RowsFollowAsCloselyAsPromised) {
  const auto turns = static_cast<double>(TypeParam::kInt16Lanes);
  Ivector v = Rows(60);
  v.source = VectorSource::kAccumulators;
  v.a_format = IntegerFormat::kPair;
  v.a_ow = 1;
  v.a_low = 60;
  v.o_format = IntegerFormat::kInt16;
  v.o_ow = 2;
  EXPECT_EQ(CyclesPerRow<TypeParam>(v), std::max(2.0, turns)) << "pairs to int16";
  v.o_format = IntegerFormat::kInt32;
  v.o_ow = 4;
  EXPECT_EQ(CyclesPerRow<TypeParam>(v), 4) << "pairs to int32";
  v = Rows(60);
  v.map = IntegerMap::kMultiply;
  v.a_ow = v.b_ow = 2;
  v.b_row = 201;
  v.o_format = IntegerFormat::kInt8;
  v.o_ow = 1;
  EXPECT_EQ(CyclesPerRow<TypeParam>(v), std::max(2.0, turns)) << "products of int16";
  v = Rows(20);
  v.n_kh = v.n_kw = 3;
  v.a_ow = v.a_kw = 2;
  v.a_kh = 30;
  EXPECT_EQ(CyclesPerRow<TypeParam>(v), 18) << "windows of 9 rows of int16";
}

TYPED_TEST(IvectorUnit, ALoneRowTakesSoManyCycles) {
  Ivector v = Rows(1);
  v.source = VectorSource::kAccumulators;
  v.a_format = IntegerFormat::kInt32;
  const auto time = [](const Ivector& of) {
    IntegerPair<TypeParam> pair(71);
    pair.ExpectLikeGolden({of});
    return pair.bench().log().done_cycles[0] - pair.bench().log().accept_cycles[0];
  };
  // From acceptance to the tap 3 cycles, from there to the first line 20 and the turns of the other
  // lanes, then three further lines.
  const std::uint64_t lone = 3 + 20 + TypeParam::kInt16Lanes - 1 + 3;
  EXPECT_EQ(time(v), lone);
  v.a_format = IntegerFormat::kPair;
  EXPECT_EQ(time(v), lone + 1) << "pair";
  v.o_format = IntegerFormat::kInt8;
  EXPECT_EQ(time(v), lone - 2) << "pair to int8";
}

}  // namespace
}  // namespace tpu::vector_test
