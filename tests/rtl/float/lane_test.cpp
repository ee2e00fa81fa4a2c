// SPDX-License-Identifier: Apache-2.0
// tpu_float_lane alone: controls made as its header demands, windows against docs/isa.md, 10.4, to
// the bit and to the cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <limits>

#include "Vfloat_lane_1.h"
#include "Vfloat_lane_4.h"
#include "arithmetic/float/float32.h"
#include "arithmetic/float/float_functions.h"
#include "float_reference.h"
#include "tb/dut.h"

namespace tpu::float_test {
namespace {

using arithmetic::Canonical;
using arithmetic::FloatBits;
using arithmetic::FloatOf;

enum Format { kInt8, kBf16, kFp32, kInt32 };
constexpr std::array kFormats = {kInt8, kBf16, kFp32, kInt32};
constexpr std::array kFormatNames = {"int8", "bf16", "fp32", "int32"};
enum Reduce { kSum, kMax, kMin };
constexpr std::array kReductions = {kSum, kMax, kMin};

constexpr std::uint32_t kOne = 0x3F800000;
constexpr std::uint32_t kInfinity = 0x7F800000;
constexpr std::uint32_t kSign = 0x80000000;

// ---- What the lane should compute ----------------------------------------------------

struct MapKind {
  const char* name;
  float (*value)(float a, float b, float constant);
  /// Choices of x, y, z, as in tpu_float_lane.vh
  std::uint8_t x, y, z;
};

float Truth(bool value) { return value ? 1.0F : 0.0F; }

constexpr std::array kMaps = {
    MapKind{"copy", [](float a, float, float) { return a; }, 0, 0, 0},
    MapKind{"add", [](float a, float b, float) { return arithmetic::Add(a, b); }, 1, 0, 1},
    MapKind{"sub", [](float a, float b, float) { return arithmetic::Subtract(a, b); }, 1, 1, 1},
    MapKind{"rsub", [](float a, float b, float) { return arithmetic::Subtract(b, a); }, 0, 1, 2},
    MapKind{"mul", [](float a, float b, float) { return arithmetic::Multiply(a, b); }, 0, 2, 0},
    MapKind{"max", [](float a, float b, float) { return arithmetic::Maximum(a, b); }, 2, 0, 0},
    MapKind{"min", [](float a, float b, float) { return arithmetic::Minimum(a, b); }, 3, 0, 0},
    MapKind{"fma", [](float a, float b, float c) { return arithmetic::Fma(b, a, c); }, 0, 3, 2},
    MapKind{"gt", [](float a, float b, float) { return Truth(a > b); }, 4, 0, 0},
    MapKind{"ge", [](float a, float b, float) { return Truth(a >= b); }, 5, 0, 0},
    MapKind{"eq", [](float a, float b, float) { return Truth(a == b); }, 6, 0, 0},
    MapKind{"select", [](float a, float b, float c) { return a == 0 ? c : b; }, 7, 0, 0},
    MapKind{"addsq", [](float a, float b, float) { return arithmetic::Fma(a, b, b); }, 1, 2, 1},
};
constexpr std::size_t kCopy = 0;
constexpr std::size_t kMultiply = 4;

struct FunctionKind {
  const char* name;
  float (*value)(float);
  /// As in tpu_float_function; 0: no number goes there
  std::uint8_t number;
  int steps;
};

constexpr std::array kFunctions = {
    FunctionKind{"none", [](float x) { return x; }, 0, 0},
    FunctionKind{"neg", [](float x) { return Canonical(-x); }, 0, 0},
    FunctionKind{"abs", [](float x) { return Canonical(std::abs(x)); }, 0, 0},
    FunctionKind{"exp", arithmetic::Exp, 1, 8},
    FunctionKind{"log", arithmetic::Log, 2, 5},
    FunctionKind{"reciprocal", arithmetic::Reciprocal, 3, 4},
    FunctionKind{"rsqrt", arithmetic::ReciprocalSquareRoot, 4, 4},
    FunctionKind{"tanh", arithmetic::Tanh, 5, 6},
    FunctionKind{"logistic", arithmetic::Logistic, 6, 13},
};
constexpr std::size_t kNegate = 1;
constexpr std::size_t kAbsolute = 2;

/// A number of a format as fp32.
float Unpacked(Format format, std::uint32_t word) {
  switch (format) {
    case kInt8:
      return static_cast<float>(static_cast<std::int8_t>(word));
    case kBf16:
      return arithmetic::FloatOfBf16(static_cast<std::uint16_t>(word));
    case kFp32:
      break;
    case kInt32:
      return arithmetic::FloatOfInt32(static_cast<std::int32_t>(word));
  }
  return Canonical(FloatOf(word));
}

std::uint32_t Packed(Format format, float x) {
  switch (format) {
    case kInt8:
      return static_cast<std::uint32_t>(std::int32_t{arithmetic::Int8OfFloat(x)});
    case kBf16:
      return arithmetic::Bf16OfFloat(x);
    case kFp32:
      break;
    case kInt32:
      return static_cast<std::uint32_t>(arithmetic::Int32OfFloat(x));
  }
  return FloatBits(x);
}

struct Instruction {
  std::size_t map = kCopy;
  Reduce reduce = kSum;
  Format a_format = kFp32;
  Format b_format = kFp32;
  bool b_is_constant = false;
  std::uint32_t constant = 0;
  bool scale = false;
  std::size_t function = 0;
  std::uint32_t lo = kSign | kInfinity;
  std::uint32_t hi = kInfinity;
  Format o_format = kFp32;
  int taps = 1;

