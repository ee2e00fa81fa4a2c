// SPDX-License-Identifier: Apache-2.0
// Rules for operators on bfloat16 that are tables or host calls on int8.
#pragma once

#include "compiler/legalise/legalise_rules.h"

namespace tpu::compiler {

/// A constant of one element, which instructions hold themselves.
ir::TensorId AddScalar(const OperatorView& view, Bfloat16 value);

void LegaliseFloat(const OperatorView& view, const ir::Binary& op);
void LegaliseFloat(const OperatorView& view, const ir::Unary& op);
void LegaliseFloat(const OperatorView& view, const ir::LeakyRelu& op);
void LegaliseFloat(const OperatorView& view, const ir::Prelu& op);
void LegaliseFloat(const OperatorView& view, const ir::Softmax& op);
void LegaliseFloat(const OperatorView& view, const ir::Function& op);
void LegaliseFloat(const OperatorView& view, const ir::Divide& op);
void LegaliseFloat(const OperatorView& view, const ir::SquaredDifference& op);
void LegaliseFloat(const OperatorView& view, const ir::AddN& op);

}  // namespace tpu::compiler
