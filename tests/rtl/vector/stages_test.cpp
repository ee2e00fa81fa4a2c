// SPDX-License-Identifier: Apache-2.0
// tpu_lane_int8 alone, with stages that wait: each stage's enable comes at random times, and a
// stage must keep what it holds until the next stage takes it, whatever the other inputs are. In
// tpu_vector_lanes all stages move in each cycle, so that a stage that ignores its enable would not
// be noticed there.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "Vlane_int8.h"
#include "Vlane_int8_pair.h"
#include "isa/instruction.h"
#include "lane_control.h"
#include "tb/dut.h"
#include "vector_model.h"

namespace tpu::vector_test {
namespace {

using isa::VectorMap;
using isa::VectorReduce;
using isa::VectorRequant;

// rtl/include/tpu_lane_control.vh
constexpr std::array<Field, 12> kTapEnables = {
    {{0}, {1}, {2}, {55}, {56}, {60}, {61}, {62}, {70}, {72}, {75}, {75}}};
constexpr Field kTap2 = {0}, kColumn2 = {1}, kWeight2 = {2}, kAcc2 = {3}, kTimesA2 = {4},
                kFactor2 = {5, 31}, kCopy2 = {36}, kAZero2 = {37, 8}, kBZero2 = {45, 8},
                kReverse2 = {53}, kMax2 = {54}, kTap3 = {55}, kColumn3 = {56}, kTwice3 = {57},
                kMax3 = {58}, kMin3 = {59}, kTap4 = {60}, kColumn4 = {61}, kTap5 = {62},
                kAdds5 = {63}, kSubtract5 = {64}, kShift5 = {65, 5}, kWindow5 = {70}, kMax5 = {71},
                kTap6 = {72}, kInside6 = {73}, kMax6 = {74}, kTap7 = {75}, kFirst7 = {76},
                kMax7 = {77};
constexpr Field kRowEnables = {0, 10}, kFirst8 = {10}, kNone9 = {11}, kDouble9 = {12},
                kDivide9 = {13}, kDivide15 = {14}, kZero15 = {15, 8}, kLow16 = {23, 8},
                kHigh16 = {31, 8}, kLookUp16 = {39}, kTable16 = {40, 3}, kLookUp17 = {43},
                kFloat9To14 = {44, 6};

/// Whether a row is requantised in that mode.
bool Follows(const isa::Vector& v, VectorRequant mode) {
  return v.float_rounding == 0 && v.requant == mode;
}

template <typename Model, std::size_t kLanes, bool kWindow>
class Stages {
 public:
  explicit Stages(std::uint64_t seed) : dut_(seed), rng_(seed) {
    for (std::uint32_t i = 0; i < 2048; ++i) {
      memories_.luts[i / 256][i % 256] = Byte();
      dut_->lut_wr_valid = 1;
      dut_->lut_wr_addr = static_cast<std::uint16_t>(i);
      dut_->lut_wr_data = static_cast<std::uint8_t>(memories_.luts[i / 256][i % 256]);
      Cycle();
    }
    dut_->lut_wr_valid = 0;
  }

  void Run(int instructions) {
    for (int i = 0; i < instructions; ++i) {
      if (kWindow && rng_() % 3 == 0) {
        Windows();
      } else {
        Taps();
      }
    }
    while (!source_.empty() || left_ != rows_.size()) {
      Cycle();
      if (::testing::Test::HasFailure()) return;
    }
  }

 private:
  enum class Kind { kTap, kWeights, kPixels };

  template <typename T>
  using PerLane = std::array<T, kLanes>;

  // What passes the stages 2 to 7: a tap, a column of weights, a column of pixels.
  struct Step {
    const isa::Vector* of;
    Kind kind = Kind::kTap;
    bool inside = true;
    bool first = true;
    // A tap, or the column that completes a window; the last one of its row.
    bool tap = true;
    bool last = true;
    std::array<bool, 3> present = {true, true, true};
    std::array<PerLane<std::int8_t>, 3> bytes{};
    PerLane<std::int32_t> words{};
  };
  // What passes the stages 8 to 17, lane by lane.
  struct Row {
    const isa::Vector* of;
    ParamEntry entry;
    PerLane<std::int8_t> bytes{};
  };
  struct Turn {
    std::size_t row;
    std::size_t lane;
  };

