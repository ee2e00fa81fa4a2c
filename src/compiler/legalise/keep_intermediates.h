// SPDX-License-Identifier: Apache-2.0
// All tensors as outputs, so that a user can look at them.
#pragma once

#include "ir/graph.h"

namespace tpu::compiler {

/// Every tensor that an operator makes becomes an output of the graph, behind the outputs that the
/// graph has, in the order in which the operators make them.
void KeepIntermediates(ir::Graph& graph);

}  // namespace tpu::compiler
