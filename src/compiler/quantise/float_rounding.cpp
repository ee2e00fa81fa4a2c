// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantise/float_rounding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

namespace tpu::compiler {
namespace {

// Operators with an arithmetic of XNNPACK's own; all others are in LiteRT's kernels.
constexpr std::array<std::string_view, 8> kXnnpack = {
    "ADD", "CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "MEAN",
    "MUL", "SUB",     "TRANSPOSE_CONV"};
// Exact sums of which XNNPACK rounds halves towards plus infinity.
constexpr std::string_view kUpwards = "RESIZE_BILINEAR";
// Sums and products that ONNX Runtime rounds together with the zero point, and others that it
// multiplies as XNNPACK does.
constexpr std::array<std::string_view, 3> kWithZeroPoint = {"ADD", "MUL", "SUB"};
constexpr std::array<std::string_view, 6> kOnnxRuntime = {
    "BATCH_MATMUL", "CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "PRELU", "TRANSPOSE_CONV"};

bool Contains(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::int32_t Quantized(float value, const ir::Tensor& output) {
  const float steps = value / output.scale + static_cast<float>(output.zero_point);
  return static_cast<std::int32_t>(std::lrint(std::clamp(steps, -128.0F, 127.0F)));
}

}  // namespace

Rounding RoundingOf(std::string_view name, Rounding rounding) {
  switch (rounding) {
    case Rounding::kDouble:
    case Rounding::kSingle:
      return rounding;
    case Rounding::kFloat:
      if (Contains(kXnnpack, name)) return rounding;
      return name == kUpwards ? Rounding::kSingle : Rounding::kDouble;
    case Rounding::kOnnxRuntime:
      if (Contains(kWithZeroPoint, name)) return rounding;
      return Contains(kOnnxRuntime, name) ? Rounding::kFloat : Rounding::kSingle;
  }
  return rounding;
}

Multiplier FloatMultiplier(float factor) {
  return QuantizeMultiplier(static_cast<double>(factor), Rounding::kFloat);
}

void MoveZeroPoint(std::int32_t& zero_point, std::int32_t& bias, const Multiplier& factor) {
  constexpr double kMost = 1 << 30;
  const double near = std::ldexp(1.0, -18);
  const double unit = std::ldexp(static_cast<double>(factor.multiplier), factor.shift - 31);
  if (zero_point == 0 || unit == 0) return;
  const double units = std::rint(zero_point / unit);
  if (std::abs(units) > kMost || std::abs(units * unit - zero_point) > near) return;
  bias += static_cast<std::int32_t>(units);
  zero_point = 0;
}

std::int32_t Nearest(float steps) {
  constexpr float kFar = 1 << 20;
  return static_cast<std::int32_t>(std::lrint(std::clamp(steps, -kFar, kFar)));
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
