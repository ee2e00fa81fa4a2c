// SPDX-License-Identifier: Apache-2.0
// QUANTIZE and DEQUANTIZE.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "arithmetic/multiplier.h"
#include "host_kernels/elements.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

template <typename T>
T Saturate(std::int64_t value) {
  using Limits = std::numeric_limits<T>;
  if (std::cmp_less(value, Limits::min())) return Limits::min();
  return std::cmp_greater(value, Limits::max()) ? Limits::max() : static_cast<T>(value);
}

// Kept in a range that leaves room for zero points.
std::int64_t ToInteger(float rounded) {
  constexpr double kLimit = 9007199254740992.0;
  if (std::isnan(rounded)) return 0;
  return static_cast<std::int64_t>(std::clamp(static_cast<double>(rounded), -kLimit, kLimit));
}

float Rounded(float value, float scale, host_operators::FloatSteps steps) {
  switch (steps) {
    case host_operators::FloatSteps::kQuotientAway:
      return std::round(value / scale);
    case host_operators::FloatSteps::kQuotientEven:
      return std::nearbyint(value / scale);
    case host_operators::FloatSteps::kProductEven:
      return std::nearbyint(value * (1.0F / scale));
  }
  return 0.0F;
}

template <typename Out>
void QuantizeFloats(Invocation& call, host_operators::FloatSteps steps) {
  std::vector<Out> output;
  for (const float value : call.Read<float>(0)) {
    output.push_back(
        Saturate<Out>(ToInteger(Rounded(value, call.Out().scale, steps)) + call.Out().zero_point));
  }
  call.Write(0, output);
}

template <typename In, typename Out>
void QuantizeIntegers(Invocation& call) {
  const arithmetic::Multiplier factor = arithmetic::QuantizeMultiplier(
      static_cast<double>(call.In(0).scale) / static_cast<double>(call.Out().scale),
      call.Rounding());
  std::vector<Out> output;
  for (const In element : call.Read<In>(0)) {
    const auto value = static_cast<std::int32_t>(element) - call.In(0).zero_point;
    output.push_back(
        Saturate<Out>(std::int64_t{arithmetic::Multiply(value, factor, call.Rounding())} +
                      call.Out().zero_point));
  }
  call.Write(0, output);
}

}  // namespace

void Compute(Invocation& call, const host_operators::Quantize& op) {
  WithInteger(call.Out().type, [&]<typename Out>(Out) {
    if (call.In(0).type == ElementType::kFloat32) return QuantizeFloats<Out>(call, op.steps);
    WithInteger(call.In(0).type, [&]<typename In>(In) { QuantizeIntegers<In, Out>(call); });
  });
}

void Compute(Invocation& call, const host_operators::Dequantize& /*op*/) {
  const auto scale = static_cast<double>(call.In(0).scale);
  std::vector<float> output;
  WithInteger(call.In(0).type, [&]<typename In>(In) {
    for (const In element : call.Read<In>(0)) {
      const std::int64_t value = static_cast<std::int64_t>(element) - call.In(0).zero_point;
      output.push_back(static_cast<float>(scale * static_cast<double>(value)));
    }
  });
  call.Write(0, output);
}

}  // namespace tpu::host_kernels
