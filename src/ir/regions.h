// SPDX-License-Identifier: Apache-2.0
// The graphs inside of operators.
#pragma once

#include <vector>

#include "ir/graph.h"

namespace tpu::ir {

/// The two graphs of If or While; of other operators none.
inline std::vector<const Graph*> RegionsOf(const Attributes& attributes) {
  if (const auto* op = std::get_if<If>(&attributes)) {
    return {op->then_graph.get(), op->else_graph.get()};
  }
  if (const auto* op = std::get_if<While>(&attributes)) {
    return {op->condition.get(), op->body.get()};
  }
  return {};
}

}  // namespace tpu::ir
