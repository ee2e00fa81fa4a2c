// SPDX-License-Identifier: Apache-2.0
// Operators on int16 that differ from those on int8.
#pragma once

#include "compiler/legalise/legalise_rules.h"

namespace tpu::compiler {

/// From one quantisation to another, as QUANTIZE has it.
ir::IntegerMap RescaleOf(const ir::Tensor& input, const ir::Tensor& output, Rounding rounding);
/// Whether the operator is one from or to int16 that the vector unit does.
bool RescalesInt16(const OperatorView& view);

void LegaliseInt16(const OperatorView& view, const ir::Unary& op);
void LegaliseInt16(const OperatorView& view, const ir::LeakyRelu& op);
/// Of int8, too.
void LegaliseInt16(const OperatorView& view, const ir::SquaredDifference& op);

/// SOFTMAX on the device; false when the host does it.
bool LegaliseInt16(const OperatorView& view, const ir::Softmax& op);

}  // namespace tpu::compiler
