// SPDX-License-Identifier: Apache-2.0
#include "compiler/compile_training.h"

#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "compiler/compile_tensor.h"
#include "compiler/keep_or_recompute.h"
#include "compiler/program/memory.h"
#include "tensor/bfloat16.h"
#include "tensor/simplify.h"

namespace tpu::compiler {
namespace {

// Places for the state, from address 0.
TensorMemory MemoryOf(const tensor::TrainStep& step, const isa::HardwareConfig& config) {
  Memory memory(config.axi_addr_width);
  TensorMemory plan;
  for (const tensor::StateTensor& tensor : step.state) {
    const auto elements = static_cast<std::uint64_t>(tensor.type.Elements());
    plan.state.emplace(tensor.name, memory.Allocate(elements * sizeof(float)));
    plan.state.emplace(tensor::CopyName(tensor.name), memory.Allocate(elements * sizeof(Bfloat16)));
  }
  plan.begin = memory.Bytes();
  return plan;
}

// The model's prediction alone.
tensor::Graph Prediction(const tensor::Model& model) {
  tensor::Graph graph = model.graph;
  graph.outputs = {{.name = "prediction", .value = model.logits.value_or(model.prediction)}};
  return tensor::Simplify(tensor::UseBfloat16(tensor::Simplify(graph)));
}

}  // namespace

TrainingExecutables CompileTraining(const tensor::Model& model, const tensor::TrainStep& step,
                                    const isa::HardwareConfig& config) {
  TensorMemory memory = MemoryOf(step, config);
  std::set<std::string, std::less<>> parameters;
  for (const tensor::StateTensor& tensor : step.state) parameters.insert(tensor.name);
  const auto compile = [&](const tensor::Graph& graph) {
    executable::Executable executable = CompileTensor(graph, config, memory);
    memory.begin = executable.memory_bytes;
    return executable;
  };
  const auto compile_step = [&](const tensor::Graph& graph) {
    return compile(KeepOrRecompute(tensor::KeepCopies(graph, parameters), config, memory));
  };
  TrainingExecutables executables;
  executables.update = compile_step(step.update);
  if (step.accumulate) executables.accumulate = compile_step(*step.accumulate);
  executables.predict = compile(tensor::KeepCopies(Prediction(model), parameters));
  return executables;
}

}  // namespace tpu::compiler
