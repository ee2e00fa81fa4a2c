// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "arithmetic/fixed_point.h"
#include "arithmetic/multiplier.h"
#include "base/error.h"
#include "host_kernels/elements.h"
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
ExpTable MakeExpTable(float beta, float scale, bool single_rounding) {
  const auto rounding =
      single_rounding ? arithmetic::Rounding::kSingle : arithmetic::Rounding::kDouble;
  const double limit = single_rounding ? (1LL << 30) - 1.0 : (1LL << 31) - 1.0;
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

template <typename In, typename Out>
void SoftmaxRow(const Bytes& input, Bytes& output, std::size_t begin, std::size_t size,
                const ExpTable& table, int output_shift) {
  std::int32_t largest = std::numeric_limits<In>::min();
  for (std::size_t i = 0; i < size; ++i) {
    largest = std::max<std::int32_t>(largest, ReadElement<In>(input, begin + i));
  }
  const auto exponential = [&](std::size_t i) {
    const std::int32_t difference = largest - ReadElement<In>(input, begin + i);
    return table[static_cast<std::size_t>(difference)];
  };
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (const auto e = exponential(i)) sum += RoundingDivideByPowerOfTwo(*e, kSumIntegerBits);
  }
  const Normaliser normaliser(sum);
  constexpr std::int32_t kLowest = std::numeric_limits<Out>::min();
  constexpr std::int32_t kHighest = std::numeric_limits<Out>::max();
  for (std::size_t i = 0; i < size; ++i) {
    std::int32_t value = kLowest;
    if (const auto e = exponential(i)) {
      value = RoundingDivideByPowerOfTwo(RoundingDoublingHighMultiply(normaliser.reciprocal, *e),
                                         normaliser.shift + output_shift) +
              kLowest;
    }
    WriteElement(output, begin + i, static_cast<Out>(std::clamp(value, kLowest, kHighest)));
  }
}

// e^(beta * (x - largest)) over the sum of all of these, in double precision.
void SoftmaxRow(const Bytes& input, Bytes& output, std::size_t begin, std::size_t size,
                double beta) {
  const auto at = [&](std::size_t i) {
    return static_cast<double>(ReadElement<float>(input, begin + i));
  };
  double largest = at(0);
  for (std::size_t i = 1; i < size; ++i) largest = std::max(largest, at(i));
  std::vector<double> exponentials(size);
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    exponentials[i] = std::exp(beta * (at(i) - largest));
    sum += exponentials[i];
  }
  for (std::size_t i = 0; i < size; ++i) {
    WriteElement(output, begin + i, static_cast<float>(exponentials[i] / sum));
  }
}

void SoftmaxOfFloats(const executable::HostCall& call, std::size_t size, const Bytes& input,
                     Bytes& output) {
  for (std::size_t begin = 0; begin < input.size() / sizeof(float); begin += size) {
    SoftmaxRow(input, output, begin, size, static_cast<double>(call.beta));
  }
}

}  // namespace

Bytes Softmax(const executable::HostCall& call, const Bytes& input) {
  const executable::TensorBinding& from = call.inputs[0];
  const executable::TensorBinding& to = call.output;
  Bytes output(to.Bytes());
  const auto size = static_cast<std::size_t>(from.shape.empty() ? 1 : from.shape.back());
  if (from.type == ElementType::kFloat32 && to.type == ElementType::kFloat32) {
    SoftmaxOfFloats(call, size, input, output);
    return output;
  }
  const ExpTable table = MakeExpTable(call.beta, from.scale, call.single_rounding);
  for (std::size_t begin = 0; begin < input.size(); begin += size) {
    if (from.type == ElementType::kInt8 && to.type == ElementType::kInt8) {
      SoftmaxRow<std::int8_t, std::int8_t>(input, output, begin, size, table, 23);
    } else if (from.type == ElementType::kInt8 && to.type == ElementType::kInt16) {
      SoftmaxRow<std::int8_t, std::int16_t>(input, output, begin, size, table, 15);
    } else {
      throw Error::Format("SOFTMAX from {} to {} is not supported", ElementTypeName(from.type),
                          ElementTypeName(to.type));
    }
  }
  return output;
}

}  // namespace tpu::host_kernels
