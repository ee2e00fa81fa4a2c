// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantise/quantization.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "compiler/quantise/float_rounding.h"

namespace tpu::compiler {
namespace {

// Operands of sums are shifted left by so much, as TensorFlow Lite has it.
double SumScale(const ir::Tensor& output) {
  return output.type == ElementType::kInt16 ? 1 << 15 : 1 << 20;
}

bool ComputesInFloat(const ir::Tensor& output, Rounding rounding) {
  return IsFloat(rounding) && output.type == ElementType::kInt8;
}

std::int32_t QuantizeBound(float value, const ir::Tensor& output) {
  // Bounds beyond int16 are none, however far out.
  constexpr float kFar = 1 << 20;
  const float steps = std::clamp(std::round(value / output.scale), -kFar, kFar);
  return output.zero_point + static_cast<std::int32_t>(steps);
}

float WeightScale(const ir::Tensor& weights, std::size_t channel) {
  if (weights.channel_scales.empty()) return weights.scale;
  return weights.channel_scales.size() == 1 ? weights.channel_scales[0]
                                            : weights.channel_scales[channel];
}

}  // namespace

Bounds ActivationBounds(ir::Activation activation, const ir::Tensor& output, Rounding rounding) {
  if (ComputesInFloat(output, rounding)) return FloatActivationBounds(activation, output);
  Bounds bounds;
  if (output.type == ElementType::kInt16) bounds = {.lo = -32768, .hi = 32767};
  switch (activation) {
    case ir::Activation::kNone:
      break;
    case ir::Activation::kRelu:
      bounds.lo = std::max(bounds.lo, QuantizeBound(0.0F, output));
      break;
    case ir::Activation::kRelu6:
      bounds.lo = std::max(bounds.lo, QuantizeBound(0.0F, output));
      bounds.hi = std::min(bounds.hi, QuantizeBound(6.0F, output));
      break;
    case ir::Activation::kReluN1To1:
      bounds.lo = std::max(bounds.lo, QuantizeBound(-1.0F, output));
      bounds.hi = std::min(bounds.hi, QuantizeBound(1.0F, output));
      break;
  }
  return bounds;
}

std::vector<Multiplier> ConvMultipliers(const ir::Tensor& input, const ir::Tensor& weights,
                                        const ir::Tensor& output, std::int64_t channels,
                                        Rounding rounding) {
  std::vector<Multiplier> multipliers(static_cast<std::size_t>(channels));
  for (std::size_t c = 0; c < multipliers.size(); ++c) {
    if (ComputesInFloat(output, rounding)) {
      multipliers[c] = FloatMultiplier(input.scale * WeightScale(weights, c) / output.scale);
      continue;
    }
    const double factor = static_cast<double>(input.scale) *
                          static_cast<double>(WeightScale(weights, c)) /
                          static_cast<double>(output.scale);
    multipliers[c] = QuantizeMultiplier(factor, rounding);
  }
  return multipliers;
}

std::vector<Multiplier> FullyConnectedMultipliers(const ir::Tensor& input,
                                                  const ir::Tensor& weights,
                                                  const ir::Tensor& output, std::int64_t channels,
                                                  Rounding rounding) {
  if (weights.channel_scales.size() > 1 || input.type == ElementType::kInt16 || IsFloat(rounding)) {
    return ConvMultipliers(input, weights, output, channels, rounding);
  }
  // On int8 TensorFlow Lite rounds this product to float32.
  const float product = input.scale * WeightScale(weights, 0);
  const Multiplier multiplier = QuantizeMultiplier(
      static_cast<double>(product) / static_cast<double>(output.scale), rounding);
  return std::vector<Multiplier>(static_cast<std::size_t>(channels), multiplier);
}

SumMultipliers AddMultipliers(const ir::Tensor& first, const ir::Tensor& second,
                              const ir::Tensor& output, Rounding rounding) {
  const double twice_max = 2.0 * static_cast<double>(std::max(first.scale, second.scale));
  const double small = static_cast<double>(std::min(first.scale, second.scale)) / twice_max;
  const double out = twice_max / (SumScale(output) * static_cast<double>(output.scale));
  return {.first_is_larger = first.scale >= second.scale,
          .small = QuantizeMultiplier(small, rounding),
          .output = QuantizeMultiplier(out, rounding)};
}

SumMultipliers SubMultipliers(const ir::Tensor& first, const ir::Tensor& second,
                              const ir::Tensor& output, Rounding rounding) {
  // As ADD, but on int8 TensorFlow Lite computes each step in float32.
  if (output.type == ElementType::kInt16) return AddMultipliers(first, second, output, rounding);
  const float twice_max = 2.0F * std::max(first.scale, second.scale);
  const float small = std::min(first.scale, second.scale) / twice_max;
  const float out = twice_max / (static_cast<float>(SumScale(output)) * output.scale);
  return {.first_is_larger = first.scale >= second.scale,
          .small = QuantizeMultiplier(static_cast<double>(small), rounding),
          .output = QuantizeMultiplier(static_cast<double>(out), rounding)};
}

Multiplier MulMultiplier(const ir::Tensor& first, const ir::Tensor& second,
                         const ir::Tensor& output, Rounding rounding) {
  if (ComputesInFloat(output, rounding)) {
    return FloatMultiplier(first.scale * second.scale / output.scale);
  }
  return QuantizeMultiplier(static_cast<double>(first.scale) * static_cast<double>(second.scale) /
                                static_cast<double>(output.scale),
                            rounding);
}

std::optional<int> Log2(float scale) {
  constexpr float kNear = 1e-3F;
  const float log = std::log2(scale);
  const float rounded = std::round(log);
  if (std::abs(log - rounded) >= kNear) return {};
  return static_cast<int>(rounded);
}

Multiplier ReduceMultiplier(ir::ReduceKind kind, std::int64_t count, const ir::Tensor& input,
                            const ir::Tensor& output, Rounding rounding) {
  if (ComputesInFloat(output, rounding) && kind == ir::ReduceKind::kMean) {
    return FloatMultiplier(input.scale / output.scale * (1.0F / static_cast<float>(count)));
  }
  const Multiplier scale = QuantizeMultiplier(
      static_cast<double>(input.scale) / static_cast<double>(output.scale), rounding);
  if (kind == ir::ReduceKind::kSum) return scale;
  // The division joins the multiplier, which is first made as large as its 31 bits allow.
  const int log = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count))) - 1;
  const int left = std::min({log, 32, 31 + scale.shift});
  return {.multiplier = static_cast<std::int32_t>((std::int64_t{scale.multiplier} << left) / count),
          .shift = scale.shift - left};
}

Divider AverageDivider(std::int32_t taps) {
  const auto log =
      static_cast<int>(std::bit_width(static_cast<std::uint32_t>(taps) - 1U));  // ceil(log2 taps)
  const int shift = 1 - log;
  const std::int64_t power = std::int64_t{1} << (31 - shift);
  return {.bias = taps / 2,
          .multiplier = {.multiplier = static_cast<std::int32_t>((power + taps - 1) / taps),
                         .shift = shift}};
}

}  // namespace tpu::compiler
