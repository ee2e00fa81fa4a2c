// SPDX-License-Identifier: Apache-2.0
// Rounding as XNNPACK and ONNX Runtime do (docs/arithmetic.md, float rounding): scales are float32,
// and so is the product with a sum.
#pragma once

#include <string_view>

#include "compiler/quantise/quantization.h"

namespace tpu::compiler {

/// Whether an operator of TensorFlow Lite of that name multiplies in float32 in rounding float. All
/// others compute as in rounding double.
bool RoundsAsFloat(std::string_view name);

/// The factor as float32 has it, for VECTOR's float_rounding.
Multiplier FloatMultiplier(float factor);

/// The square of a tensor's values, whose zero point is added before rounding.
ir::Lookup FloatSquareTable(ir::Activation activation, const ir::Tensor& input,
                            const ir::Tensor& output);

/// Bounds as XNNPACK rounds them: with the zero point in float32, ties to even.
Bounds FloatActivationBounds(ir::Activation activation, const ir::Tensor& output);

}  // namespace tpu::compiler
