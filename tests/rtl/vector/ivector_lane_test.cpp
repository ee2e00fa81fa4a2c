// SPDX-License-Identifier: Apache-2.0
// tpu_ivector_lane alone, with stages that wait: each stage's enable comes at random times, and a
// stage must keep what it holds until the next stage takes it, whatever the other inputs are. Each
// turn has controls of its own, in any combination that rtl/include/tpu_ivector_lane.vh gives a
// meaning.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <optional>
#include <random>
#include <utility>

#include "Vivector_lane.h"
#include "Vivector_lane_n4.h"
#include "golden/arithmetic.h"
#include "isa/instruction.h"
#include "lane_control.h"
#include "tb/dut.h"

namespace tpu::vector_test {
namespace {

using golden::Wrap32;
using golden::Wrap48;
using isa::IntegerFormat;

// rtl/include/tpu_ivector_lane.vh
constexpr Field kA3 = {0}, kAFormat3 = {1, 2}, kHigh3 = {3}, kB3 = {4}, kBFormat3 = {5, 2},
                kBConstant3 = {7}, kConstant3 = {8, 32}, kWindow4 = {40}, kFirst4 = {41},
                kInside4 = {42}, kMax4 = {43}, kB4 = {44};
constexpr std::array kTapEnables = {kA3, kB3, kWindow4, kB4};
constexpr unsigned kTapBits = 45;
constexpr Field kRowEnables = {0, 14}, kFirst5 = {14}, kX5 = {15, 2}, kY5 = {17, 2},
                kConstant5 = {19, 32}, kFactor5 = {110}, kNegate6 = {51}, kTwice6 = {52},
                kLook6 = {112}, kTable6 = {113}, kScaled7 = {53}, kProduct7 = {54}, kMax7 = {55},
                kMin7 = {56}, kLook7 = {114}, kScaled8 = {57}, kShift8 = {58, 5}, kSubtract8 = {63},
                kNone10 = {64}, kDouble10 = {65}, kDivide10 = {66}, kWide10 = {67},
                kFactor10 = {111}, kDivide16 = {68}, kZero16 = {69, 8}, kLow17 = {77, 16},
                kHigh17 = {93, 16}, kWord17 = {109};
constexpr unsigned kRowBits = 117;

enum class X { kR, kB, kConstant };
enum class Y { kZero, kOne, kB };
// What stage 7 takes beside the product
enum class Map { kR, kScaledR, kNothing, kLarger, kSmaller, kTable };
enum class Mode { kNone, kDouble, kDivide, kWide, kSingle };

constexpr std::size_t kStages = 19;

template <typename Model, std::size_t kLanes>
class IntegerStages {
 public:
  explicit IntegerStages(std::uint64_t seed) : dut_(seed), rng_(seed) {
    for (std::uint32_t i = 0; i < 2048; ++i) {
      luts_[i / 256][i % 256] = static_cast<std::uint8_t>(rng_());
      dut_->lut_wr_valid = 1;
      dut_->lut_wr_addr = static_cast<std::uint16_t>(i);
      dut_->lut_wr_data = luts_[i / 256][i % 256];
      Cycle();
    }
    dut_->lut_wr_valid = 0;
  }

  void Run(int windows) {
    for (int i = 0; i < windows; ++i) AddWindow();
    while (left_ != rows_.size()) {
      Cycle();
      if (::testing::Test::HasFailure()) return;
    }
  }

 private:
  template <typename T>
  using PerLane = std::array<T, kLanes>;

  struct Operand {
    IntegerFormat format = IntegerFormat::kInt8;
    PerLane<std::int8_t> bytes{};
    PerLane<std::int16_t> halves{};
    PerLane<std::int32_t> words{};

    [[nodiscard]] std::int64_t Number(std::size_t lane) const {
      if (format == IntegerFormat::kInt8) return bytes[lane];
      return format == IntegerFormat::kInt16 ? halves[lane] : words[lane];
    }
  };
  // What passes the stages 3 and 4: a tap, or the high words of a pair alone.
  struct Step {
    bool high = false;
    bool inside = true;
    bool first = true;
    bool last = true;
    bool maximum = false;
    bool b_constant = false;
    std::int32_t constant = 0;
    Operand a;
    Operand b;
  };
  // What passes the stages 5 to 18.
  struct Turn {
    X x = X::kR;
    Y y = Y::kZero;
    std::int32_t constant = 0;
    Map map = Map::kR;
    bool negate = false;
    bool subtract = false;
    bool twice = false;
    unsigned right = 0;
    bool looks = false;
    unsigned table = 0;
    Mode mode = Mode::kNone;
    // b is taken along; it is the multiplier.
    bool takes_factor = false;
    bool factor = false;
    std::int32_t bias = 0;
    std::int32_t multiplier = 0;
    int shift = 0;
    std::int8_t zero = 0;
    std::int16_t lo = 0;
    std::int16_t hi = 0;
    bool whole = false;
    std::int32_t word = 0;
  };
  using Row = PerLane<Turn>;
  struct Place {
    std::size_t row;
    std::size_t lane;
  };