  /// Sums whose taps take the multiply-adder twice, or only meet the sum there.
  [[nodiscard]] bool sums() const { return reduce == kSum && taps > 1; }
  [[nodiscard]] bool twice() const { return sums() && kMaps[map].z != 0; }
};

std::string Describe(const Instruction& v) {
  return fmt::format(
      "{} of {} and {}{} (constant {:08x}), reduce {} of {} taps, {}{} to {}, {:08x} to {:08x}",
      kMaps[v.map].name, kFormatNames[v.a_format], kFormatNames[v.b_format],
      v.b_is_constant ? " replaced by the constant" : "", v.constant, static_cast<int>(v.reduce),
      v.taps, v.scale ? "scale, " : "", kFunctions[v.function].name, kFormatNames[v.o_format], v.lo,
      v.hi);
}

template <std::size_t kLanes>
using Row = std::array<std::uint32_t, kLanes>;

template <std::size_t kLanes>
struct Tap {
  bool inside = true;
  Row<kLanes> a{};
  Row<kLanes> b{};
};

template <std::size_t kLanes>
struct Window {
  std::vector<Tap<kLanes>> taps;
  Row<kLanes> bias{};
  Row<kLanes> multiplier{};
};

template <std::size_t kLanes>
std::uint32_t Expected(const Instruction& v, const Window<kLanes>& window, std::size_t lane) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float constant = Canonical(FloatOf(v.constant));
  float r = v.reduce == kSum ? -0.0F : v.reduce == kMax ? -infinity : infinity;
  for (const Tap<kLanes>& tap : window.taps) {
    if (!tap.inside) continue;
    const float a = Unpacked(v.a_format, tap.a[lane]);
    const float b = v.b_is_constant ? constant : Unpacked(v.b_format, tap.b[lane]);
    const float mapped = kMaps[v.map].value(a, b, constant);
    r = v.reduce == kMax     ? arithmetic::Maximum(r, mapped)
        : v.reduce == kMin   ? arithmetic::Minimum(r, mapped)
        : v.map == kMultiply ? arithmetic::Fma(r, a, b)
                             : arithmetic::Add(r, mapped);
  }
  if (v.scale) r = arithmetic::Fma(FloatOf(window.bias[lane]), r, FloatOf(window.multiplier[lane]));
  r = kFunctions[v.function].value(r);
  r = arithmetic::Minimum(arithmetic::Maximum(r, FloatOf(v.lo)), FloatOf(v.hi));
  return Packed(v.o_format, r);
}

// ---- Controls ------------------------------------------------------------------------

// Those that are zero where a stage is empty, and those that may be anything there.
#define TPU_ENABLES(F) \
  F(tap_2_en)          \
  F(tap_3_en)          \
  F(tap_4_en)          \
  F(tap_5_en)          \
  F(tap_6_to_9_en)     \
  F(tap_9_keep)        \
  F(tap_10_en)         \
  F(row_11_en)         \
  F(row_12_to_15_en)   \
  F(row_16_en)         \
  F(row_16_start)      \
  F(row_17_en)         \
  F(row_18_en)         \
  F(row_19_en)         \
  F(row_20_en)         \
  F(row_21_en)
#define TPU_CHOICES(F)          \
  F(tap_2_a_format, 3)          \
  F(tap_2_b_format, 3)          \
  F(tap_2_b_constant, 1)        \
  F(tap_2_constant, 0xFFFFFFFF) \
  F(tap_3_a_int, 1)             \
  F(tap_3_b_int, 1)             \
  F(tap_5_x, 7)                 \
  F(tap_5_y, 3)                 \
  F(tap_5_z, 3)                 \
  F(tap_5_inside, 1)            \
  F(tap_5_max, 1)               \
  F(tap_5_min, 1)               \
  F(tap_5_constant, 0xFFFFFFFF) \
  F(tap_6_sum, 1)               \
  F(tap_6_again, 1)             \
  F(tap_10_first, 1)            \
  F(tap_10_min, 1)              \
  F(row_11_first, 1)            \
  F(row_11_min, 1)              \
  F(row_11_scale, 1)            \
  F(row_16_negate, 1)           \
  F(row_16_absolute, 1)         \
  F(row_16_function, 7)         \
  F(row_17_function, 1)         \
  F(row_17_lo, 0xFFFFFFFF)      \
  F(row_18_hi, 0xFFFFFFFF)      \
  F(row_19_format, 3)           \
  F(row_20_format, 3)           \
  F(bias, 0xFFFFFFFF)           \
  F(multiplier, 0xFFFFFFFF)

/// All inputs of one cycle, and what comes out in it.
template <std::size_t kLanes>
struct Cycle {
#define TPU_FIELD(name, ...) std::uint32_t name = 0;
  TPU_ENABLES(TPU_FIELD)
  TPU_CHOICES(TPU_FIELD)
#undef TPU_FIELD
  Row<kLanes> a{};
  Row<kLanes> b{};
  bool comes_out = false;
  Row<kLanes> words{};
  std::string what;

