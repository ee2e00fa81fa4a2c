// SPDX-License-Identifier: Apache-2.0
// Networks of float32 by plain loops in double precision, written from TensorFlow Lite's
// definitions, together with the most by which a machine may differ that rounds to bfloat16 between
// operators (docs/arithmetic.md, Floating point).
#pragma once

#include <vector>

#include "float_number.h"
#include "ir/graph.h"

namespace tpu::reference {

/// Runs the graph. `inputs` in the order of graph.inputs; returns the graph's outputs.
std::vector<Numbers> EvaluateFloats(const ir::Graph& graph,
                                    const std::vector<std::vector<float>>& inputs);

}  // namespace tpu::reference
