// SPDX-License-Identifier: Apache-2.0
// The first pass: whether a graph is one at all, whatever the machine.
#pragma once

#include "ir/graph.h"

namespace tpu::ir {

/// Tensors exist, are made before they are used, and once; constants have the contents that their
/// types and shapes say. The same of the graphs of If and While, which take and make what the
/// operator does. Throws tpu::Error naming the operator or the tensor.
void CheckGraph(const Graph& graph);

}  // namespace tpu::ir