  explicit Cycle(Random& random) {
#define TPU_FIELD(name, mask) name = random.Bits() & (mask);
    TPU_CHOICES(TPU_FIELD)
#undef TPU_FIELD
    for (std::uint32_t& word : a) word = random.Bits();
    for (std::uint32_t& word : b) word = random.Bits();
  }
};

template <typename Port>
void Set(Port& port, std::uint32_t value) {
  port = static_cast<Port>(value);
}

constexpr int kAdderLatency = 4;

/// Lanes, and whoever makes their controls. Times are cycles.
template <typename Model, std::size_t kLanes>
class Bench {
 public:
  explicit Bench(std::uint64_t seed) : random_(seed) {
    Apply(Cycle<kLanes>(random_));
    dut_.Reset();
  }

  /// One window; `pauses`: up to so many further cycles before each tap and between turns.
  void Give(const Instruction& v, const Window<kLanes>& window, std::uint32_t pauses = 0) {
    for (std::size_t i = 0; i < window.taps.size(); ++i) {
      const bool last = i + 1 == window.taps.size();
      std::int64_t at = std::max(now_, next_tap_) + Pause(pauses);
      if (last) {
        while (!TurnFits(v, FirstTurn(v, at))) ++at;
      }
      AdvanceTo(at);
      if (::testing::Test::HasFatalFailure()) return;
      ScheduleTap(v, window.taps[i], i == 0, last);
      next_tap_ = now_ + (v.twice() ? kAdderLatency + 1 : v.sums() && !last ? kAdderLatency : 1);
    }
    std::int64_t turn = FirstTurn(v, now_);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      ScheduleTurn(v, window, lane, turn);
      if (lane + 1 == kLanes) break;
      turn += 1 + Pause(pauses);
      while (!TurnFits(v, turn)) ++turn;
    }
  }

