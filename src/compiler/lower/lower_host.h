// SPDX-License-Identifier: Apache-2.0
// Operators that are left to the host.
#pragma once

#include "compiler/lower/lower_operator.h"
#include "compiler/program/placement.h"
#include "executable/executable.h"

namespace tpu::compiler {

/// What a tensor at this place is to the runtime.
isa::TensorBinding BindingOf(const Tensor& tensor, const Placement& placement);

/// Appends the host call. The tensors must lie in memory in the order of their shapes.
void LowerHostCall(const OperatorContext& context, Emitter& emitter);

}  // namespace tpu::compiler
