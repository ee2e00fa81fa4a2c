// SPDX-License-Identifier: Apache-2.0
// Networks computed by plain loops, written from TensorFlow Lite's definitions and sharing nothing
// with the compiler but the graph.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/compile.h"
#include "ir/graph.h"

namespace tpu::reference {

/// Runs the graph. `inputs` in the order of graph.inputs; returns the graph's outputs.
std::vector<std::vector<std::int8_t>> Evaluate(const ir::Graph& graph,
                                               const std::vector<std::vector<std::int8_t>>& inputs,
                                               compiler::Rounding rounding);

}  // namespace tpu::reference
