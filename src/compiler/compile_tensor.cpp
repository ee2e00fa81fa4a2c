// SPDX-License-Identifier: Apache-2.0
#include "compiler/compile_tensor.h"

#include "compiler/compile_legal.h"
#include "compiler/from_tensor/from_tensor.h"
#include "compiler/legalise/fuse.h"
#include "compiler/legalise/fuse_adam.h"
#include "compiler/legalise/fuse_chains.h"
#include "compiler/legalise/legalise.h"
#include "ir/check_graph.h"

namespace tpu::compiler {
namespace {

ir::Graph LegalGraph(const tensor::Graph& graph, const isa::HardwareConfig& config) {
  ir::Graph translated = FromTensor(graph, config);
  FuseAdam(translated);
  ir::CheckGraph(translated);
  ir::Graph legal = Legalise(translated, config, Rounding::kDouble);
  FuseFunctions(legal);
  FuseRounding(legal);
  FuseChains(legal, config);
  return legal;
}

MemoryPlan PlanOf(const ir::Graph& legal, const TensorMemory& memory) {
  MemoryPlan plan = {.begin = memory.begin};
  for (const ir::TensorId id : legal.inputs) {
    const auto found = memory.state.find(legal.tensors[id].name);
    if (found != memory.state.end()) plan.fixed.emplace_back(id, found->second);
  }
  return plan;
}

}  // namespace

executable::Executable CompileTensor(const tensor::Graph& graph, const isa::HardwareConfig& config,
                                     const TensorMemory& memory) {
  const ir::Graph legal = LegalGraph(graph, config);
  return CompileLegal(legal, config, Rounding::kDouble, PlanOf(legal, memory));
}

timing::Cycle TryTensor(const tensor::Graph& graph, const isa::HardwareConfig& config,
                        const TensorMemory& memory) {
  const ir::Graph legal = LegalGraph(graph, config);
  return TryLegal(legal, config, Rounding::kDouble, PlanOf(legal, memory));
}

}  // namespace tpu::compiler
