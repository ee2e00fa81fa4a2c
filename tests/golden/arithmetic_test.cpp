// SPDX-License-Identifier: Apache-2.0
// Requantisation against its definition in exact rational arithmetic (128-bit integers) and against
// published values.
#include "golden/arithmetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include "base/error.h"

namespace tpu::golden {
namespace {

// __extension__ because -Wpedantic knows no 128-bit integers.
__extension__ typedef __int128 Int128;  // NOLINT(modernize-use-using): takes no __extension__

constexpr std::int32_t kInt32Min = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kInt32Max = std::numeric_limits<std::int32_t>::max();

Int128 FloorDivide(Int128 a, Int128 b) {
  const Int128 quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

Int128 Power(int exponent) { return Int128{1} << exponent; }

/// Nearest integer to a / b, ties towards plus infinity.
Int128 NearestTiesUp(Int128 a, Int128 b) { return FloorDivide(2 * a + b, 2 * b); }

/// Nearest integer to a / b, ties away from zero.
Int128 NearestTiesAway(Int128 a, Int128 b) {
  return a < 0 ? -FloorDivide(-2 * a + b, 2 * b) : FloorDivide(2 * a + b, 2 * b);
}

std::int32_t Low32(Int128 value) {
  const Int128 low = ((value % Power(32)) + Power(32)) % Power(32);
  return static_cast<std::int32_t>(low >= Power(31) ? low - Power(32) : low);
}

std::int32_t ExpectedDouble(std::int32_t value, std::int32_t multiplier, int shift) {
  const Int128 shifted = shift > 0 ? Low32(Int128{value} * Power(shift)) : value;
  const Int128 high = NearestTiesUp(shifted * multiplier, Power(31));
  return Low32(shift < 0 ? NearestTiesAway(high, Power(-shift)) : high);
}

std::int32_t ExpectedSingle(std::int32_t value, std::int32_t multiplier, int shift) {
  return Low32(NearestTiesUp(Int128{value} * multiplier, Power(31 - shift)));
}

std::int32_t ExpectedDivide(std::int32_t value, std::int32_t bias, std::int32_t multiplier,
                            int shift) {
  const Int128 magnitude = Low32((value < 0 ? -Int128{value} : Int128{value}) + bias);
  const Int128 quotient = FloorDivide(magnitude * multiplier, Power(31 - shift));
  return Low32(value < 0 ? -quotient : quotient);
}

TEST(Requantise, QuarterOfSmallValues) {
  // Factor 0.25: the two roundings of `double` are visible.
  constexpr std::array<int, 13> kDouble = {-2, -1, -1, -1, -1, 0, 0, 1, 1, 1, 1, 2, 2};
  constexpr std::array<int, 13> kSingle = {-1, -1, -1, -1, 0, 0, 0, 0, 1, 1, 1, 1, 2};
  for (int x = -6; x <= 6; ++x) {
    const auto i = static_cast<std::size_t>(x + 6);
    EXPECT_EQ(RequantiseDouble(x, 1 << 30, -1), kDouble[i]) << x;
    EXPECT_EQ(RequantiseSingle(x, 1 << 30, -1), kSingle[i]) << x;
  }
}

TEST(Requantise, ExactFactorOfOne) {
  for (const std::int32_t x : {kInt32Min, -129, -1, 0, 1, 127, kInt32Max}) {
    EXPECT_EQ(RequantiseSingle(x, 1 << 30, 1), x);
  }
  for (const std::int32_t x : {-(1 << 30), -129, -1, 0, 1, 127, (1 << 30) - 1}) {
    EXPECT_EQ(RequantiseDouble(x, 1 << 30, 1), x);
  }
}

/// Nearest integer to a / b, ties to even.
Int128 NearestTiesEven(Int128 a, Int128 b) {
  const Int128 up = NearestTiesUp(a, b);
  return 2 * a + b == 2 * up * b && up % 2 != 0 ? up - 1 : up;
}

/// docs/isa.md, 7, of rational numbers.
std::int32_t ExpectedFloat(std::int32_t value, std::int32_t multiplier, int shift) {
  if (value == 0) return 0;
  int k = 0;
  while (Int128{value} * Power(k + 1) >= kInt32Min && Int128{value} * Power(k + 1) <= kInt32Max)
    ++k;
  const Int128 p = NearestTiesEven(Int128{value} * Power(k), Power(7)) * multiplier;
  const int unit = p >= Power(54) || p <= -Power(54) ? 31 : 30;
  const Int128 rounded = NearestTiesEven(p, Power(unit)) * Power(unit);
  return Low32(NearestTiesEven(rounded, Power(k + 24 - shift)));
}

// The host's float32 rounds to nearest even, too.
TEST(Requantise, FloatIsTheHostsFloat32) {
  constexpr std::uint64_t kSeed = 12;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  std::mt19937_64 rng(kSeed);
  for (int i = 0; i < 300000; ++i) {
    const auto value =
        static_cast<std::int32_t>(static_cast<std::int64_t>(rng()) >> (32 + rng() % 32));
    const auto multiplier = static_cast<std::int32_t>(0x40000000 | (rng() & 0x3FFFFF80));
    const int shift = static_cast<int>(rng() % 46) - 31;
    const float scale = std::ldexp(static_cast<float>(multiplier), shift - 31);
    const volatile float product = static_cast<float>(value) * scale;
    ASSERT_EQ(RequantiseFloat(value, multiplier, shift),
              static_cast<std::int32_t>(std::llrint(product)))
        << fmt::format("value {} multiplier {} shift {}", value, multiplier, shift);
  }
}

/// Shifts out of range count as the nearest in range.
void ExpectAllModes(std::int32_t value, std::int32_t bias, std::int32_t multiplier, int shift) {
  SCOPED_TRACE(
      fmt::format("value {} bias {} multiplier {} shift {}", value, bias, multiplier, shift));
  const std::int32_t biased = Low32(Int128{value} + bias);
  const int in_range = std::clamp(shift, -31, 30);
  using enum isa::VectorRequant;
  ASSERT_EQ(Requantise(kNone, value, bias, multiplier, shift), biased);
  ASSERT_EQ(Requantise(kDouble, value, bias, multiplier, shift),
            ExpectedDouble(biased, multiplier, in_range));
  ASSERT_EQ(Requantise(kSingle, value, bias, multiplier, shift),
            ExpectedSingle(biased, multiplier, in_range));
  ASSERT_EQ(Requantise(kDivide, value, bias, multiplier, shift),
            ExpectedDivide(value, bias, multiplier, in_range));
  ASSERT_EQ(RequantiseFloat(biased, multiplier, shift),
            ExpectedFloat(biased, multiplier, std::clamp(shift, -31, 14)));
}

TEST(Requantise, ExtremesAtEveryShift) {
  constexpr std::array kValues = {kInt32Min, kInt32Min + 1, -(1 << 30),    -3,       -1, 0, 1,
                                  3,         1 << 30,       kInt32Max - 1, kInt32Max};
  constexpr std::array kMultipliers = {0, 1, (1 << 29) + 1, 1 << 30, (1 << 30) + 1, kInt32Max};
  for (int shift = -31; shift <= 30; ++shift) {
    for (const std::int32_t value : kValues) {
      for (const std::int32_t bias : {kInt32Min, -1, 0, 1, kInt32Max}) {
        for (const std::int32_t multiplier : kMultipliers) {
          ExpectAllModes(value, bias, multiplier, shift);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(Requantise, RandomValuesOfEveryMagnitude) {
  constexpr std::uint64_t kSeed = 11;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  std::mt19937_64 rng(kSeed);
  const auto random = [&rng] {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(rng()) >> (32 + rng() % 32));
  };
  for (int i = 0; i < 300000; ++i) {
    ExpectAllModes(random(), random(), random() & kInt32Max, static_cast<int>(rng() % 62) - 31);
    if (HasFatalFailure()) return;
  }
}

// The machine takes any bytes for multipliers and shifts (docs/isa.md, 7).
TEST(Requantise, AnyShiftAndMultiplierGiveAResult) {
  for (int shift = -128; shift <= 127; ++shift) {
    for (const std::int32_t multiplier : {kInt32Min, -1, kInt32Max}) {
      for (const std::int32_t value : {kInt32Min, -3, 5, kInt32Max}) {
        ExpectAllModes(value, value, multiplier, shift);
        if (HasFatalFailure()) return;
      }
    }
  }
}

int CeilLog2(std::int64_t n) {
  int bits = 0;
  while ((std::int64_t{1} << bits) < n) ++bits;
  return bits;
}

/// Average pooling of n taps as docs/isa.md, 7 tells software to do it.
std::int32_t Average(std::int32_t sum, std::int32_t n) {
  const int shift = 1 - CeilLog2(n);
  const std::int64_t power = std::int64_t{1} << (31 - shift);
  const auto multiplier = static_cast<std::int32_t>((power + n - 1) / n);
  return RequantiseDivide(sum, n / 2, multiplier, shift);
}

/// The reference kernel's rule: half away from zero by C's truncating division.
std::int32_t ExpectedAverage(std::int32_t sum, std::int32_t n) {
  return sum > 0 ? (sum + n / 2) / n : (sum - n / 2) / n;
}

TEST(AveragePooling, IsExactForEverySumOfSmallWindows) {
  for (std::int32_t n = 1; n <= 200; ++n) {
    for (std::int32_t sum = -128 * n; sum <= 127 * n; ++sum) {
      ASSERT_EQ(Average(sum, n), ExpectedAverage(sum, n)) << sum << " / " << n;
    }
  }
}

TEST(AveragePooling, IsExactForLargeWindows) {
  constexpr std::uint64_t kSeed = 12;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  std::mt19937_64 rng(kSeed);
  for (int i = 0; i < 300000; ++i) {
    const auto n = static_cast<std::int32_t>(1 + rng() % (1ULL << (1 + rng() % 22)));
    const auto sum = static_cast<std::int32_t>(
        static_cast<std::int64_t>(rng() % (255ULL * static_cast<std::uint64_t>(n) + 1)) -
        128LL * n);
    ASSERT_EQ(Average(sum, n), ExpectedAverage(sum, n)) << sum << " / " << n;
    // The hardest sums lie next to a tie.
    const std::int32_t tie = (sum / n) * n + n / 2;
    for (const std::int32_t near : {tie - 1, tie, tie + 1, -tie - 1, -tie, -tie + 1}) {
      if (near < -128 * n || near > 127 * n) continue;
      ASSERT_EQ(Average(near, n), ExpectedAverage(near, n)) << near << " / " << n;
    }
  }
}

TEST(Premultiply, IsRequantisationOfTheLeftShiftedOperand) {
  constexpr std::uint64_t kSeed = 13;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  std::mt19937_64 rng(kSeed);
  using enum isa::VectorRequant;
  for (int shift = 0; shift <= 31; ++shift) {
    for (std::int32_t b = -255; b <= 255; ++b) {
      const auto multiplier = static_cast<std::int32_t>(rng() & 0x7FFFFFFF);
      const Int128 product = Int128{b} * multiplier;
      const Int128 high = NearestTiesUp(product, Power(11));
      const std::int32_t twice = Low32(NearestTiesAway(high, Power(shift)));
      ASSERT_EQ(Premultiply(kDouble, b, multiplier, shift), twice);
      ASSERT_EQ(Premultiply(kNone, b, multiplier, shift), twice);
      ASSERT_EQ(Premultiply(kDivide, b, multiplier, shift), twice);
      ASSERT_EQ(Premultiply(kSingle, b, multiplier, shift),
                Low32(NearestTiesUp(product, Power(11 + shift))));
    }
  }
}

TEST(Premultiply, OfTheLargerScaleIsAPlainShift) {
  for (std::int32_t b = -255; b <= 255; ++b) {
    EXPECT_EQ(Premultiply(isa::VectorRequant::kDouble, b, 1 << 30, 0), b * (1 << 19));
    EXPECT_EQ(Premultiply(isa::VectorRequant::kSingle, b, 1 << 30, 0), b * (1 << 19));
  }
}

}  // namespace
}  // namespace tpu::golden
