// SPDX-License-Identifier: Apache-2.0
#include "compiler/compile_training.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compile_legal.h"
#include "compiler/from_tensor/from_tensor.h"
#include "compiler/legalise/fuse.h"
#include "compiler/legalise/legalise.h"
#include "compiler/program/memory.h"
#include "ir/check_graph.h"
#include "tensor/bfloat16.h"
#include "tensor/simplify.h"

namespace tpu::compiler {
namespace {

// Executables around one state, one after the other in memory.
class StateCompiler {
 public:
  StateCompiler(const tensor::TrainStep& step, const isa::HardwareConfig& config)
      : config_(config), memory_(config.axi_addr_width) {
    for (const tensor::StateTensor& tensor : step.state) {
      const auto bytes = static_cast<std::uint64_t>(tensor.type.Elements()) * sizeof(float);
      addresses_.emplace(tensor.name, memory_.Allocate(bytes));
    }
    end_ = memory_.Bytes();
  }

  executable::Executable Compile(const tensor::Graph& graph) {
    const ir::Graph translated = FromTensor(graph, config_);
    ir::CheckGraph(translated);
    ir::Graph legal = Legalise(translated, config_, Rounding::kDouble);
    FuseFunctions(legal);
    MemoryPlan memory = {.begin = end_};
    for (const ir::TensorId id : legal.inputs) {
      const auto found = addresses_.find(legal.tensors[id].name);
      if (found != addresses_.end()) memory.fixed.emplace_back(id, found->second);
    }
    executable::Executable executable = CompileLegal(legal, config_, Rounding::kDouble, memory);
    end_ = executable.memory_bytes;
    return executable;
  }

 private:
  const isa::HardwareConfig& config_;
  Memory memory_;
  std::map<std::string, std::uint64_t> addresses_;
  std::uint64_t end_ = 0;  // Of what was compiled so far.
};

// The model's prediction alone.
tensor::Graph Prediction(const tensor::Model& model) {
  tensor::Graph graph = model.graph;
  graph.outputs = {{.name = "prediction", .value = model.logits.value_or(model.prediction)}};
  return tensor::Simplify(tensor::UseBfloat16(tensor::Simplify(graph)));
}

}  // namespace

TrainingExecutables CompileTraining(const tensor::Model& model, const tensor::TrainStep& step,
                                    const isa::HardwareConfig& config) {
  StateCompiler compiler(step, config);
  TrainingExecutables executables;
  executables.update = compiler.Compile(step.update);
  if (step.accumulate) executables.accumulate = compiler.Compile(*step.accumulate);
  executables.predict = compiler.Compile(Prediction(model));
  return executables;
}

}  // namespace tpu::compiler