  std::int8_t Byte() {
    constexpr std::array<std::int8_t, 4> kExtremes = {0, 1, -128, 127};
    return rng_() % 4 == 0 ? kExtremes[rng_() % 4] : static_cast<std::int8_t>(rng_());
  }

  std::int32_t Word() {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(rng_())) >> (rng_() % 32);
  }

  isa::Vector& NewInstruction() {
    isa::Vector& v = instructions_.emplace_back();
    v.reduce = static_cast<VectorReduce>(rng_() % 2);
    v.requant = static_cast<VectorRequant>(rng_() % 4);
    v.float_rounding = rng_() % 4 == 0 ? 1 : 0;
    v.lut_enable = rng_() % 2;
    v.lut = rng_() % 8;
    v.a_zero = Byte();
    v.b_zero = Byte();
    v.o_zero = Byte();
    v.lo = Byte();
    v.hi = Byte();
    return v;
  }

  Step NewStep(const isa::Vector& v) {
    Step step{.of = &v};
    for (auto& bytes : step.bytes) std::ranges::generate(bytes, [this] { return Byte(); });
    std::ranges::generate(step.words, [this] { return Word(); });
    return step;
  }

  static void FillStep(Step& step, std::int8_t value) {
    step.present.fill(true);
    for (auto& bytes : step.bytes) bytes.fill(value);
  }

  [[nodiscard]] static std::int32_t Reduced(const isa::Vector& v, std::int32_t so_far,
                                            std::int32_t value) {
    if (v.reduce == VectorReduce::kMaximum) return std::max(so_far, value);
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(so_far) +
                                     static_cast<std::uint32_t>(value));
  }

  [[nodiscard]] static std::int32_t Nothing(const isa::Vector& v) {
    return v.reduce == VectorReduce::kMaximum ? std::numeric_limits<std::int32_t>::min() : 0;
  }

  void AddRow(const isa::Vector& v, const PerLane<std::int32_t>& reduced) {
    Row row{.of = &v, .entry = {}};
    for (std::size_t i = 0; i < kLanes; ++i) {
      row.entry.bias.push_back(Word());
      row.entry.multiplier.push_back(static_cast<std::int32_t>(rng_() & 0x7FFFFFFF) >>
                                     (rng_() % 31));
      row.entry.shift.push_back(static_cast<std::int8_t>(static_cast<int>(rng_() % 46) - 31));
      row.bytes[i] = Finish(v, memories_, row.entry, i, reduced[i]);
    }
    rows_.push_back(row);
  }

  void Taps() {
    isa::Vector& v = NewInstruction();
    v.map = static_cast<VectorMap>(rng_() % 7);
    if (v.map == VectorMap::kCopy && rng_() % 2 == 0) v.source = isa::VectorSource::kAccumulators;
    v.pre_mult = static_cast<std::int32_t>(rng_() & 0x7FFFFFFF);
    v.pre_shift = rng_() % 32;
    const auto rows = 1 + rng_() % 4;
    const auto taps = 1 + rng_() % 4;
    for (std::uint64_t row = 0; row < rows; ++row) {
      PerLane<std::int32_t> reduced;
      reduced.fill(Nothing(v));
      for (std::uint64_t tap = 0; tap < taps; ++tap) {
        Step step = NewStep(v);
        step.inside = rng_() % 4 != 0;
        step.first = tap == 0;
        step.last = tap + 1 == taps;
        for (std::size_t i = 0; step.inside && i < kLanes; ++i) {
          const std::int32_t a = v.source == isa::VectorSource::kAccumulators
                                     ? step.words[i]
                                     : step.bytes[0][i] - v.a_zero;
          reduced[i] = Reduced(v, reduced[i], Map(v, a, step.bytes[1][i] - v.b_zero));
        }
        source_.push_back(step);
      }
      AddRow(v, reduced);
    }
  }

