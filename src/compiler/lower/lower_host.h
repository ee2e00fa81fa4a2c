// SPDX-License-Identifier: Apache-2.0
// Operators that are left to the host.
#pragma once

#include "compiler/lower/lower_operator.h"
#include "compiler/program/emitter.h"

namespace tpu::compiler {

/// Appends the host call. The tensors must lie in memory in the order of their shapes.
void LowerHostCall(const OperatorContext& context, Emitter& emitter);

}  // namespace tpu::compiler
