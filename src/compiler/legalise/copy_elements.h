// SPDX-License-Identifier: Apache-2.0
// Moves of constants, made when compiling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ir/graph.h"

namespace tpu::compiler {

/// Copies elements of a constant to another one.
template <typename T>
void CopyElements(const std::vector<T>& from, const ir::Move::Copy& copy, std::vector<T>& to) {
  const auto run = [&](const auto& self, std::size_t loop, std::int64_t source,
                       std::int64_t target) -> void {
    if (loop == copy.loops.size()) {
      to[static_cast<std::size_t>(target)] = from[static_cast<std::size_t>(source)];
      return;
    }
    const ir::Move::Loop& l = copy.loops[loop];
    for (std::int64_t i = 0; i < l.count; ++i) {
      self(self, loop + 1, source + i * l.from_stride, target + i * l.to_stride);
    }
  };
  run(run, 0, copy.from, copy.to);
}

}  // namespace tpu::compiler
