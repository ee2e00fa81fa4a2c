// SPDX-License-Identifier: Apache-2.0
// Operators on floating-point tensors that have nothing in common with those on bytes.
#pragma once

#include "compiler/lower/lower_operator.h"

namespace tpu::compiler {

isa::FloatMap MapOf(ir::MapKind kind);

/// Binary operators on two tensors of the output's shape, or on one and a constant of one element.
void LowerFloatBinary(const OperatorContext& context, const ir::Binary& op, Emitter& emitter);

}  // namespace tpu::compiler