  bool Coin() { return rng_() % 3 != 0; }
  bool Half() { return rng_() % 2 == 0; }

  std::int32_t Word() {
    constexpr std::array kExtremes = {0,
                                      1,
                                      -1,
                                      -0x8000,
                                      std::numeric_limits<std::int32_t>::max(),
                                      std::numeric_limits<std::int32_t>::min()};
    if (rng_() % 8 == 0) return kExtremes[rng_() % kExtremes.size()];
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(rng_())) >> (rng_() % 32);
  }

  Operand NewOperand(IntegerFormat format) {
    Operand operand{.format = format};
    for (auto& byte : operand.bytes) byte = static_cast<std::int8_t>(rng_());
    for (auto& half : operand.halves) half = static_cast<std::int16_t>(Word());
    for (auto& word : operand.words) word = Word();
    return operand;
  }

  void AddWindow() {
    const bool maximum = Half();
    const auto taps = 1 + rng_() % 3;
    PerLane<std::int64_t> r;
    r.fill(maximum ? -(std::int64_t{1} << 47) : 0);
    for (std::uint64_t tap = 0; tap < taps; ++tap) {
      Step step{.inside = rng_() % 4 != 0 || !b_known_, .first = tap == 0, .last = tap + 1 == taps};
      step.maximum = maximum;
      step.b_constant = rng_() % 4 == 0;
      step.constant = Word();
      step.a = NewOperand(static_cast<IntegerFormat>(rng_() % 4));
      step.b = NewOperand(static_cast<IntegerFormat>(rng_() % 3));
      PerLane<std::int64_t> a{};
      if (step.inside && step.a.format == IntegerFormat::kPair) {
        Step high{.high = true, .a = NewOperand(IntegerFormat::kPair)};
        for (std::size_t i = 0; i < kLanes; ++i) a[i] = 256 * high.a.Number(i);
        source_.push_back(high);
      }
      for (std::size_t i = 0; step.inside && i < kLanes; ++i) {
        a[i] += step.a.Number(i);
        r[i] = maximum ? std::max(r[i], a[i]) : r[i] + a[i];
        b_[i] = step.b_constant ? step.constant : static_cast<std::int32_t>(step.b.Number(i));
      }
      b_known_ |= step.inside;
      source_.push_back(step);
    }
    Row& row = rows_.emplace_back();
    for (std::size_t i = 0; i < kLanes; ++i) row[i] = NewTurn(r[i], b_[i]);
  }

  // Makes x * y the largest product there is, or of an odd y one of those around the numbers at
  // which rounding twice goes up.
  void ChooseProduct(Turn& turn, std::int32_t b) {
    const auto y = static_cast<std::int16_t>(b);
    const bool largest = y == std::numeric_limits<std::int16_t>::min();
    if (y % 2 == 0 && !largest) return;
    turn.x = X::kConstant;
    turn.y = Y::kB;
    if (largest) {
      turn.constant = std::numeric_limits<std::int32_t>::min();
      return;
    }
    const auto odd = static_cast<std::uint32_t>(std::int32_t{y});
    std::uint32_t inverse = odd;  // Modulo 2^32
    for (int i = 0; i < 4; ++i) inverse *= 2 - odd * inverse;
    turn.right = 1 + rng_() % 8;
    turn.twice = true;
    const std::uint32_t low = (1U << (16 + turn.right)) - 1;
    const std::uint32_t product = (1U << (15 + turn.right)) + (Half() ? 0x8000U : -0x8000U) +
                                  static_cast<std::uint32_t>(rng_() % 3) - 1;
    const std::uint32_t x = (inverse * product & low) | (static_cast<std::uint32_t>(rng_()) & ~low);
    turn.constant = static_cast<std::int32_t>(x);
  }