  // A line of 3 x 3 windows: three columns of weights, then columns of pixels. Each weight and each
  // pixel may be missing: such a weight is 1, and such a pixel is 0 or no candidate for the
  // maximum.
  void Windows() {
    isa::Vector& v = NewInstruction();
    const bool weighs = rng_() % 2 == 0;
    if (weighs) {
      v.map = VectorMap::kMultiply;
      v.reduce = VectorReduce::kSum;
    }
    // Nine products as far from 0 as they come.
    const bool extreme = weighs && rng_() % 4 == 0;
    if (extreme) v.a_zero = rng_() % 2 == 0 ? 127 : -128;
    std::vector<Step> weights;
    for (int kw = 0; kw < 3; ++kw) {
      Step step = NewStep(v);
      step.kind = Kind::kWeights;
      step.tap = false;
      for (auto& present : step.present) present = weighs && rng_() % 4 != 0;
      if (extreme) FillStep(step, -128);
      weights.push_back(step);
      source_.push_back(step);
    }
    std::vector<Step> pixels;
    const auto columns = 3 + rng_() % 6;
    for (std::uint64_t column = 0; column < columns; ++column) {
      Step step = NewStep(v);
      step.kind = Kind::kPixels;
      const bool none = rng_() % 2 == 0;
      for (auto& present : step.present) present = !none && rng_() % 4 != 0;
      if (extreme) FillStep(step, v.a_zero < 0 ? 127 : -128);
      step.tap = column >= 2 && rng_() % 4 != 0;
      pixels.push_back(step);
      if (step.tap) {
        PerLane<std::int32_t> reduced;
        reduced.fill(Nothing(v));
        bool inside = false;
        for (std::size_t kw = 0; kw < 3; ++kw) {
          const Step& of = pixels[column - 2 + kw];
          for (std::size_t kh = 0; kh < 3; ++kh) {
            if (!of.present[kh]) continue;
            inside = true;
            for (std::size_t i = 0; i < kLanes; ++i) {
              const std::int32_t weight = weights[kw].present[kh] ? weights[kw].bytes[kh][i] : 1;
              reduced[i] = Reduced(v, reduced[i], (of.bytes[kh][i] - v.a_zero) * weight);
            }
          }
        }
        step.inside = inside;
        AddRow(v, reduced);
      }
      source_.push_back(step);
    }
  }

  // Fields of a stage that takes a step in this cycle.
  void Take(std::size_t stage, const Step& step, Control<3>& tap) {
    const isa::Vector& v = *step.of;
    const bool taps = step.kind == Kind::kTap;
    const bool maximum = v.reduce == VectorReduce::kMaximum;
    const bool copies = v.map == VectorMap::kCopy;
    const bool reverses = v.map == VectorMap::kReverseSubtract;
    const bool adds = v.map == VectorMap::kAdd || v.map == VectorMap::kSubtract || reverses;
    const bool picks = v.map == VectorMap::kMaximum || v.map == VectorMap::kMinimum;
    switch (stage) {
      case 2:
        tap.Set(kTap2, taps ? 1 : 0);
        tap.Set(kColumn2, step.kind == Kind::kPixels ? 1 : 0);
        tap.Set(kWeight2, step.kind == Kind::kWeights ? 1 : 0);
        tap.Set(kAcc2, v.source == isa::VectorSource::kAccumulators ? 1 : 0);
        tap.Set(kTimesA2, copies || v.map == VectorMap::kMultiply ? 1 : 0);
        tap.Set(kFactor2, adds ? static_cast<std::uint32_t>(v.pre_mult) : picks ? 1 : 0);
        tap.Set(kCopy2, copies && taps ? 1 : 0);
        tap.Set(kAZero2, static_cast<std::uint32_t>(reverses ? ~v.a_zero : v.a_zero));
        tap.Set(kBZero2, static_cast<std::uint32_t>(taps ? v.b_zero : v.a_zero));
        tap.Set(kReverse2, reverses ? 1 : 0);
        tap.Set(kMax2, maximum ? 1 : 0);
        SetPort(dut_->a_bytes, step.bytes[0]);
        SetPort(dut_->b_bytes, step.bytes[1]);
        SetPort(dut_->c_bytes, step.bytes[2]);
        SetPort(dut_->a_words, step.words);
        dut_->present = static_cast<std::uint8_t>(
            (step.present[0] ? 1 : 0) | (step.present[1] ? 2 : 0) | (step.present[2] ? 4 : 0));
        break;
      case 3:
        tap.Set(kTap3, taps ? 1 : 0);
        tap.Set(kColumn3, taps ? 0 : 1);
        tap.Set(kTwice3, adds && v.requant != VectorRequant::kSingle && v.pre_shift != 0 ? 1 : 0);
        tap.Set(kMax3, v.map == VectorMap::kMaximum ? 1 : 0);
        tap.Set(kMin3, v.map == VectorMap::kMinimum ? 1 : 0);
        break;
      case 4:
        tap.Set(kTap4, taps ? 1 : 0);
        tap.Set(kColumn4, taps ? 0 : 1);
        break;
      case 5:
        tap.Set(kTap5, taps ? 1 : 0);
        tap.Set(kWindow5, taps ? 0 : 1);
        tap.Set(kAdds5, adds ? 1 : 0);
        tap.Set(kSubtract5, v.map == VectorMap::kSubtract ? 1 : 0);
        tap.Set(kShift5, adds ? v.pre_shift : 0);
        tap.Set(kMax5, maximum ? 1 : 0);
        break;
      case 6:
        tap.Set(kTap6, 1);
        tap.Set(kInside6, step.inside ? 1 : 0);
        tap.Set(kMax6, maximum ? 1 : 0);
        break;
      default:
        tap.Set(kTap7, 1);
        tap.Set(kFirst7, step.first ? 1 : 0);
        tap.Set(kMax7, maximum ? 1 : 0);
        break;
    }
  }

