// SPDX-License-Identifier: Apache-2.0
// How many operations of a kind a graph has.
#pragma once

#include <algorithm>
#include <variant>

#include "tensor/graph.h"

namespace tpu::tensor {

template <typename Op>
std::ptrdiff_t Count(const Graph& graph) {
  return std::count_if(graph.nodes.begin(), graph.nodes.end(),
                       [](const Node& node) { return std::holds_alternative<Op>(node.operation); });
}

}  // namespace tpu::tensor
