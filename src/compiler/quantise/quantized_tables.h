// SPDX-License-Identifier: Apache-2.0
// Functions of one 8-bit tensor element as 256-byte tables, bit-exact with TensorFlow Lite's
// kernels. Tables map raw bytes to raw bytes, so int8 and uint8 tensors can be mixed.
#pragma once

#include "compiler/quantise/quantization.h"
#include "ir/graph.h"

namespace tpu::compiler {

/// Element types that a table can map.
bool IsByte(const ir::Tensor& tensor);

ir::Lookup UnaryTable(ir::UnaryKind kind, const ir::Tensor& input, const ir::Tensor& output,
                      Rounding rounding);
ir::Lookup LeakyReluTable(float alpha, const ir::Tensor& input, const ir::Tensor& output,
                          Rounding rounding);

/// QUANTIZE: the input's real value in the output's scale.
ir::Lookup QuantizeTable(const ir::Tensor& input, const ir::Tensor& output, Rounding rounding);

/// PRELU whose slope is `slope`, a raw value of `slopes`, everywhere.
ir::Lookup PreluTable(const ir::Tensor& input, const ir::Tensor& slopes, std::int32_t slope,
                      const ir::Tensor& output, Rounding rounding);

/// The part of a PRELU above zero; zero below it.
ir::Lookup PositivePartTable(const ir::Tensor& input, const ir::Tensor& output, Rounding rounding);

/// min(q, zero point): the part below zero, in the input's own scale.
ir::Lookup NegativePartTable(const ir::Tensor& input);

/// A binary operator one of whose operands is always `constant` (a raw value); `constant_first`
/// says which. Both operands and the output are int8.
ir::Lookup BinaryTable(const ir::Binary& op, const ir::Tensor& first, const ir::Tensor& second,
                       const ir::Tensor& output, bool constant_first, std::int32_t constant,
                       Rounding rounding);

/// second(first(q)).
ir::Lookup Compose(const ir::Lookup& first, const ir::Lookup& second);

}  // namespace tpu::compiler
