// SPDX-License-Identifier: Apache-2.0
// tpu_requantize alone against the formulas of docs/isa.md sections 7 and 11.3, and as float32
// against the host's own float32. Controls of what a machine does not have may be anything.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <random>

#include "Vtpu_requantize.h"
#include "Vtpu_requantize_wide.h"
#include "tb/dut.h"
#include "vector_model.h"

namespace tpu::vector_test {
namespace {

using isa::VectorRequant;

constexpr int kLatency = 7;

struct Case {
  std::int32_t value = 0;
  std::int32_t bias = 0;
  std::int32_t multiplier = 0;
  int shift = 0;
};

class Checker {
 public:
  explicit Checker(VectorRequant mode, bool as_float = false) : mode_(mode), float_(as_float) {
    dut_->en = 0xFF;
    dut_->is_none = mode == VectorRequant::kNone ? 1 : 0;
    dut_->is_double = mode == VectorRequant::kDouble ? 1 : 0;
    dut_->is_divide = mode == VectorRequant::kDivide ? 1 : 0;
    dut_->as_float = as_float ? 0x3F : 0;
    dut_->divide_15 = dut_->is_divide;
    dut_->zero_15 = 0;
  }

  void Give(const Case& c) {
    dut_->value = static_cast<std::uint32_t>(c.value);
    dut_->bias = static_cast<std::uint32_t>(c.bias);
    dut_->multiplier = static_cast<std::uint32_t>(c.multiplier);
    dut_->shift = static_cast<std::uint8_t>(c.shift & 0x3F);
    dut_->is_wide = noise_() % 2;
    dut_->value_high = static_cast<std::uint16_t>(noise_());
    dut_->bias_high = static_cast<std::uint16_t>(noise_());
    in_flight_.push_back(c);
    dut_.Tick();
    if (in_flight_.size() < kLatency) return;
    const Case& out = in_flight_.front();
    ASSERT_EQ(static_cast<std::int32_t>(dut_->result),
              float_ ? RequantiseFloat(out.value, out.bias, out.multiplier, out.shift)
                     : Requantise(mode_, out.value, out.bias, out.multiplier, out.shift))
        << fmt::format("mode {} float {} value {} bias {} multiplier {} shift {}",
                       static_cast<int>(mode_), float_, out.value, out.bias, out.multiplier,
                       out.shift);
    in_flight_.pop_front();
  }

