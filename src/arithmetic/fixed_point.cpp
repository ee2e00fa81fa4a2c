// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/fixed_point.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "arithmetic/multiplier.h"

namespace tpu::arithmetic {
namespace {

constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();

// Constants in Q0.31.
constexpr std::int32_t kExpOfMinusEighth = 1895147668;
constexpr std::int32_t kOneThird = 715827883;
// exp(-2^k) for k = -2, -1, 0, ...
constexpr std::array<std::int32_t, 7> kExpOfMinusPower = {
    1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
// Of the logarithm: ln 2, roots of 1/2, a quarter, and the terms of its rational function.
constexpr std::int32_t kLogOf2 = 1488522236;
constexpr std::int32_t kFourthRootOfHalf = 1805811301;
constexpr std::int32_t kRootOfHalf = 1518500250;
constexpr std::int32_t kQuarter = 1 << 29;
constexpr std::int32_t kAlphaN = 117049297;
constexpr std::int32_t kAlphaD = 127690142;
constexpr std::int32_t kAlphaI = 1057819769;
constexpr std::int32_t kAlphaF = 638450708;
// Start of the reciprocal's Newton steps, in Q2.29: 48/17 and -32/17.
constexpr std::int32_t k48Over17 = 1515870810;
constexpr std::int32_t kMinus32Over17 = -1010580540;
constexpr std::int32_t kHalfOfSqrt2 = 1518500250;

std::int32_t High(std::int32_t a, std::int32_t b) { return RoundingDoublingHighMultiply(a, b); }

std::int32_t SaturatingShiftLeft(std::int32_t x, int amount) {
  const std::int32_t limit = kMax >> amount;
  if (x > limit) return kMax;
  if (x < -limit) return kMin;
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << amount);
}

// exp(x) of x in [-1/4, 0), Q0.31: Taylor's series of degree four around -1/8.
std::int32_t ExpOnQuarter(std::int32_t x) {
  const std::int32_t y = x + (1 << 28);
  const std::int32_t y2 = High(y, y);
  const std::int32_t y3 = High(y2, y);
  const std::int32_t y4 = High(y2, y2);
  const std::int32_t high_terms = High(RoundingDivideByPowerOfTwo(y4, 2) + y3, kOneThird) + y2;
  const std::int32_t terms = RoundingDivideByPowerOfTwo(high_terms, 1);
  return kExpOfMinusEighth + High(kExpOfMinusEighth, y + terms);
}

// 2 / (1 + x) as Q2.29 of x in Q0.31: Newton's steps on half the denominator.
std::int32_t TwoOverOnePlus(std::int32_t x) {
  const auto half = static_cast<std::int32_t>((std::int64_t{x} + kMax + 1) >> 1);
  std::int32_t r = k48Over17 + High(half, kMinus32Over17);
  for (int step = 0; step < 3; ++step) {
    const std::int32_t error = (1 << 29) - High(half, r);
    r += SaturatingShiftLeft(High(r, error), 2);
  }
  return r;
}

std::int32_t Saturate(std::int64_t x) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(x, kMin, kMax));
}

int LeadingZeros(std::int32_t x) { return std::countl_zero(static_cast<std::uint32_t>(x)); }

}  // namespace

std::int32_t ExpOfNegative(std::int32_t x, int integer_bits) {
  if (x == 0) return kMax;
  const int fraction_bits = 31 - integer_bits;
  const std::int32_t quarter = 1 << (fraction_bits - 2);
  const std::int32_t in_quarter = (x & (quarter - 1)) - quarter;
  std::int32_t result = ExpOnQuarter(SaturatingShiftLeft(in_quarter, integer_bits));
  const std::int32_t rest = in_quarter - x;  // A multiple of 1/4.
  for (int k = -2; k < integer_bits; ++k) {
    if ((rest & (1 << (fraction_bits + k))) == 0) continue;
    result = High(result, kExpOfMinusPower[static_cast<std::size_t>(k + 2)]);
  }
  return result;
}

// x = 2^power * r. Two ways to choose them are tried, of which the one with the larger power has r
// near the middle of the range on which a rational function gives the rest.
std::int32_t LogOfAtLeastOne(std::int32_t x) {
  constexpr int kIntegerBits = 12;
  constexpr int kSumIntegerBits = 6;
  constexpr int kSumFractionBits = 31 - kSumIntegerBits;
  const std::int32_t quarter = RoundingDivideByPowerOfTwo(kQuarter, kSumIntegerBits);
  const int zeros = LeadingZeros(x);
  const std::int32_t r_a =
      SaturatingShiftLeft(High(SaturatingShiftLeft(x, zeros - 1), kRootOfHalf), 1);
  const std::int64_t power_a = SaturatingShiftLeft(kIntegerBits - zeros, kSumFractionBits);
  const int headroom = LeadingZeros(High(x, kRootOfHalf)) - 1;
  const std::int32_t r_b = SaturatingShiftLeft(x, headroom);
  const std::int64_t power_b = SaturatingShiftLeft(kIntegerBits - headroom, kSumFractionBits);
  const std::int32_t power = std::max(Saturate(power_a + quarter), Saturate(power_b - quarter));
  const std::int32_t r = std::min(r_a, r_b);
  const std::int64_t sum = std::int64_t{r} + kFourthRootOfHalf;
  const auto p = static_cast<std::int32_t>((sum + (sum >= 0 ? 1 : -1)) / 2);
  const std::int32_t q = 2 * (r - kFourthRootOfHalf);
  const std::int32_t q2 = High(q, q);
  const std::int32_t numerator = High(q, r) + High(High(q, q2), kAlphaN);
  const std::int32_t denominator = High(p, kAlphaI + q + High(kAlphaD, q2)) + High(kAlphaF, q);
  const std::int32_t quotient =
      High(RoundingDivideByPowerOfTwo(numerator, kSumIntegerBits), OneOverOnePlus(denominator));
  return SaturatingShiftLeft(High(power, kLogOf2) + quotient, 1);
}

std::int32_t OneOverOnePlus(std::int32_t x) { return SaturatingShiftLeft(TwoOverOnePlus(x), 1); }

std::int32_t OneMinusOverOnePlus(std::int32_t x) {
  return SaturatingShiftLeft(TwoOverOnePlus(x) - (1 << 29), 2);
}

// Newton's steps in Q3.28, for x between 1/4 and 1 with an even power of two split off.
Multiplier InverseSquareRoot(std::int32_t x) {
  if (x <= 1) return {.multiplier = kMax, .shift = 0};
  int right = 11;
  while (x >= 1 << 29) {
    x /= 4;
    ++right;
  }
  const int pairs = (std::countl_zero(static_cast<std::uint32_t>(x)) - 1) / 2 - 1;
  right -= pairs;
  x <<= 2 * pairs;
  constexpr std::int32_t kOne = 1 << 28;
  constexpr std::int32_t kThreeHalves = kOne + kOne / 2;
  constexpr int kIntegerBits = 3;
  const std::int32_t half = RoundingDivideByPowerOfTwo(x >> 1, 1);
  std::int32_t root = kOne;
  for (int step = 0; step < 5; ++step) {
    const std::int32_t cube = SaturatingShiftLeft(High(High(root, root), root), 2 * kIntegerBits);
    root = SaturatingShiftLeft(High(kThreeHalves, root) - High(half, cube), kIntegerBits);
  }
  root = High(root, kHalfOfSqrt2);
  if (right < 0) return {.multiplier = root << -right, .shift = 0};
  return {.multiplier = root, .shift = -right};
}

}  // namespace tpu::arithmetic