  /// From now on there are cycles in which no stage is enabled. Functions do not rest in them.
  void Rest() { rests_ = true; }

  /// Until all is out.
  void Finish() { AdvanceTo(now_ + static_cast<std::int64_t>(ahead_.size())); }

  /// Cycles of the first and of the last row that came out.
  [[nodiscard]] std::int64_t first_row() const { return first_row_; }
  [[nodiscard]] std::int64_t last_row() const { return last_row_; }
  [[nodiscard]] std::int64_t now() const { return now_; }

 private:
  std::int64_t Pause(std::uint32_t most) {
    return most == 0 ? 0 : static_cast<std::int64_t>(random_.Bits() % (most + 1));
  }

  static std::int64_t FirstTurn(const Instruction& v, std::int64_t last_tap) {
    return last_tap + (11 - 2) + (v.twice() ? kAdderLatency : 0);
  }
  static std::int64_t Stage17(const Instruction& v, std::int64_t turn) {
    return turn + (17 - 11) + std::int64_t{7} * kFunctions[v.function].steps;
  }

  /// No other turn is in stage 11, none is overtaken, and the function has a place.
  bool TurnFits(const Instruction& v, std::int64_t turn) {
    const std::int64_t start = turn + (16 - 11);
    return turn > last_turn_ && Stage17(v, turn) > last_stage17_ &&
           (kFunctions[v.function].number == 0 ||
            place_free_[static_cast<std::size_t>(start % 7)] <= start);
  }

  Cycle<kLanes>& At(std::int64_t time) {
    while (now_ + static_cast<std::int64_t>(ahead_.size()) <= time) ahead_.emplace_back(random_);
    return ahead_[static_cast<std::size_t>(time - now_)];
  }

  /// A tap in stage 2 now.
  void ScheduleTap(const Instruction& v, const Tap<kLanes>& tap, bool first, bool last) {
    const MapKind& map = kMaps[v.map];
    const auto stage = [this](int number) -> Cycle<kLanes>& { return At(now_ + number - 2); };
    const Format b_format = v.b_is_constant ? kFp32 : v.b_format;
    stage(2).tap_2_en = 1;
    stage(2).tap_2_a_format = v.a_format;
    stage(2).tap_2_b_format = b_format;
    stage(2).tap_2_b_constant = v.b_is_constant ? 1 : 0;
    if (v.b_is_constant) stage(2).tap_2_constant = v.constant;
    stage(2).a = tap.a;
    stage(2).b = tap.b;
    stage(3).tap_3_en = 1;
    stage(3).tap_3_a_int = v.a_format == kInt8 || v.a_format == kInt32 ? 1 : 0;
    stage(3).tap_3_b_int = b_format == kInt8 || b_format == kInt32 ? 1 : 0;
    stage(4).tap_4_en = 1;
    stage(5).tap_5_en = 1;
    stage(5).tap_5_x = map.x;
    stage(5).tap_5_y = map.y;
    stage(5).tap_5_z = map.z;
    stage(5).tap_5_inside = tap.inside ? 1 : 0;
    stage(5).tap_5_max = v.reduce == kMax ? 1 : 0;
    stage(5).tap_5_min = v.reduce == kMin ? 1 : 0;
    stage(5).tap_5_constant = v.constant;
    ScheduleSum(6, !first && v.sums() && !v.twice(), false);
    int reduces = 10;
    if (v.twice()) {
      stage(9).tap_9_keep = 1;
      reduces += kAdderLatency;
      if (!first) ScheduleSum(6 + kAdderLatency, true, true);
    }
    if (v.reduce == kSum ? last : true) {
      stage(reduces).tap_10_en = 1;
      stage(reduces).tap_10_first = first || v.reduce == kSum ? 1 : 0;
      stage(reduces).tap_10_min = v.reduce == kMin ? 1 : 0;
    }
  }

  void ScheduleSum(int number, bool sum, bool again) {
    At(now_ + number - 2).tap_6_sum = sum ? 1 : 0;
    At(now_ + number - 2).tap_6_again = again ? 1 : 0;
    for (int i = 0; i < kAdderLatency; ++i) At(now_ + number - 2 + i).tap_6_to_9_en |= 1U << i;
  }

