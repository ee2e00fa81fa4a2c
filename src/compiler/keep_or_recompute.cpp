// SPDX-License-Identifier: Apache-2.0
#include "compiler/keep_or_recompute.h"

#include <set>
#include <utility>
#include <vector>

#include "tensor/recompute.h"
#include "timing/cycle.h"

namespace tpu::compiler {

tensor::Graph KeepOrRecompute(const tensor::Graph& step, const isa::HardwareConfig& config,
                              const TensorMemory& memory) {
  tensor::Graph best = step;
  const std::vector<tensor::ValueId> values = tensor::Recomputable(step);
  if (values.empty()) return best;
  timing::Cycle fewest = TryTensor(step, config, memory);
  std::set<tensor::ValueId> again;
  for (const tensor::ValueId value : values) {
    again.insert(value);
    tensor::Graph graph = tensor::Recompute(step, again);
    const timing::Cycle cycles = TryTensor(graph, config, memory);
    if (cycles < fewest) {
      fewest = cycles;
      best = std::move(graph);
    } else {
      again.erase(value);
    }
  }
  return best;
}

}  // namespace tpu::compiler
