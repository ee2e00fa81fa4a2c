// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/exponential_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arithmetic/fixed_point.h"

namespace tpu::arithmetic {
namespace {

// Differences to the row's largest value are scaled to Q5.26.
constexpr int kDifferenceIntegerBits = 5;
constexpr int kDifferenceFractionBits = 31 - kDifferenceIntegerBits;

}  // namespace

std::array<std::int32_t, 256> ExponentialTable(float beta, float scale, Rounding rounding) {
  const double limit = rounding == Rounding::kSingle ? (1LL << 30) - 1.0 : (1LL << 31) - 1.0;
  const double real = std::min(static_cast<double>(beta) * static_cast<double>(scale) *
                                   static_cast<double>(1 << kDifferenceFractionBits),
                               limit);
  const Multiplier factor = QuantizeMultiplier(real, rounding);
  const double largest = std::min(std::ldexp(31.0 * (1 << kDifferenceFractionBits), -factor.shift),
                                  static_cast<double>(std::numeric_limits<std::int32_t>::max()));
  const auto smallest_difference = -static_cast<std::int32_t>(std::floor(largest));
  std::array<std::int32_t, 256> table{};
  for (std::int32_t i = 0; i < 256; ++i) {
    if (-i < smallest_difference) continue;
    table[static_cast<std::size_t>(i)] =
        ExpOfNegative(Multiply(-i, factor, rounding), kDifferenceIntegerBits);
  }
  return table;
}

}  // namespace tpu::arithmetic