 private:
  VectorRequant mode_;
  bool float_;
  tb::Dut<Vtpu_requantize> dut_;
  std::minstd_rand noise_;
  std::deque<Case> in_flight_;
};

constexpr std::array kModes = {VectorRequant::kNone, VectorRequant::kDouble, VectorRequant::kSingle,
                               VectorRequant::kDivide};
constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();

TEST(Requantize, MatchesTheFormulaAtTheExtremes) {
  for (const VectorRequant mode : kModes) {
    Checker checker(mode);
    for (int shift = -31; shift <= 30; ++shift) {
      for (const std::int32_t multiplier :
           {0, 1, 0x1FFFF, 0x20000, 1 << 30, (1 << 30) + 1, 1518500249, kMax}) {
        for (const std::int32_t value :
             {kMin, kMin + 1, -(1 << 30), -3, -2, -1, 0, 1, 2, 3, 6, 1 << 30, kMax - 1, kMax}) {
          for (const std::int32_t bias : {0, 1, -1, kMax, kMin}) {
            checker.Give({value, bias, multiplier, shift});
            if (::testing::Test::HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

TEST(Requantize, MatchesTheFormulaOnRandomValues) {
  constexpr std::uint64_t kSeed = 11;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  std::mt19937_64 rng(kSeed);
  std::uniform_int_distribution<int> shift(-31, 30);
  std::uniform_int_distribution<int> bits(0, 31);
  for (const VectorRequant mode : kModes) {
    Checker checker(mode);
    for (int i = 0; i < 40000; ++i) {
      const auto value = static_cast<std::int32_t>(static_cast<std::uint32_t>(rng())) >> bits(rng);
      const auto bias = static_cast<std::int32_t>(static_cast<std::uint32_t>(rng())) >> bits(rng);
      const auto multiplier = static_cast<std::int32_t>(rng() & 0x7FFFFFFF);
      checker.Give({value, bias, multiplier, shift(rng)});
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

constexpr int kMostFloatShift = 14;

/// What the host's float32 makes of them; the product must be below 2^63.
std::int32_t OnHost(std::int32_t value, std::int32_t multiplier, int shift) {
  const float scale = std::ldexp(static_cast<float>(multiplier), shift - 31);
  const volatile float product = static_cast<float>(value) * scale;
  return static_cast<std::int32_t>(std::llrint(product));
}

/// The multiplier of a float32 whose significand has these 24 bits.
std::int32_t Significand(std::uint64_t bits) {
  return static_cast<std::int32_t>(0x40000000 | ((bits << 7) & 0x3FFFFF80));
}

TEST(Requantize, RoundsAsTheFormulaOfFloat32AtTheExtremes) {
  Checker checker(VectorRequant::kSingle, true);
  for (int shift = -31; shift <= kMostFloatShift; ++shift) {
    for (const std::int32_t multiplier :
         {0, 1, 0x20000, 1 << 30, (1 << 30) + 1, kMax - 127, kMax}) {
      for (const std::int32_t value :
           {kMin, kMin + 1, -(1 << 30), -(1 << 24) - 1, -3, -2, -1, 0, 1, 2, 3, 6, (1 << 24) + 1,
            (1 << 25) + 6, 1 << 30, kMax - 127, kMax - 1, kMax}) {
        for (const std::int32_t bias : {0, 1, -1, kMax, kMin}) {
          checker.Give({value, bias, multiplier, shift});
          if (::testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

// Any multiplier on the RTL and the formula; multipliers of float32 on the host, too.
TEST(Requantize, RoundsAsTheHostsFloat32) {
  constexpr std::uint64_t kSeed = 12;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  std::mt19937_64 rng(kSeed);
  Checker checker(VectorRequant::kSingle, true);
  for (int i = 0; i < 200000; ++i) {
    const auto value = static_cast<std::int32_t>(static_cast<std::uint32_t>(rng())) >> (rng() % 32);
    const int shift = static_cast<int>(rng() % (kMostFloatShift + 32)) - 31;
    const bool ordinary = rng() % 4 != 0;
    const std::int32_t multiplier =
        ordinary ? Significand(rng()) : static_cast<std::int32_t>(rng() & 0x7FFFFFFF);
    checker.Give({value, 0, multiplier, shift});
    if (::testing::Test::HasFatalFailure()) return;
    if (ordinary) {
      ASSERT_EQ(RequantiseFloat(value, 0, multiplier, shift), OnHost(value, multiplier, shift))
          << fmt::format("value {} multiplier {} shift {}", value, multiplier, shift);
    }
  }
}

// Products next to half an integer: those in which the product's own rounding makes a tie, or takes
// one away. A random product is as near to one in a few millions.
TEST(Requantize, RoundsProductsNearTiesAsTheHostsFloat32) {
  constexpr std::uint64_t kSeed = 13;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  std::mt19937_64 rng(kSeed);
  Checker checker(VectorRequant::kSingle, true);
  int differ = 0;
  for (int i = 0; i < 200000; ++i) {
    const auto value =
        static_cast<std::int32_t>(1 + rng() % (std::uint64_t{1} << (4 + rng() % 27)));
    const double half = static_cast<double>(rng() % (std::uint64_t{1} << (1 + rng() % 9))) + 0.5;
    int exponent = 0;
    const double scale = std::frexp(half / static_cast<float>(value), &exponent);
    if (exponent < -31 || exponent > kMostFloatShift) continue;
    const std::int32_t nearest = static_cast<std::int32_t>(std::lrint(std::ldexp(scale, 24))) << 7;
    for (const std::int32_t multiplier : {nearest - 128, nearest, nearest + 128}) {
      if (multiplier < 1 << 30) continue;
      const std::int32_t sign = rng() % 2 == 0 ? 1 : -1;
      const std::int32_t expected = OnHost(sign * value, multiplier, exponent);
      ASSERT_EQ(RequantiseFloat(sign * value, 0, multiplier, exponent), expected)
          << fmt::format("value {} multiplier {} shift {}", sign * value, multiplier, exponent);
      checker.Give({sign * value, 0, multiplier, exponent});
      if (::testing::Test::HasFatalFailure()) return;
      // Products that one rounding would take elsewhere.
      const double exact =
          std::ldexp(static_cast<double>(sign * value) * multiplier, exponent - 31);
      if (std::nearbyint(exact) != expected) ++differ;
    }
  }
  EXPECT_GT(differ, 10000);
}

/// q of docs/isa.md section 11.3 in mode wide; value and bias have 48 bits, `multiplier` 15.
std::int32_t RequantiseWide(std::int64_t value, std::int64_t bias, std::int32_t multiplier,
                            int shift) {
  const std::int64_t sum =
      static_cast<std::int64_t>(static_cast<std::uint64_t>(value + bias) << 16) >> 16;
  return static_cast<std::int32_t>((sum * multiplier + (std::int64_t{1} << (14 - shift))) >>
                                   (15 - shift));
}

// Values of all modes follow each other in a requantiser that has mode wide and not float32.
TEST(RequantizeWide, EachValueIsRoundedInItsOwnMode) {
  constexpr std::uint64_t kSeed = 14;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  std::mt19937_64 rng(kSeed);
  struct Value {
    bool divides;
    std::int32_t result;
  };
  std::deque<Value> in_flight;
  tb::Dut<Vtpu_requantize_wide> dut(kSeed);
  dut->en = 0xFF;
  dut->zero_15 = 0;
  const auto number = [&rng] { return static_cast<std::int64_t>(rng()) >> (16 + rng() % 47); };
  for (int i = 0; i < 100000; ++i) {
    const bool wide = rng() % 2 == 0;
    const VectorRequant mode = kModes[rng() % kModes.size()];
    const std::int64_t value = number();
    const std::int64_t bias = number();
    const auto multiplier = static_cast<std::int32_t>(rng() & 0x7FFFFFFF);
    const int shift = static_cast<int>(rng() % (wide ? 46 : 62)) - 31;
    dut->is_wide = wide ? 1 : 0;
    dut->is_none = !wide && mode == VectorRequant::kNone ? 1 : 0;
    dut->is_double = !wide && mode == VectorRequant::kDouble ? 1 : 0;
    dut->is_divide = !wide && mode == VectorRequant::kDivide ? 1 : 0;
    dut->as_float = rng() & 0x3F;
    dut->value = static_cast<std::uint32_t>(value);
    dut->value_high = static_cast<std::uint16_t>(value >> 32);
    dut->bias = static_cast<std::uint32_t>(bias);
    dut->bias_high = static_cast<std::uint16_t>(bias >> 32);
    dut->multiplier = static_cast<std::uint32_t>(multiplier);
    dut->shift = static_cast<std::uint8_t>(shift & 0x3F);
    in_flight.push_back(
        {.divides = dut->is_divide != 0,
         .result = wide ? RequantiseWide(value, bias, multiplier & 0x7FFF, shift)
                        : Requantise(mode, static_cast<std::int32_t>(value),
                                     static_cast<std::int32_t>(bias), multiplier, shift)});
    dut->divide_15 = in_flight.front().divides ? 1 : 0;
    dut.Tick();
    if (in_flight.size() < kLatency) continue;
    ASSERT_EQ(static_cast<std::int32_t>(dut->result), in_flight.front().result) << "value " << i;
    in_flight.pop_front();
  }
}

// Results pinned by hand, so that the model above is itself checked: factor 0.25 rounds 1 up to 1
// only when rounded twice.
TEST(Requantize, RoundsTwiceOnlyInDoubleMode) {
  EXPECT_EQ(Requantise(VectorRequant::kDouble, 1, 0, 1 << 30, -1), 1);
  EXPECT_EQ(Requantise(VectorRequant::kSingle, 1, 0, 1 << 30, -1), 0);
  EXPECT_EQ(Requantise(VectorRequant::kDouble, -6, 0, 1 << 30, -1), -2);
  EXPECT_EQ(Requantise(VectorRequant::kSingle, -6, 0, 1 << 30, -1), -1);
  // Average of 9 taps that sum to -40, ties away from zero: bias n/2, multiplier ceil(2^(31-s)/n),
  // s = 1 - 4.
  EXPECT_EQ(Requantise(VectorRequant::kDivide, -41, 4,
                       static_cast<std::int32_t>(((std::int64_t{1} << 34) + 8) / 9), -3),
            -5);
  EXPECT_EQ(Requantise(VectorRequant::kDivide, -40, 4,
                       static_cast<std::int32_t>(((std::int64_t{1} << 34) + 8) / 9), -3),
            -4);
}

}  // namespace
}  // namespace tpu::vector_test