  Turn NewTurn(std::int64_t r, std::int32_t b) {
    Turn turn;
    turn.x = static_cast<X>(rng_() % 3);
    turn.y = static_cast<Y>(rng_() % 3);
    turn.constant = Word();
    turn.map = static_cast<Map>(rng_() % 6);
    const bool chooses = turn.map == Map::kLarger || turn.map == Map::kSmaller;
    turn.negate = !chooses && Half();
    turn.subtract = !chooses && Half();
    if (turn.map == Map::kScaledR) {
      turn.right = rng_() % 32;
      turn.twice = turn.right != 0 && Half();
      if (Half()) ChooseProduct(turn, b);
    }
    turn.looks = turn.map == Map::kTable ? looked_up_ == std::nullopt || Half() : rng_() % 4 == 0;
    turn.table = rng_() % 2;
    turn.mode = static_cast<Mode>(rng_() % 5);
    turn.takes_factor = Half();
    turn.factor = Half();
    turn.bias = Word();
    turn.multiplier = Word();
    turn.shift = static_cast<int>(rng_() % (turn.mode == Mode::kWide ? 46 : 62)) - 31;
    turn.zero = static_cast<std::int8_t>(rng_());
    turn.lo = static_cast<std::int16_t>(Word());
    turn.hi = static_cast<std::int16_t>(Word());
    if (turn.lo > turn.hi) std::swap(turn.lo, turn.hi);
    turn.whole = Half();

    const std::int32_t y =
        Wrap32(std::int64_t{Requantised(turn, Mapped(turn, r, b), b)} + turn.zero);
    turn.word = turn.whole ? y : std::clamp<std::int32_t>(y, turn.lo, turn.hi);
    return turn;
  }

  std::int64_t Mapped(const Turn& turn, std::int64_t r, std::int32_t b) {
    const std::int32_t x = turn.x == X::kR ? Wrap32(r) : turn.x == X::kB ? b : turn.constant;
    const auto y = static_cast<std::int16_t>(turn.y == Y::kB ? b : turn.y == Y::kOne ? 1 : 0);
    const std::int64_t product =
        turn.map == Map::kScaledR
            ? golden::PremultiplyWide(!turn.twice, y, x, static_cast<int>(turn.right))
            : std::int64_t{x} * y;
    const std::int64_t addend = turn.subtract ? -product : product;
    const std::int64_t augend = turn.negate ? -r : r;
    if (turn.looks) looked_up_ = Look(turn.table, r - x);
    switch (turn.map) {
      case Map::kR:
        return Wrap48(augend + addend);
      case Map::kScaledR:
        return Wrap48(augend * (1 << 14) + addend);
      case Map::kNothing:
        return addend;
      case Map::kLarger:
        return r < x ? product : r;
      case Map::kSmaller:
        return r < x ? r : product;
      case Map::kTable:
        break;
    }
    return Wrap48(looked_up_.value() + addend);
  }

  [[nodiscard]] std::int32_t Look(unsigned table, std::int64_t index) const {
    std::uint32_t word = 0;
    for (unsigned byte = 0; byte < 4; ++byte) {
      const auto entry = static_cast<std::uint8_t>(index);
      word |= std::uint32_t{luts_[4 * table + byte][entry]} << (8 * byte);
    }
    return std::bit_cast<std::int32_t>(word);
  }

  static std::int32_t Requantised(const Turn& turn, std::int64_t value, std::int32_t b) {
    const std::int32_t chosen = !turn.factor ? turn.multiplier : turn.takes_factor ? b : 0;
    const std::int32_t multiplier = chosen & 0x7FFFFFFF;
    const auto narrow = [&](isa::VectorRequant mode) {
      return golden::Requantise(mode, Wrap32(value), turn.bias, multiplier, turn.shift);
    };
    switch (turn.mode) {
      case Mode::kNone:
        return narrow(isa::VectorRequant::kNone);
      case Mode::kDouble:
        return narrow(isa::VectorRequant::kDouble);
      case Mode::kDivide:
        return narrow(isa::VectorRequant::kDivide);
      case Mode::kSingle:
        return narrow(isa::VectorRequant::kSingle);
      case Mode::kWide:
        break;
    }
    // The upper half of the parameter's multiplier belongs to the bias.
    return golden::RequantiseWide(value, turn.bias,
                                  (turn.multiplier & ~0xFFFF) | (multiplier & 0x7FFF), turn.shift);
  }

