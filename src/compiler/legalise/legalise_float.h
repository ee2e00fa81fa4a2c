// SPDX-License-Identifier: Apache-2.0
// Rules for operators on bfloat16 that are tables on int8.
#pragma once

#include "compiler/legalise/legalise_rules.h"

namespace tpu::compiler {

void LegaliseFloat(const OperatorView& view, const ir::Binary& op);
void LegaliseFloat(const OperatorView& view, const ir::Unary& op);
void LegaliseFloat(const OperatorView& view, const ir::LeakyRelu& op);
void LegaliseFloat(const OperatorView& view, const ir::Prelu& op);

}  // namespace tpu::compiler
