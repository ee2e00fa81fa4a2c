// SPDX-License-Identifier: Apache-2.0
// Further functions as 256-byte tables (quantized_tables.h), bit-exact with TensorFlow Lite Micro's
// kernels: those that real numbers define, and DIV and SQUARED_DIFFERENCE with a constant.
#pragma once

#include <functional>

#include "compiler/quantise/quantization.h"
#include "ir/graph.h"

namespace tpu::compiler {

/// Whether the function has a table: TensorFlow Lite Micro computes it on int8.
bool HasTable(ir::FunctionKind kind);
ir::Lookup FunctionTable(ir::FunctionKind kind, const ir::Tensor& input, const ir::Tensor& output,
                         Rounding rounding);

/// The activation of an operator whose output is not clamped yet.
ir::Lookup ActivationTable(ir::Activation activation, const ir::Tensor& output);

ir::Lookup EluTable(const ir::Tensor& input, const ir::Tensor& output);

/// QUANTIZE of function(DEQUANTIZE), in float32.
ir::Lookup FloatTable(const ir::Tensor& input, const ir::Tensor& output, Rounding rounding,
                      const std::function<float(float)>& function);

/// An operator one of whose operands is always `constant` (a raw value); `constant_first` says
/// which. Both operands and the output are int8.
ir::Lookup BinaryTable(const ir::Divide& op, const ir::Tensor& first, const ir::Tensor& second,
                       const ir::Tensor& output, bool constant_first, std::int32_t constant,
                       Rounding rounding);
ir::Lookup BinaryTable(const ir::SquaredDifference& op, const ir::Tensor& first,
                       const ir::Tensor& second, const ir::Tensor& output, bool constant_first,
                       std::int32_t constant, Rounding rounding);

}  // namespace tpu::compiler
