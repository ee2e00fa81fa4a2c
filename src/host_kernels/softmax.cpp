// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "arithmetic/fixed_point.h"
#include "arithmetic/multiplier.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

using arithmetic::Multiplier;
using arithmetic::RoundingDivideByPowerOfTwo;
using arithmetic::RoundingDoublingHighMultiply;

// Differences to the row's largest value are scaled to Q5.26.
constexpr int kIntegerBits = 5;
constexpr int kFractionBits = 31 - kIntegerBits;
// The sum of exponentials is Q12.19.
constexpr int kSumIntegerBits = 12;

using ExpTable = std::array<std::optional<std::int32_t>, 256>;

// exp(-i * beta * scale) as Q0.31; none where TensorFlow Lite takes it for zero.
ExpTable MakeExpTable(float beta, float scale, arithmetic::Rounding rounding) {
  const double limit =
      rounding == arithmetic::Rounding::kSingle ? (1LL << 30) - 1.0 : (1LL << 31) - 1.0;
  const double real = std::min(static_cast<double>(beta) * static_cast<double>(scale) *
                                   static_cast<double>(1 << kFractionBits),
                               limit);
  const Multiplier factor = arithmetic::QuantizeMultiplier(real, rounding);
  const double largest = std::min(std::ldexp(31.0 * (1 << kFractionBits), -factor.shift),
                                  static_cast<double>(std::numeric_limits<std::int32_t>::max()));
  const auto smallest_difference = -static_cast<std::int32_t>(std::floor(largest));
  ExpTable table;
  for (std::int32_t i = 0; i < 256; ++i) {
    if (-i < smallest_difference) continue;
    table[static_cast<std::size_t>(i)] =
        arithmetic::ExpOfNegative(arithmetic::Multiply(-i, factor, rounding), kIntegerBits);
  }
  return table;
}

// The factor for the exponentials of one row, and how far each product is shifted right.
struct Normaliser {
  std::int32_t reciprocal = 0;
  int shift = 0;

  explicit Normaliser(std::int32_t sum) {
    const int headroom = std::countl_zero(static_cast<std::uint32_t>(sum));
    const auto fraction = static_cast<std::int32_t>((static_cast<std::uint32_t>(sum) << headroom) -
                                                    (std::uint32_t{1} << 31));
    reciprocal = arithmetic::OneOverOnePlus(fraction);
    shift = kSumIntegerBits - headroom;
  }
};

template <typename Out>
void SoftmaxRow(std::span<const std::int8_t> row, const ExpTable& table, int output_shift,
                std::vector<Out>& output) {
  const std::int32_t largest = *std::ranges::max_element(row);
  const auto exponential = [&](std::int8_t value) {
    return table[static_cast<std::size_t>(largest - value)];
  };
  std::int32_t sum = 0;
  for (const std::int8_t value : row) {
    if (const auto e = exponential(value)) sum += RoundingDivideByPowerOfTwo(*e, kSumIntegerBits);
  }
  const Normaliser normaliser(sum);
  constexpr std::int32_t kLowest = std::numeric_limits<Out>::min();
  constexpr std::int32_t kHighest = std::numeric_limits<Out>::max();
  for (const std::int8_t element : row) {
    std::int32_t value = kLowest;
    if (const auto e = exponential(element)) {
      value = RoundingDivideByPowerOfTwo(RoundingDoublingHighMultiply(normaliser.reciprocal, *e),
                                         normaliser.shift + output_shift) +
              kLowest;
    }
    output.push_back(static_cast<Out>(std::clamp(value, kLowest, kHighest)));
  }
}

// e^(beta * (x - largest)) over the sum of all of these, in double precision.
void SoftmaxRow(std::span<const float> row, double beta, std::vector<float>& output) {
  double largest = static_cast<double>(row[0]);
  for (const float value : row) largest = std::max(largest, static_cast<double>(value));
  std::vector<double> exponentials;
  double sum = 0;
  for (const float value : row) {
    exponentials.push_back(std::exp(beta * (static_cast<double>(value) - largest)));
    sum += exponentials.back();
  }
  for (const double e : exponentials) output.push_back(static_cast<float>(e / sum));
}

// Calls function(row) for each row of the input.
template <typename T, typename Function>
void ForRows(const Invocation& call, Function function) {
  const std::vector<T> input = call.Read<T>(0);
  const Shape& shape = call.In(0).shape;
  const auto size = static_cast<std::size_t>(shape.empty() ? 1 : shape.back());
  for (std::size_t begin = 0; begin < input.size(); begin += size) {
    function(std::span(input).subspan(begin, size));
  }
}

template <typename Out>
void SoftmaxOfInt8(Invocation& call, float beta, int output_shift) {
  const ExpTable table = MakeExpTable(beta, call.In(0).scale, call.Rounding());
  std::vector<Out> output;
  ForRows<std::int8_t>(call, [&](std::span<const std::int8_t> row) {
    SoftmaxRow(row, table, output_shift, output);
  });
  call.Write(0, output);
}

}  // namespace

void Compute(Invocation& call, const host_operators::Softmax& op) {
  if (call.Out().type == ElementType::kInt8) {
    SoftmaxOfInt8<std::int8_t>(call, op.beta, 23);
  } else if (call.Out().type == ElementType::kInt16) {
    SoftmaxOfInt8<std::int16_t>(call, op.beta, 15);
  } else {
    std::vector<float> output;
    ForRows<float>(call, [&](std::span<const float> row) {
      SoftmaxRow(row, static_cast<double>(op.beta), output);
    });
    call.Write(0, output);
  }
}

}  // namespace tpu::host_kernels
