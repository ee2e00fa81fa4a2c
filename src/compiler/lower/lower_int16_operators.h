// SPDX-License-Identifier: Apache-2.0
// Elementwise operators on int16 as jobs of the vector unit.
#pragma once

#include "compiler/lower/lower_operator.h"

namespace tpu::compiler {

void LowerInt16Binary(const OperatorContext& context, const ir::Binary& op, Emitter& emitter);

}  // namespace tpu::compiler
