// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "arithmetic/exponential_table.h"
#include "arithmetic/fixed_point.h"
#include "arithmetic/int16_softmax.h"
#include "arithmetic/multiplier.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

using arithmetic::Multiplier;
using arithmetic::RoundingDivideByPowerOfTwo;
using arithmetic::RoundingDoublingHighMultiply;

using ExpTable = std::array<std::int32_t, 256>;

// The factor for the exponentials of one row, and how far each product is shifted right.
struct Normaliser {
  std::int32_t reciprocal = 0;
  int shift = 0;

  explicit Normaliser(std::int32_t sum) {
    const int headroom = std::countl_zero(static_cast<std::uint32_t>(sum));
    const auto fraction = static_cast<std::int32_t>((static_cast<std::uint32_t>(sum) << headroom) -
                                                    (std::uint32_t{1} << 31));
    reciprocal = arithmetic::OneOverOnePlus(fraction);
    shift = arithmetic::kExponentialSumIntegerBits - headroom;
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
    sum += RoundingDivideByPowerOfTwo(exponential(value), arithmetic::kExponentialSumIntegerBits);
  }
  const Normaliser normaliser(sum);
  constexpr std::int32_t kLowest = std::numeric_limits<Out>::min();
  constexpr std::int32_t kHighest = std::numeric_limits<Out>::max();
  for (const std::int8_t element : row) {
    const std::int32_t value =
        RoundingDivideByPowerOfTwo(
            RoundingDoublingHighMultiply(normaliser.reciprocal, exponential(element)),
            normaliser.shift + output_shift) +
        kLowest;
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
  const ExpTable table = arithmetic::ExponentialTable(beta, call.In(0).scale, call.Rounding());
  std::vector<Out> output;
  ForRows<std::int8_t>(call, [&](std::span<const std::int8_t> row) {
    SoftmaxRow(row, table, output_shift, output);
  });
  call.Write(0, output);
}

// int16 to int16, in 32768ths, with both functions from tables.
class SoftmaxOfInt16 {
 public:
  SoftmaxOfInt16(float beta, float scale, arithmetic::Rounding rounding)
      : factor_(arithmetic::Int16SoftmaxFactor(beta, scale, rounding)), rounding_(rounding) {}

  void Row(std::span<const std::int16_t> row, std::vector<std::int16_t>& output) const {
    const std::int32_t largest = *std::ranges::max_element(row);
    std::vector<std::int16_t> exponentials;
    std::int32_t sum = 0;
    for (const std::int16_t value : row) {
      const std::int32_t difference = arithmetic::Multiply(value - largest, factor_, rounding_);
      exponentials.push_back(exponential_.At(Saturated(difference + kMost)));
      sum += exponentials.back();
    }
    // The sum as 1 + x with 16 bits behind the point.
    const int headroom = std::countl_zero(static_cast<std::uint32_t>(sum));
    constexpr int kDropped = 14;
    const std::int64_t shifted =
        ((std::int64_t{sum} << (headroom - 1)) + (1 << (kDropped - 1))) >> kDropped;
    constexpr std::int64_t kOneAndHalf = (1 << 16) + (1 << 15);
    const std::int16_t reciprocal = reciprocal_.At(Saturated(shifted - kOneAndHalf));
    const int shift = 31 - headroom;
    const std::int64_t half = shift == 0 ? 0 : std::int64_t{1} << (shift - 1);
    for (const std::int16_t e : exponentials) {
      const std::int64_t value = (std::int64_t{e} * reciprocal + half) >> shift;
      output.push_back(static_cast<std::int16_t>(std::clamp<std::int64_t>(value, 0, kMost)));
    }
  }

 private:
  static constexpr std::int32_t kMost = 32767;

  static std::int16_t Saturated(std::int64_t value) {
    return static_cast<std::int16_t>(std::clamp<std::int64_t>(value, -kMost - 1, kMost));
  }

  Multiplier factor_;
  arithmetic::Rounding rounding_;
  arithmetic::Int16Table exponential_ = arithmetic::ExponentialOfInt16();
  arithmetic::Int16Table reciprocal_ = arithmetic::ReciprocalOfInt16();
};

// ONNX Runtime's QLinearSoftmax: exponentials in float32, as large as their sum allows, which are
// summed in the row's order.
void SoftmaxOfOnnx(Invocation& call) {
  constexpr double kReserve = 5.0;
  const double scale = call.In(0).scale;
  const auto length = static_cast<float>(call.In(0).shape.empty() ? 1 : call.In(0).shape.back());
  const float largest_share = std::numeric_limits<float>::max() / length;
  const double shift =
      std::max(0.0, std::log(static_cast<double>(largest_share)) - kReserve) / scale;
  std::array<float, 256> table{};
  for (std::size_t distance = 0; distance < table.size(); ++distance) {
    const double steps = shift - static_cast<double>(distance);
    table.at(distance) = static_cast<float>(std::exp(steps * scale));
  }
  const float steps_of_one = std::floor(1.0F / call.Out().scale);
  std::vector<std::int8_t> output;
  ForRows<std::int8_t>(call, [&](std::span<const std::int8_t> row) {
    const std::int32_t largest = *std::ranges::max_element(row);
    const auto exponential = [&](std::int8_t value) {
      return table[static_cast<std::size_t>(largest - value)];
    };
    float sum = 0.0F;
    for (const std::int8_t value : row) sum += exponential(value);
    for (const std::int8_t value : row) {
      const float steps = std::nearbyint(exponential(value) * steps_of_one / sum) +
                          static_cast<float>(call.Out().zero_point);
      output.push_back(static_cast<std::int8_t>(std::clamp(steps, -128.0F, 127.0F)));
    }
  });
  call.Write(0, output);
}

}  // namespace

void Compute(Invocation& call, const host_operators::Softmax& op) {
  if (op.of_onnx) {
    SoftmaxOfOnnx(call);
  } else if (call.In(0).type == ElementType::kInt16) {
    const SoftmaxOfInt16 softmax(op.beta, call.In(0).scale, call.Rounding());
    std::vector<std::int16_t> output;
    ForRows<std::int16_t>(call,
                          [&](std::span<const std::int16_t> row) { softmax.Row(row, output); });
    call.Write(0, output);
  } else if (call.Out().type == ElementType::kInt8) {
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