  // Of stages 8 to 17, which a row passes lane by lane.
  void Take(std::size_t stage, const Turn& turn, Control<2>& row) {
    const Row& of = rows_[turn.row];
    const isa::Vector& v = *of.of;
    row.Set({static_cast<unsigned>(stage - 8)}, 1);
    if (stage >= 9 && stage <= 14) {
      row.Set({kFloat9To14.low + static_cast<unsigned>(stage - 9)}, v.float_rounding);
    }
    switch (stage) {
      case 8:
        row.Set(kFirst8, turn.lane == 0 ? 1 : 0);
        dut_->bias = static_cast<std::uint32_t>(of.entry.bias[turn.lane]);
        break;
      case 9:
        row.Set(kNone9, Follows(v, VectorRequant::kNone) ? 1 : 0);
        row.Set(kDouble9, Follows(v, VectorRequant::kDouble) ? 1 : 0);
        row.Set(kDivide9, Follows(v, VectorRequant::kDivide) ? 1 : 0);
        dut_->multiplier = static_cast<std::uint32_t>(of.entry.multiplier[turn.lane]);
        dut_->shift = static_cast<std::uint8_t>(of.entry.shift[turn.lane] & 0x3F);
        break;
      case 15:
        row.Set(kDivide15, Follows(v, VectorRequant::kDivide) ? 1 : 0);
        row.Set(kZero15, static_cast<std::uint32_t>(v.o_zero));
        break;
      case 16:
        row.Set(kLow16, static_cast<std::uint32_t>(std::min(v.lo, v.hi)));
        row.Set(kHigh16, static_cast<std::uint32_t>(v.hi));
        row.Set(kLookUp16, v.lut_enable);
        row.Set(kTable16, v.lut);
        break;
      default:
        break;
    }
  }

  // Everything that a stage does not take now may be anything.
  void Noise(Control<3>& tap, Control<2>& row) {
    for (auto& word : tap.words) word = static_cast<std::uint32_t>(rng_());
    for (const Field enable : kTapEnables) tap.Set(enable, 0);
    for (auto& word : row.words) word = static_cast<std::uint32_t>(rng_());
    row.Set(kRowEnables, 0);
    row.Set({50, 14}, 0);
    tap.words[2] &= 0x3FFF;
    for (std::size_t i = 0; i < 3; ++i) {
      PerLane<std::int8_t> bytes;
      std::ranges::generate(bytes, [this] { return Byte(); });
      if (i == 0) SetPort(dut_->a_bytes, bytes);
      if (i == 1) SetPort(dut_->b_bytes, bytes);
      if (i == 2) SetPort(dut_->c_bytes, bytes);
    }
    PerLane<std::int32_t> words;
    std::ranges::generate(words, [this] { return Word(); });
    SetPort(dut_->a_words, words);
    dut_->present = rng_() & 7;
    dut_->bias = static_cast<std::uint32_t>(rng_());
    dut_->multiplier = rng_() & 0x7FFFFFFF;
    dut_->shift = rng_() & 0x3F;
  }

  bool Coin() { return rng_() % 3 != 0; }

