// SPDX-License-Identifier: Apache-2.0
// Pass: states as inputs and outputs.
#pragma once

#include "ir/graph.h"

namespace tpu::compiler {

/// What states hold before a run are the last inputs of the graph, what they hold afterwards its
/// last outputs, so that no other pass needs to know of them.
void ExposeStates(ir::Graph& graph);

}  // namespace tpu::compiler
