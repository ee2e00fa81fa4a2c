// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "arithmetic/fixed_point.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

using arithmetic::Multiplier;
using arithmetic::RoundingDivideByPowerOfTwo;

// Differences to the row's largest value are scaled to Q5.26, the sum of exponentials is Q12.19.
constexpr int kLogIntegerBits = 5;
constexpr int kLogFractionBits = 31 - kLogIntegerBits;
constexpr int kLogSumIntegerBits = 12;
// The output is Q4.4.
constexpr int kOutputShift = kLogFractionBits - 4;
constexpr std::int32_t kLowest = std::numeric_limits<std::int8_t>::min();
constexpr std::int32_t kHighest = std::numeric_limits<std::int8_t>::max();

class Int8Rows {
 public:
  explicit Int8Rows(const Invocation& call) : rounding_(call.Rounding()) {
    const double limit =
        rounding_ == arithmetic::Rounding::kSingle ? (1LL << 30) - 1.0 : (1LL << 31) - 1.0;
    const double real = static_cast<double>(call.In(0).scale) * (1 << kLogFractionBits);
    factor_ = arithmetic::QuantizeMultiplier(std::min(real, limit), rounding_);
    inverse_ = arithmetic::QuantizeMultiplier(
        static_cast<double>(std::int64_t{1} << (31 - factor_.shift)) / factor_.multiplier,
        rounding_);
    const double largest = std::min(std::ldexp(31.0 * (1 << kLogFractionBits), -factor_.shift),
                                    static_cast<double>(std::numeric_limits<std::int32_t>::max()));
    smallest_difference_ = -static_cast<std::int32_t>(std::floor(largest));
  }

  void Compute(std::span<const std::int8_t> row, std::vector<std::int8_t>& output) const {
    const std::int32_t largest = *std::ranges::max_element(row);
    std::int32_t sum = 0;
    for (const std::int8_t value : row) {
      if (value - largest < smallest_difference_) continue;
      sum += RoundingDivideByPowerOfTwo(
          arithmetic::ExpOfNegative(Scaled(value - largest), kLogIntegerBits), kLogSumIntegerBits);
    }
    const std::int32_t log_sum = arithmetic::LogOfAtLeastOne(sum);
    // Differences up to this one become the lowest value.
    const std::int32_t dropped =
        std::max(smallest_difference_ - 1,
                 arithmetic::Multiply(std::numeric_limits<std::int32_t>::min() + log_sum, inverse_,
                                      rounding_));
    for (const std::int8_t value : row) {
      std::int32_t result = kLowest;
      if (value - largest > dropped) {
        result =
            RoundingDivideByPowerOfTwo(Scaled(value - largest) - log_sum, kOutputShift) + kHighest;
      }
      output.push_back(static_cast<std::int8_t>(std::clamp(result, kLowest, kHighest)));
    }
  }

 private:
  [[nodiscard]] std::int32_t Scaled(std::int32_t difference) const {
    return arithmetic::Multiply(difference, factor_, rounding_);
  }

  arithmetic::Rounding rounding_;
  Multiplier factor_;
  Multiplier inverse_;
  std::int32_t smallest_difference_ = 0;
};

void ComputeFloats(std::span<const float> row, std::vector<float>& output) {
  float largest = std::numeric_limits<float>::lowest();
  for (const float value : row) largest = std::max(largest, value);
  float sum = 0.0F;
  for (const float value : row) sum += std::exp(value - largest);
  const float log_sum = std::log(sum);
  for (const float value : row) output.push_back(value - largest - log_sum);
}

}  // namespace

void Compute(Invocation& call, const host_operators::LogSoftmax& /*op*/) {
  const auto size = static_cast<std::size_t>(call.In(0).shape.back());
  const auto compute = [&]<typename T>(T, auto compute_row) {
    const std::vector<T> input = call.Read<T>(0);
    std::vector<T> output;
    for (std::size_t begin = 0; begin < input.size(); begin += size) {
      compute_row(std::span(input).subspan(begin, size), output);
    }
    call.Write(0, output);
  };
  if (call.In(0).type == ElementType::kFloat32) return compute(float{}, ComputeFloats);
  const Int8Rows rows(call);
  compute(std::int8_t{}, [&](std::span<const std::int8_t> row, std::vector<std::int8_t>& output) {
    rows.Compute(row, output);
  });
}

}  // namespace tpu::host_kernels