  // Fields of a stage that takes a step in this cycle.
  void Take(std::size_t stage, const Step& step, Control<2>& tap) {
    if (stage == 3) {
      const bool takes_b = step.inside && !step.high;
      tap.Set(kA3, step.inside ? 1 : 0);
      tap.Set(kAFormat3, static_cast<std::uint32_t>(step.a.format));
      tap.Set(kHigh3, step.high ? 1 : 0);
      tap.Set(kB3, takes_b ? 1 : 0);
      SetPort(dut_->a_bytes, step.a.bytes);
      SetPort(dut_->a_halves, step.a.halves);
      SetPort(dut_->a_words, step.a.words);
      if (!takes_b) return;
      tap.Set(kBFormat3, static_cast<std::uint32_t>(step.b.format));
      tap.Set(kBConstant3, step.b_constant ? 1 : 0);
      tap.Set(kConstant3, static_cast<std::uint32_t>(step.constant));
      SetPort(dut_->b_bytes, step.b.bytes);
      SetPort(dut_->b_halves, step.b.halves);
      SetPort(dut_->b_words, step.b.words);
      return;
    }
    tap.Set(kWindow4, step.first || step.inside ? 1 : 0);
    tap.Set(kFirst4, step.first ? 1 : 0);
    tap.Set(kInside4, step.inside ? 1 : 0);
    tap.Set(kMax4, step.maximum ? 1 : 0);
    tap.Set(kB4, step.inside ? 1 : 0);
  }

  void Take(std::size_t stage, const Place& place, Control<4>& row) {
    const Turn& turn = rows_[place.row][place.lane];
    row.Set({static_cast<unsigned>(stage - 5)}, 1);
    switch (stage) {
      case 5:
        row.Set(kFirst5, place.lane == 0 ? 1 : 0);
        row.Set(kX5, static_cast<std::uint32_t>(turn.x));
        row.Set(kY5, static_cast<std::uint32_t>(turn.y));
        row.Set(kConstant5, static_cast<std::uint32_t>(turn.constant));
        row.Set(kFactor5, turn.takes_factor ? 1 : 0);
        break;
      case 6:
        row.Set(kNegate6, turn.negate ? 1 : 0);
        row.Set(kTwice6, turn.twice ? 1 : 0);
        row.Set(kLook6, turn.looks ? 1 : 0);
        row.Set(kTable6, turn.table);
        break;
      case 7:
        row.Set(kScaled7, turn.map == Map::kScaledR ? 1 : 0);
        row.Set(kProduct7, turn.map == Map::kNothing ? 1 : 0);
        row.Set(kMax7, turn.map == Map::kLarger ? 1 : 0);
        row.Set(kMin7, turn.map == Map::kSmaller ? 1 : 0);
        row.Set(kLook7, turn.map == Map::kTable ? 1 : 0);
        break;
      case 8:
        row.Set(kScaled8, turn.map == Map::kScaledR ? 1 : 0);
        row.Set(kShift8, turn.right);
        row.Set(kSubtract8, turn.subtract ? 1 : 0);
        break;
      case 9:
        dut_->bias = static_cast<std::uint32_t>(turn.bias);
        break;
      case 10:
        row.Set(kNone10, turn.mode == Mode::kNone ? 1 : 0);
        row.Set(kDouble10, turn.mode == Mode::kDouble ? 1 : 0);
        row.Set(kDivide10, turn.mode == Mode::kDivide ? 1 : 0);
        row.Set(kWide10, turn.mode == Mode::kWide ? 1 : 0);
        row.Set(kFactor10, turn.factor ? 1 : 0);
        dut_->multiplier = static_cast<std::uint32_t>(turn.multiplier);
        dut_->shift = static_cast<std::uint8_t>(turn.shift & 0x3F);
        break;
      case 16:
        row.Set(kDivide16, turn.mode == Mode::kDivide ? 1 : 0);
        row.Set(kZero16, static_cast<std::uint32_t>(turn.zero));
        break;
      case 17:
        row.Set(kLow17, static_cast<std::uint32_t>(turn.lo));
        row.Set(kHigh17, static_cast<std::uint32_t>(turn.hi));
        row.Set(kWord17, turn.whole ? 1 : 0);
        break;
      default:
        break;
    }
  }

  // Everything that a stage does not take now may be anything.
  void Noise(Control<2>& tap, Control<4>& row) {
    for (auto& word : tap.words) word = static_cast<std::uint32_t>(rng_());
    for (const Field enable : kTapEnables) tap.Set(enable, 0);
    tap.Set({kTapBits, 64 - kTapBits}, 0);
    for (auto& word : row.words) word = static_cast<std::uint32_t>(rng_());
    row.Set(kRowEnables, 0);
    row.Set({kRowBits, 128 - kRowBits}, 0);
    const Operand a = NewOperand(IntegerFormat::kInt8);
    const Operand b = NewOperand(IntegerFormat::kInt8);
    SetPort(dut_->a_bytes, a.bytes);
    SetPort(dut_->a_halves, a.halves);
    SetPort(dut_->a_words, a.words);
    SetPort(dut_->b_bytes, b.bytes);
    SetPort(dut_->b_halves, b.halves);
    SetPort(dut_->b_words, b.words);
    dut_->bias = static_cast<std::uint32_t>(rng_());
    dut_->multiplier = static_cast<std::uint32_t>(rng_());
    dut_->shift = rng_() & 0x3F;
  }

