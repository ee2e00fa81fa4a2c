// SPDX-License-Identifier: Apache-2.0
// Rounding as XNNPACK and ONNX Runtime do (docs/arithmetic.md, float rounding): scales are float32,
// and so is the product with a sum.
#pragma once

#include <cstdint>
#include <string_view>

#include "compiler/quantise/quantization.h"

namespace tpu::compiler {

/// The rounding in which an operator of TensorFlow Lite of that name is lowered: in rounding float
/// some are lowered in single, and most in double; in ONNX Runtime's most in single, which is
/// nearest to it.
Rounding RoundingOf(std::string_view name, Rounding rounding);

/// The factor as float32 has it, for VECTOR's float_rounding.
Multiplier FloatMultiplier(float factor);

/// Adds the zero point to the bias, in units of the factor, and makes it zero, so that both are
/// rounded together. Where no whole number is near enough, nothing changes: then a half is rare.
void MoveZeroPoint(std::int32_t& zero_point, std::int32_t& bias, const Multiplier& factor);

/// The nearest integer, halves to even; numbers far beyond int8 stay far beyond.
std::int32_t Nearest(float steps);

/// Bounds as XNNPACK rounds them: with the zero point in float32, ties to even.
Bounds FloatActivationBounds(ir::Activation activation, const ir::Tensor& output);

}  // namespace tpu::compiler
