// SPDX-License-Identifier: Apache-2.0
// Steps of the optimiser Adam, which the machine has an instruction for.
#pragma once

#include "ir/graph.h"

namespace tpu::compiler {

/// Operations on float32 elements that together are a step of Adam, as tensor/optimizers.h writes
/// it, become one operator.
void FuseAdam(ir::Graph& graph);

}  // namespace tpu::compiler