  /// The turn of a lane in stage 11 at `turn`.
  void ScheduleTurn(const Instruction& v, const Window<kLanes>& window, std::size_t lane,
                    std::int64_t turn) {
    const FunctionKind& function = kFunctions[v.function];
    last_turn_ = turn;
    last_stage17_ = Stage17(v, turn);
    At(turn).row_11_en = 1;
    At(turn).row_11_first = lane == 0 ? 1 : 0;
    At(turn).row_11_min = v.reduce == kMin ? 1 : 0;
    At(turn).row_11_scale = v.scale ? 1 : 0;
    At(turn).bias = window.bias[lane];
    At(turn).multiplier = window.multiplier[lane];
    for (int i = 0; i < kAdderLatency; ++i) At(turn + 1 + i).row_12_to_15_en |= 1U << i;
    const std::int64_t start = turn + 5;
    if (function.number == 0) {
      At(start).row_16_en = 1;
      At(start).row_16_negate = v.function == kNegate ? 1 : 0;
      At(start).row_16_absolute = v.function == kAbsolute ? 1 : 0;
    } else {
      At(start).row_16_start = 1;
      At(start).row_16_function = function.number;
      place_free_[static_cast<std::size_t>(start % 7)] = start + std::int64_t{7} * function.steps;
    }
    const auto stage = [this](int number) -> Cycle<kLanes>& {
      return At(last_stage17_ + number - 17);
    };
    stage(17).row_17_en = 1;
    stage(17).row_17_function = function.number == 0 ? 0 : 1;
    stage(17).row_17_lo = v.lo;
    stage(18).row_18_en = 1;
    stage(18).row_18_hi = v.hi;
    stage(19).row_19_en = 1;
    stage(19).row_19_format = v.o_format;
    stage(20).row_20_en = 1;
    stage(20).row_20_format = v.o_format;
    stage(21).row_21_en = 1;
    if (lane + 1 == kLanes) {
      stage(21).comes_out = true;
      for (std::size_t i = 0; i < kLanes; ++i) stage(21).words[i] = Expected(v, window, i);
      stage(21).what = Describe(v);
    }
  }

  void Apply(const Cycle<kLanes>& cycle) {
#define TPU_FIELD(name, ...) Set(dut_->name, cycle.name);
    TPU_ENABLES(TPU_FIELD)
    TPU_CHOICES(TPU_FIELD)
#undef TPU_FIELD
    if constexpr (kLanes == 1) {
      dut_->a_words = cycle.a[0];
      dut_->b_words = cycle.b[0];
    } else {
      for (std::size_t i = 0; i < kLanes; ++i) {
        dut_->a_words[i] = cycle.a[i];
        dut_->b_words[i] = cycle.b[i];
      }
    }
  }

  Row<kLanes> Words() {
    Row<kLanes> words;
    if constexpr (kLanes == 1) {
      words[0] = dut_->words;
    } else {
      for (std::size_t i = 0; i < kLanes; ++i) words[i] = dut_->words[i];
    }
    return words;
  }

  void AdvanceTo(std::int64_t time) {
    for (; now_ < time; ++now_) {
      while (rests_ && random_.Bits() % 4 == 0) {
        Apply(Cycle<kLanes>(random_));
        dut_.Tick();
      }
      Cycle<kLanes>& cycle = At(now_);
      Apply(cycle);
      dut_.Eval();
      if (cycle.comes_out) {
        expected_ = cycle.words;
        if (first_row_ < 0) first_row_ = now_;
        last_row_ = now_;
      }
      // One lane's number stays until the next one comes.
      if (cycle.comes_out || (kLanes == 1 && first_row_ >= 0)) {
        const Row<kLanes> words = Words();
        for (std::size_t i = 0; i < kLanes; ++i) {
          ASSERT_EQ(words[i], expected_[i]) << fmt::format("lane {}: {:08x}, not {:08x}: {}", i,
                                                           words[i], expected_[i], cycle.what);
        }
      }
      dut_.Tick();
      ahead_.pop_front();
    }
  }

