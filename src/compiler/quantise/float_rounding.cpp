// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantise/float_rounding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "compiler/quantise/byte_table.h"

namespace tpu::compiler {
namespace {

constexpr std::array<std::string_view, 5> kFloat = {"CONV_2D", "DEPTHWISE_CONV_2D",
                                                    "FULLY_CONNECTED", "MUL", "TRANSPOSE_CONV"};
std::int32_t Quantized(float value, const ir::Tensor& output) {
  const float steps = value / output.scale + static_cast<float>(output.zero_point);
  return static_cast<std::int32_t>(std::lrint(std::clamp(steps, -128.0F, 127.0F)));
}

}  // namespace

bool RoundsAsFloat(std::string_view name) {
  return std::ranges::find(kFloat, name) != kFloat.end();
}

Multiplier FloatMultiplier(float factor) {
  return QuantizeMultiplier(static_cast<double>(factor), Rounding::kFloat);
}

ir::Lookup FloatSquareTable(ir::Activation activation, const ir::Tensor& input,
                            const ir::Tensor& output) {
  const Bounds bounds = FloatActivationBounds(activation, output);
  const float inverse = 1.0F / output.scale;
  return MakeTable(input, output, [&](std::int32_t q) {
    const float value = static_cast<float>(q - input.zero_point) * input.scale;
    const float square = value * value;
    const float steps = square * inverse + static_cast<float>(output.zero_point);
    return static_cast<std::int32_t>(std::lrint(
        std::clamp(steps, static_cast<float>(bounds.lo), static_cast<float>(bounds.hi))));
  });
}

Bounds FloatActivationBounds(ir::Activation activation, const ir::Tensor& output) {
  switch (activation) {
    case ir::Activation::kNone:
      break;
    case ir::Activation::kRelu:
      return {.lo = Quantized(0.0F, output)};
    case ir::Activation::kRelu6:
      return {.lo = Quantized(0.0F, output), .hi = Quantized(6.0F, output)};
    case ir::Activation::kReluN1To1:
      return {.lo = Quantized(-1.0F, output), .hi = Quantized(1.0F, output)};
  }
  return {};
}

}  // namespace tpu::compiler
