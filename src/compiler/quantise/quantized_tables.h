// SPDX-License-Identifier: Apache-2.0
// Functions of one 8-bit tensor element as 256-byte tables, bit-exact with TensorFlow Lite's
// kernels. Tables map raw bytes to raw bytes, so int8 and uint8 tensors can be mixed.
#pragma once

#include "compiler/quantise/quantization.h"
#include "ir/graph.h"

namespace tpu::compiler {

/// Element types that a table can map.
bool IsByte(const Tensor& tensor);

Lookup UnaryTable(UnaryKind kind, const Tensor& input, const Tensor& output, Rounding rounding);
Lookup LeakyReluTable(float alpha, const Tensor& input, const Tensor& output, Rounding rounding);

/// QUANTIZE: the input's real value in the output's scale.
Lookup QuantizeTable(const Tensor& input, const Tensor& output, Rounding rounding);

/// PRELU whose slope is `slope`, a raw value of `slopes`, everywhere.
Lookup PreluTable(const Tensor& input, const Tensor& slopes, std::int32_t slope,
                  const Tensor& output, Rounding rounding);

/// The part of a PRELU above zero; zero below it.
Lookup PositivePartTable(const Tensor& input, const Tensor& output, Rounding rounding);

/// min(q, zero point): the part below zero, in the input's own scale.
Lookup NegativePartTable(const Tensor& input);

/// A binary operator one of whose operands is always `constant` (a raw value); `constant_first`
/// says which. Both operands and the output are int8.
Lookup BinaryTable(const Binary& op, const Tensor& first, const Tensor& second,
                   const Tensor& output, bool constant_first, std::int32_t constant,
                   Rounding rounding);

/// second(first(q)).
Lookup Compose(const Lookup& first, const Lookup& second);

}  // namespace tpu::compiler