  Random random_;
  tb::Dut<Model> dut_;
  bool rests_ = false;
  std::int64_t now_ = 0;
  /// From `now_` on
  std::deque<Cycle<kLanes>> ahead_;
  std::int64_t next_tap_ = 0;
  std::int64_t last_turn_ = -1;
  std::int64_t last_stage17_ = -1;
  std::array<std::int64_t, 7> place_free_{};
  Row<kLanes> expected_{};
  std::int64_t first_row_ = -1;
  std::int64_t last_row_ = -1;
};

using OneLane = Bench<Vfloat_lane_1, 1>;
using FourLanes = Bench<Vfloat_lane_4, 4>;

// ---- Random windows ------------------------------------------------------------------

/// A number of a format, whatever stands above it.
std::uint32_t Number(Random& random, Format format, const std::vector<std::uint32_t>& special) {
  const bool is_special = random.Bits() % 4 == 0;
  const std::uint32_t number =
      is_special ? special[random.Bits() % special.size()] : random.Near(126);
  switch (format) {
    case kInt8:
      break;
    case kBf16:
      return (random.Bits() << 16) | number >> 16;
    case kFp32:
      return number;
    case kInt32:
      return is_special ? number
                        : static_cast<std::uint32_t>(static_cast<std::int32_t>(random.Bits()) >>
                                                     random.Bits() % 32);
  }
  return random.Bits();
}

void ChooseRest(Instruction& v, Random& random, const std::vector<std::uint32_t>& special) {
  v.b_format = kFormats[random.Bits() % 4];
  v.b_is_constant = random.Bits() % 4 == 0;
  v.constant = Number(random, kFp32, special);
  v.scale = random.Bits() % 2 == 0;
  v.taps = random.Bits() % 2 == 0 ? 1 : 1 + static_cast<int>(random.Bits() % 9);
  v.lo = kSign | kInfinity;
  v.hi = kInfinity;
  if (random.Bits() % 4 == 0) v.lo = Number(random, kFp32, special);
  if (random.Bits() % 4 == 0) v.hi = Number(random, kFp32, special);
}

template <std::size_t kLanes>
Window<kLanes> RandomWindow(const Instruction& v, Random& random,
                            const std::vector<std::uint32_t>& special) {
  Window<kLanes> window;
  // Often none of a window's taps lies outside, sometimes all.
  const std::uint32_t outside = random.Bits() % 4;
  for (int i = 0; i < v.taps; ++i) {
    Tap<kLanes>& tap = window.taps.emplace_back();
    tap.inside = random.Bits() % 3 >= outside;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      tap.a[lane] = Number(random, v.a_format, special);
      tap.b[lane] = random.Bits() % 8 == 0 && v.a_format == v.b_format
                        ? tap.a[lane]
                        : Number(random, v.b_format, special);
    }
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    window.bias[lane] = Number(random, kFp32, special);
    window.multiplier[lane] = Number(random, kFp32, special);
  }
  return window;
}

/// Every map with every reduction, format of A, function and format of the output, in any order.
std::vector<Instruction> EveryInstruction(Random& random,
                                          const std::vector<std::uint32_t>& special) {
  std::vector<Instruction> all;
  for (std::size_t map = 0; map < kMaps.size(); ++map) {
    for (const Reduce reduce : kReductions) {
      for (const Format a_format : kFormats) {
        for (std::size_t function = 0; function < kFunctions.size(); ++function) {
          for (const Format o_format : kFormats) {
            Instruction& v = all.emplace_back();
            v.map = map;
            v.reduce = reduce;
            v.a_format = a_format;
            v.function = function;
            v.o_format = o_format;
            ChooseRest(v, random, special);
          }
        }
      }
    }
  }
  for (std::size_t i = all.size() - 1; i > 0; --i) std::swap(all[i], all[random.Bits() % (i + 1)]);
  return all;
}