  // The stages' choices of a cycle, the last stage first: a stage takes what waits for it if what
  // it made before has been taken, or is taken now.
  void Cycle() {
    Control<2> tap;
    Control<4> row;
    Noise(tap, row);
    std::array<bool, kStages> moves{};
    for (std::size_t s = kStages - 1; s >= 6; --s) {
      moves[s] = turns_[s] && (s + 1 == kStages || !turns_[s + 1] || moves[s + 1]) && Coin();
      if (moves[s]) Take(s, *turns_[s], row);
    }
    const bool later_lane = next_turn_.lane != 0;
    moves[5] = (later_lane || window_waits_) && (!turns_[6] || moves[6]) && Coin();
    if (moves[5]) Take(5, next_turn_, row);
    const bool window_free = !window_waits_ || (moves[5] && !later_lane);
    moves[4] = steps_[4] && window_free && Coin();
    if (moves[4]) Take(4, *steps_[4], tap);
    moves[3] = steps_[3] && (!steps_[4] || moves[4]) && Coin();
    if (moves[3]) Take(3, *steps_[3], tap);

    SetPort(dut_->tap, tap.words);
    SetPort(dut_->row, row.words);
    dut_.Eval();
    Check();
    dut_.Tick();
    Advance(moves);
  }

  // What stands at the output is the lane in stage 18, beside those that left before.
  void Check() {
    if (!turns_[18]) return;
    PerLane<std::int32_t> words;
    std::memcpy(words.data(), static_cast<const void*>(&dut_->words), sizeof(words));
    const Place& place = *turns_[18];
    for (std::size_t i = 0; i <= place.lane; ++i) {
      const Turn& turn = rows_[place.row][i];
      const std::int32_t word = words[kLanes - 1 - place.lane + i];
      ASSERT_EQ(turn.whole ? word : static_cast<std::int16_t>(word), turn.word)
          << "row " << place.row << ", lane " << i << ", cycle " << dut_.cycles();
    }
  }

  void Advance(const std::array<bool, kStages>& moves) {
    if (moves[18]) {
      if (turns_[18]->lane + 1 == kLanes) ++left_;
      turns_[18].reset();
    }
    for (std::size_t s = 17; s >= 6; --s) {
      if (moves[s]) turns_[s + 1] = std::exchange(turns_[s], std::nullopt);
    }
    if (moves[5]) {
      turns_[6] = next_turn_;
      if (next_turn_.lane == 0) window_waits_ = false;
      next_turn_ = next_turn_.lane + 1 == kLanes ? Place{next_turn_.row + 1, 0}
                                                 : Place{next_turn_.row, next_turn_.lane + 1};
    }
    if (moves[4]) window_waits_ = std::exchange(steps_[4], std::nullopt)->last;
    if (moves[3]) {
      const Step step = *std::exchange(steps_[3], std::nullopt);
      if (!step.high) steps_[4] = step;
    }
    if (!steps_[3] && !source_.empty()) {
      steps_[3] = source_.front();
      source_.pop_front();
    }
  }

  tb::Dut<Model> dut_;
  std::mt19937_64 rng_;
  std::array<std::array<std::uint8_t, 256>, 8> luts_{};
  // Of the last tap inside the bounds
  PerLane<std::int32_t> b_{};
  bool b_known_ = false;
  // What the tables gave last
  std::optional<std::int32_t> looked_up_;
  std::deque<Row> rows_;
  std::deque<Step> source_;
  // What waits to be taken by a stage
  std::array<std::optional<Step>, 5> steps_;
  std::array<std::optional<Place>, kStages> turns_;
  bool window_waits_ = false;
  Place next_turn_ = {0, 0};
  std::size_t left_ = 0;
};

template <typename T>
class IvectorLaneStages : public ::testing::Test {};

using Configurations =
    ::testing::Types<IntegerStages<Vivector_lane, 1>, IntegerStages<Vivector_lane_n4, 4>>;
TYPED_TEST_SUITE(IvectorLaneStages, Configurations);

TYPED_TEST(IvectorLaneStages, EachStageKeepsWhatItHoldsUntilTheNextOneTakesIt) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    TypeParam stages(seed);
    stages.Run(800);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace tpu::vector_test
