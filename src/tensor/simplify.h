// SPDX-License-Identifier: Apache-2.0
// The same values with fewer operations. docs/training.md lists the rules.
#pragma once

#include "tensor/graph.h"

namespace tpu::tensor {

/// Removes what no output needs, what is computed twice, what changes nothing, and transposes and
/// broadcasts that another operation can stand for. Inputs stay, and so do stop_gradients.
Graph Simplify(const Graph& graph);

/// For graphs whose gradients are there: stop_gradients become their operands.
Graph WithoutStopGradients(const Graph& graph);

}  // namespace tpu::tensor
