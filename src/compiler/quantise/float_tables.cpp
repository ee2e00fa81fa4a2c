// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantise/float_tables.h"

#include <algorithm>
#include <cmath>

#include "compiler/quantise/byte_table.h"
#include "compiler/quantise/float_rounding.h"

namespace tpu::compiler {
namespace {

// `function` of the values in float32, divided by the scale as a product; the zero point is added
// before rounding.
template <typename Function>
ir::Lookup TableOf(const ir::Tensor& input, const ir::Tensor& output, Bounds bounds,
                   Function function) {
  const float inverse = 1.0F / output.scale;
  return MakeTable(input, output, [&](std::int32_t q) {
    const float value = static_cast<float>(q - input.zero_point) * input.scale;
    const float steps = function(value) * inverse + static_cast<float>(output.zero_point);
    return static_cast<std::int32_t>(std::lrint(
        std::clamp(steps, static_cast<float>(bounds.lo), static_cast<float>(bounds.hi))));
  });
}

// The same, but divided by the scale, and rounded before the zero point is added.
template <typename Function>
ir::Lookup QuotientTableOf(const ir::Tensor& input, const ir::Tensor& output, Function function) {
  return MakeTable(input, output, [&](std::int32_t q) {
    const float value = static_cast<float>(q - input.zero_point) * input.scale;
    return Nearest(function(value) / output.scale) + output.zero_point;
  });
}

float FloatLogistic(float x) {
  constexpr float kFar = 100.0F;
  if (x > kFar) return 1.0F;
  if (x < -kFar) return 0.0F;
  const double e = std::exp(static_cast<double>(x));
  return static_cast<float>(e / (1 + e));
}

float FloatElu(float x) { return x < 0.0F ? std::expm1(x) : x; }

constexpr float kLeastFactor = 1.0F / 256.0F;
constexpr float kMostFactor = 128.0F;

bool IsFactor(float factor) {
  return std::abs(factor) >= kLeastFactor && std::abs(factor) <= kMostFactor;
}

std::int32_t In256ths(float factor) {
  return static_cast<std::int32_t>(std::lrint(factor * 256.0F));
}

// v times a factor in 256ths, halves towards plus infinity.
std::int32_t Rescaled(std::int32_t v, std::int32_t factor) { return (v * factor + 128) >> 8; }

}  // namespace

std::optional<ir::Lookup> FloatUnaryTable(ir::UnaryKind kind, const ir::Tensor& input,
                                          const ir::Tensor& output) {
  switch (kind) {
    case ir::UnaryKind::kLogistic:
      return TableOf(input, output, {}, FloatLogistic);
    case ir::UnaryKind::kTanh:
      return TableOf(input, output, {}, [](float x) { return std::tanh(x); });
    case ir::UnaryKind::kElu:
      return TableOf(input, output, {}, FloatElu);
    default:
      return {};
  }
}

std::optional<ir::Lookup> FloatLeakyReluTable(float alpha, const ir::Tensor& input,
                                              const ir::Tensor& output) {
  const float positive = input.scale / output.scale;
  const float negative = positive * alpha;
  if (!IsFactor(positive) || !IsFactor(negative)) return {};
  const std::int32_t above = In256ths(positive);
  const std::int32_t below = In256ths(negative);
  return MakeTable(input, output, [&](std::int32_t q) {
    const std::int32_t v = q - input.zero_point;
    return Rescaled(v, v >= 0 ? above : below) + output.zero_point;
  });
}

std::optional<ir::Lookup> FloatQuantizeTable(const ir::Tensor& input, const ir::Tensor& output) {
  const float factor = input.scale / output.scale;
  if (input.type != output.type || !IsFactor(factor)) return {};
  return MakeTable(input, output, [&](std::int32_t q) {
    return Rescaled(q - input.zero_point, In256ths(factor)) + output.zero_point;
  });
}

ir::Lookup FloatMeanTable(const ir::Tensor& input, const ir::Tensor& output) {
  const float factor = input.scale / output.scale;
  const float zero_point = static_cast<float>(input.zero_point) * factor;
  const float offset = static_cast<float>(output.zero_point) - zero_point;
  return MakeTable(input, output, [&](std::int32_t q) {
    const float steps = static_cast<float>(q) * factor;
    return Nearest(steps + offset);
  });
}

ir::Lookup FloatRescaledTable(const ir::Tensor& input, const ir::Tensor& output) {
  return QuotientTableOf(input, output, [](float x) { return x; });
}

ir::Lookup FloatPreluTable(float slope, const ir::Tensor& input, const ir::Tensor& output) {
  return QuotientTableOf(input, output, [&](float x) { return x < 0.0F ? x * slope : x; });
}

ir::Lookup FloatSquareTable(ir::Activation activation, const ir::Tensor& input,
                            const ir::Tensor& output) {
  return TableOf(input, output, FloatActivationBounds(activation, output),
                 [](float x) { return x * x; });
}

}  // namespace tpu::compiler
