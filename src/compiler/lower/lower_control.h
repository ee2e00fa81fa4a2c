// SPDX-License-Identifier: Apache-2.0
// Operators of which the host decides what runs: IF and WHILE.
#pragma once

#include <span>

#include "compiler/lower/lower_operator.h"
#include "compiler/place/residency.h"
#include "compiler/program/emitter.h"

namespace tpu::compiler {

/// Appends a branch or a loop and the steps of the operator's two graphs, which are settled
/// (legalise/settle_regions.h). Their tensors lie behind those of the graph around them; what goes
/// in and out lies where the operator has it. `regions` are the plans of the two graphs.
void LowerControl(const OperatorContext& context, std::span<const ResidencyPlan> regions,
                  Emitter& emitter);

}  // namespace tpu::compiler