template <typename Unit, std::size_t kLanes>
void CheckEveryInstruction(std::uint64_t seed, std::uint32_t windows) {
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  Random random(seed);
  const std::vector<std::uint32_t> special = SpecialValues();
  Unit unit(seed);
  for (const Instruction& v : EveryInstruction(random, special)) {
    const std::uint32_t pauses = random.Bits() % 3 == 0 ? 3 : 0;
    for (std::uint32_t i = random.Bits() % windows; i < windows; ++i) {
      unit.Give(v, RandomWindow<kLanes>(v, random, special), pauses);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  unit.Finish();
}

TEST(FloatLane, EveryInstruction) { CheckEveryInstruction<OneLane, 1>(Seed(14), 5); }

TEST(FloatLane, EveryInstructionInLanesThatTakeTurns) {
  CheckEveryInstruction<FourLanes, 4>(Seed(15), 2);
}

TEST(FloatLane, StagesThatAreNotEnabledKeepWhatTheyHold) {
  const std::uint64_t seed = Seed(16);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  Random random(seed);
  const std::vector<std::uint32_t> special = SpecialValues();
  OneLane one(seed);
  FourLanes four(seed);
  one.Rest();
  four.Rest();
  for (const Instruction& v : EveryInstruction(random, special)) {
    if (kFunctions[v.function].number != 0) continue;
    one.Give(v, RandomWindow<1>(v, random, special));
    four.Give(v, RandomWindow<4>(v, random, special));
    if (::testing::Test::HasFatalFailure()) return;
  }
  one.Finish();
  four.Finish();
}

// ---- Special values ------------------------------------------------------------------

Window<1> Pair(std::uint32_t a, std::uint32_t b) {
  Window<1> window;
  window.taps = {{.inside = true, .a = {a}, .b = {b}}};
  return window;
}

TEST(FloatLane, SpecialValuesInEveryMap) {
  OneLane unit(1);
  for (std::size_t map = 0; map < kMaps.size(); ++map) {
    for (const Reduce reduce : kReductions) {
      for (const std::uint32_t constant :
           {0x00000000U, kSign, 0x00000001U, kOne, kInfinity, 0x7F800001U}) {
        const Instruction v{.map = map, .reduce = reduce, .constant = constant};
        for (const std::uint32_t a : SpecialValues()) {
          for (const std::uint32_t b : SpecialValues()) {
            unit.Give(v, Pair(a, b));
            if (::testing::Test::HasFatalFailure()) return;
          }
        }
        if (map != kCopy && kMaps[map].y != 3 && kMaps[map].x != 7) break;
      }
    }
  }
  unit.Finish();
}

TEST(FloatLane, SpecialValuesInWindowsOfTwo) {
  OneLane unit(1);
  for (const std::size_t map : {kCopy, kMultiply, std::size_t{1}}) {
    for (const Reduce reduce : kReductions) {
      Instruction v{.map = map, .reduce = reduce, .taps = 2};
      for (const std::uint32_t first : SpecialValues()) {
        for (const std::uint32_t second : SpecialValues()) {
          Window<1> window = Pair(first, map == kMultiply ? kOne : kSign);
          window.taps.push_back(
              {.inside = true, .a = {second}, .b = {map == kMultiply ? second : kSign}});
          unit.Give(v, window);
          if (::testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
  unit.Finish();
}

TEST(FloatLane, SpecialValuesInScaleClampAndFormats) {
  const std::vector<std::uint32_t> special = SpecialValues();
  OneLane unit(1);
  for (const std::uint32_t a : special) {
    for (const std::uint32_t b : special) {
      for (const Format o_format : kFormats) {
        Instruction v{.o_format = o_format, .taps = 1};
        v.lo = b;
        unit.Give(v, Pair(a, 0));
        v.lo = a;
        v.hi = b;
        unit.Give(v, Pair(kOne, 0));
        v = {.o_format = o_format};
        v.scale = true;
        Window<1> window = Pair(0xC0400000, 0);
        window.bias = {a};
        window.multiplier = {b};
        unit.Give(v, window);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
    for (std::size_t function = 0; function < kFunctions.size(); ++function) {
      for (const Format o_format : kFormats) {
        Instruction v{.function = function, .o_format = o_format};
        unit.Give(v, Pair(a, 0));
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
  unit.Finish();
}

// ---- Order and time ------------------------------------------------------------------

TEST(FloatLane, ASumKeepsTheOrderOfItsTaps) {
  OneLane unit(1);
  // 2^24 swallows a 1, two together it does not.
  const std::uint32_t large = 0x4B800000;
  for (const std::size_t map : {kCopy, kMultiply, std::size_t{1}}) {
    const std::uint32_t b = map == kMultiply ? kOne : 0;
    for (const auto& order : {std::array{large, kOne, kOne}, std::array{kOne, kOne, large}}) {
      Window<1> window;
      for (const std::uint32_t a : order) {
        window.taps.push_back({.inside = true, .a = {a}, .b = {b}});
      }
      const Instruction v{.map = map, .taps = 3};
      ASSERT_EQ(Expected(v, window, 0), order[0] == large ? large : large + 1);
      unit.Give(v, window);
    }
  }
  unit.Finish();
}

TEST(FloatLane, AWindowOutsideOfTheImageIsWhatItStartsWith) {
  OneLane unit(1);
  for (std::size_t map = 0; map < kMaps.size(); ++map) {
    for (const Reduce reduce : kReductions) {
      for (const int taps : {1, 2, 3}) {
        const Instruction v{.map = map, .reduce = reduce, .taps = taps};
        Window<1> window;
        window.taps.assign(static_cast<std::size_t>(taps),
                           {.inside = false, .a = {0x40400000}, .b = {0x40800000}});
        ASSERT_EQ(Expected(v, window, 0), reduce == kSum   ? kSign
                                          : reduce == kMax ? kSign | kInfinity
                                                           : kInfinity);
        unit.Give(v, window);
      }
    }
  }
  unit.Finish();
}

TEST(FloatLane, ARowTakesSoManyCycles) {
  for (std::size_t function = 0; function < kFunctions.size(); ++function) {
    for (const std::size_t map : {kCopy, std::size_t{1}}) {
      for (const int taps : {1, 2}) {
        const Instruction v{.map = map, .function = function, .taps = taps};
        Window<1> window;
        window.taps.assign(static_cast<std::size_t>(taps),
                           {.inside = true, .a = {kOne}, .b = {kOne}});
        OneLane unit(1);
        unit.Give(v, window);
        const std::int64_t last_tap = unit.now();
        unit.Finish();
        EXPECT_EQ(unit.first_row() - last_tap,
                  19 + (v.twice() ? 4 : 0) + std::int64_t{7} * kFunctions[function].steps);
      }
    }
  }
}

template <typename Unit, std::size_t kLanes>
double CyclesPerRow(const Instruction& v) {
  constexpr int kRows = 350;
  Random random(1);
  const std::vector<std::uint32_t> special = SpecialValues();
  Unit unit(1);
  for (int i = 0; i < kRows; ++i) unit.Give(v, RandomWindow<kLanes>(v, random, special));
  unit.Finish();
  return static_cast<double>(unit.last_row() - unit.first_row()) / (kRows - 1);
}

TEST(FloatLane, RowsFollowAsCloselyAsPromised) {
  for (std::size_t map = 0; map < kMaps.size(); ++map) {
    for (const Reduce reduce : kReductions) {
      for (const int taps : {1, 9}) {
        const Instruction v{.map = map, .reduce = reduce, .taps = taps};
        const int a_tap = v.twice() ? 5 : 1;
        // In front of another window's tap nothing waits.
        const int expected = v.sums() && !v.twice() ? 4 * (taps - 1) + 1 : a_tap * taps;
        EXPECT_EQ((CyclesPerRow<OneLane, 1>(v)), expected) << Describe(v);
      }
    }
  }
  for (std::size_t function = 0; function < kFunctions.size(); ++function) {
    const Instruction v{.function = function};
    const int steps = std::max(1, kFunctions[function].steps);
    EXPECT_NEAR((CyclesPerRow<OneLane, 1>(v)), steps, 0.02 * steps) << Describe(v);
    EXPECT_NEAR((CyclesPerRow<FourLanes, 4>(v)), 4 * steps, 0.08 * steps) << Describe(v);
  }
}

}  // namespace
}  // namespace tpu::float_test
