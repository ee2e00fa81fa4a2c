// SPDX-License-Identifier: Apache-2.0
// DIV and SQUARED_DIFFERENCE on int8 tensors that broadcast, ADD_N on those of one shape.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "arithmetic/multiplier.h"
#include "arithmetic/pairs.h"
#include "arithmetic/saturate.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

arithmetic::Quantisation QuantisationOf(const executable::TensorBinding& tensor) {
  return {.scale = tensor.scale, .zero_point = tensor.zero_point};
}

template <typename Function>
void ComputePairs(Invocation& call) {
  const Function function(QuantisationOf(call.In(0)), QuantisationOf(call.In(1)),
                          QuantisationOf(call.Out()), call.Rounding());
  const std::vector<std::int8_t> first = call.ReadBroadcast<std::int8_t>(0);
  const std::vector<std::int8_t> second = call.ReadBroadcast<std::int8_t>(1);
  std::vector<std::int8_t> values(first.size());
  std::ranges::transform(first, second, values.begin(), function);
  call.Write(0, values);
}

}  // namespace

void Compute(Invocation& call, const host_operators::Divide& /*op*/) {
  ComputePairs<arithmetic::Quotient>(call);
}

void Compute(Invocation& call, const host_operators::SquaredDifference& /*op*/) {
  ComputePairs<arithmetic::SquaredDifference>(call);
}

// In units of half a step of the inputs, with 20 bits of fraction. TensorFlow Lite Micro begins the
// sum not with zero, but with what the integer 0 stands for.
void Compute(Invocation& call, const host_operators::AddN& /*op*/) {
  constexpr int kBits = 20;
  const arithmetic::Rounding rounding = call.Rounding();
  const executable::TensorBinding& input = call.In(0);
  const double twice = 2.0 * static_cast<double>(input.scale);
  const arithmetic::Multiplier half =
      arithmetic::QuantizeMultiplier(static_cast<double>(input.scale) / twice, rounding);
  const arithmetic::Multiplier factor = arithmetic::QuantizeMultiplier(
      twice / (static_cast<double>(1 << kBits) * static_cast<double>(call.Out().scale)), rounding);
  const auto term = [&](std::int32_t value) {
    return static_cast<std::uint32_t>(
        arithmetic::Multiply((value - input.zero_point) * (1 << kBits), half, rounding));
  };
  std::vector<std::uint32_t> sums(ElementsOf(call.Out().shape), term(0));
  for (std::size_t i = 0; i < call.Inputs(); ++i) {
    const std::vector<std::int8_t> terms = call.Read<std::int8_t>(i);
    for (std::size_t e = 0; e < sums.size(); ++e) sums[e] += term(terms[e]);
  }
  std::vector<std::int8_t> values;
  for (const std::uint32_t sum : sums) {
    const std::int64_t value =
        std::int64_t{arithmetic::Multiply(static_cast<std::int32_t>(sum), factor, rounding)} +
        call.Out().zero_point;
    values.push_back(arithmetic::SaturateToInt8(value));
  }
  call.Write(0, values);
}

}  // namespace tpu::host_kernels