  // The stages' choices of a cycle, the last stage first: a stage takes what waits for it if what
  // it made before has been taken, or is taken now.
  void Cycle() {
    Control<3> tap;
    Control<2> row;
    Noise(tap, row);
    std::array<bool, 18> moves{};
    for (std::size_t s = 17; s >= 9; --s) {
      moves[s] = turns_[s] && (s == 17 || !turns_[s + 1] || moves[s + 1]) && Coin();
      if (moves[s]) Take(s, *turns_[s], row);
    }
    // A table is read in stage 16 whether a lane is there or not; what was read is kept for
    // stage 17.
    if (turns_[17] && !moves[16]) row.Set(kLookUp16, 0);
    if (turns_[17]) row.Set(kLookUp17, rows_[turns_[17]->row].of->lut_enable);

    const bool later_lane = next_turn_.lane != 0;
    moves[8] = (later_lane || row_waits_) && (!turns_[9] || moves[9]) && Coin();
    if (moves[8]) Take(8, next_turn_, row);
    const bool row_free = !row_waits_ || (moves[8] && !later_lane);
    for (std::size_t s = 7; s >= 2; --s) {
      const std::optional<Step>& step = steps_[s];
      moves[s] = step && (s == 7 ? row_free : !steps_[s + 1] || moves[s + 1]) && Coin();
      if (moves[s]) Take(s, *step, tap);
    }

    SetPort(dut_->tap, tap.words);
    SetPort(dut_->row, row.words);
    dut_.Eval();
    Check();
    dut_.Tick();
    Advance(moves);
  }

  // What stands at the output is the lane in stage 17, beside those that left before.
  void Check() {
    if (!turns_[17]) return;
    PerLane<std::int8_t> bytes;
    std::memcpy(bytes.data(), static_cast<const void*>(&dut_->bytes), kLanes);
    const Turn& turn = *turns_[17];
    for (std::size_t i = 0; i <= turn.lane; ++i) {
      ASSERT_EQ(bytes[kLanes - 1 - turn.lane + i], rows_[turn.row].bytes[i])
          << "row " << turn.row << ", lane " << i << ", cycle " << dut_.cycles();
    }
  }

  void Advance(const std::array<bool, 18>& moves) {
    if (moves[17]) {
      if (turns_[17]->lane + 1 == kLanes) ++left_;
      turns_[17].reset();
    }
    for (std::size_t s = 16; s >= 9; --s) {
      if (moves[s]) turns_[s + 1] = std::exchange(turns_[s], std::nullopt);
    }
    if (moves[8]) {
      turns_[9] = next_turn_;
      if (next_turn_.lane == 0) row_waits_ = false;
      next_turn_ = next_turn_.lane + 1 == kLanes ? Turn{next_turn_.row + 1, 0}
                                                 : Turn{next_turn_.row, next_turn_.lane + 1};
    }
    for (std::size_t s = 7; s >= 2; --s) {
      if (!moves[s]) continue;
      const Step step = *std::exchange(steps_[s], std::nullopt);
      if (s == 7) {
        row_waits_ = step.last;
      } else if (step.kind != Kind::kWeights && (s != 4 || step.tap)) {
        steps_[s + 1] = step;
      }
    }
    // Weights wait until nothing needs those before them.
    if (!steps_[2] && !source_.empty()) {
      const bool empty =
          std::none_of(steps_.begin(), steps_.end(), [](const auto& s) { return s; });
      if (source_.front().kind != Kind::kWeights || empty || loads_) {
        steps_[2] = source_.front();
        source_.pop_front();
        loads_ = steps_[2]->kind == Kind::kWeights;
      }
    }
  }

  tb::Dut<Model> dut_;
  std::mt19937_64 rng_;
  Memories memories_;
  std::deque<isa::Vector> instructions_;
  std::deque<Row> rows_;
  std::deque<Step> source_;
  // What waits to be taken by a stage
  std::array<std::optional<Step>, 8> steps_;
  std::array<std::optional<Turn>, 18> turns_;
  bool row_waits_ = false;
  bool loads_ = false;
  Turn next_turn_ = {0, 0};
  std::size_t left_ = 0;
};

template <typename T>
class LaneStages : public ::testing::Test {};

using StagesConfigurations =
    ::testing::Types<Stages<Vlane_int8, 1, true>, Stages<Vlane_int8_pair, 2, false>>;
TYPED_TEST_SUITE(LaneStages, StagesConfigurations);

TYPED_TEST(LaneStages, EachStageKeepsWhatItHoldsUntilTheNextOneTakesIt) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    TypeParam stages(seed);
    stages.Run(300);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace tpu::vector_test
