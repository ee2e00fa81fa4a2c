// SPDX-License-Identifier: Apache-2.0
// What passes that join operators ask a graph.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "ir/graph.h"

namespace tpu::compiler {

/// For each tensor the operator that makes it and how often it is used.
struct Uses {
  std::vector<std::optional<std::size_t>> made_by;
  std::vector<int> count;

  explicit Uses(const ir::Graph& graph)
      : made_by(graph.tensors.size()), count(graph.tensors.size()) {
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
      for (const ir::TensorId id : graph.operators[i].inputs) ++count[id];
      for (const ir::TensorId id : graph.operators[i].outputs) made_by[id] = i;
    }
    for (const ir::TensorId id : graph.outputs) ++count[id];
  }

  /// The operator of type Op that makes the tensor for one user alone.
  template <typename Op>
  const Op* OnlyFor(const ir::Graph& graph, ir::TensorId id) const {
    if (!made_by[id] || count[id] != 1) return nullptr;
    return std::get_if<Op>(&graph.operators[*made_by[id]].attributes);
  }
};

/// `gone`: for each operator whether it is to be removed.
inline void RemoveOperators(ir::Graph& graph, const std::vector<bool>& gone) {
  std::size_t next = 0;
  std::erase_if(graph.operators, [&](const ir::Operator&) { return gone[next++]; });
}

}  // namespace tpu::compiler
