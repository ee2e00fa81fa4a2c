#include "compiler/compile.h"

#include <algorithm>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "compiler/emitter.h"
#include "compiler/layout.h"
#include "compiler/lower_operator.h"
#include "compiler/residency.h"

namespace tpu::compiler {
namespace {

void CheckActivation(const Tensor& tensor) {
  if (tensor.type != ElementType::kInt8) {
    throw Error::Format("tensor {}: {} activations are not supported by this compiler", tensor.name,
                        ElementTypeName(tensor.type));
  }
  if (std::any_of(tensor.shape.begin(), tensor.shape.end(), [](std::int64_t d) { return d < 1; })) {
    throw Error::Format("tensor {}: every dimension must be at least 1", tensor.name);
  }
  if (tensor.zero_point < -128 || tensor.zero_point > 127) {
    throw Error::Format("tensor {}: zero point {} is not an int8", tensor.name, tensor.zero_point);
  }
  if (!(tensor.scale > 0.0F)) {
    throw Error::Format("tensor {}: the scale must be above zero", tensor.name);
  }
}

void CheckConstant(const Tensor& tensor) {
  if (!tensor.DataHasType()) {
    throw Error::Format("tensor {}: its contents are not {}", tensor.name,
                        ElementTypeName(tensor.type));
  }
  if (tensor.DataElements() != static_cast<std::size_t>(tensor.Elements())) {
    throw Error::Format("tensor {}: {} values do not make its shape of {}", tensor.name,
                        tensor.DataElements(), tensor.Elements());
  }
}

// Tensors exist, are made before they are used, and once.
void CheckGraph(const Graph& graph) {
  std::vector<bool> made(graph.tensors.size(), false);
  const auto check_id = [&](TensorId id, std::string_view where) {
    if (id >= graph.tensors.size()) throw Error::Format("{}: there is no tensor {}", where, id);
  };
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    if (!graph.tensors[i].IsConstant()) continue;
    made[i] = true;
    CheckConstant(graph.tensors[i]);
  }
  for (const TensorId id : graph.inputs) {
    check_id(id, "graph inputs");
    made[id] = true;
    CheckActivation(graph.tensors[id]);
  }
  for (const Operator& op : graph.operators) {
    if (op.inputs.empty()) throw Error::Format("{}: has no inputs", op.name);
    for (const TensorId id : op.inputs) {
      check_id(id, op.name);
      if (!made[id]) {
        throw Error::Format("{}: input {} is not made before it", op.name, graph.tensors[id].name);
      }
    }
    if (op.outputs.empty()) throw Error::Format("{}: has no outputs", op.name);
    for (const TensorId id : op.outputs) {
      check_id(id, op.name);
      if (made[id]) {
        throw Error::Format("{}: output {} is made twice", op.name, graph.tensors[id].name);
      }
      made[id] = true;
      CheckActivation(graph.tensors[id]);
    }
  }
  for (const TensorId id : graph.outputs) {
    check_id(id, "graph outputs");
    if (!made[id]) {
      throw Error::Format("graph output {} is never made", graph.tensors[id].name);
    }
  }
}

// Tensors between operators are blocked when they have several channel blocks, so that a group of
// blocks is contiguous.
Layout ChooseLayout(const Graph& graph, TensorId id, std::int64_t lanes) {
  const bool blocked = ImagesOf(graph.tensors[id]).c > lanes && MayBeBlocked(graph, id);
  return blocked ? Layout::kBlocked : Layout::kNhwc;
}

// Gives activations, and constants used as such, a place in memory.
class Placer {
 public:
  Placer(const Graph& graph, const ResidencyPlan& residency, Emitter& emitter)
      : graph_(graph),
        residency_(residency),
        emitter_(emitter),
        placements_(graph.tensors.size()) {}

  std::vector<Placement> Run() {
    for (const TensorId id : graph_.inputs) PlaceNew(id);
    for (const Operator& op : graph_.operators) {
      if (std::holds_alternative<Reshape>(op.attributes)) {
        PlaceReshape(op);
        continue;
      }
      if (std::holds_alternative<Binary>(op.attributes)) {
        for (const TensorId id : op.inputs) PlaceConstant(id);
      }
      for (const TensorId id : op.outputs) PlaceNew(id);
    }
    return std::move(placements_);
  }

 private:
  void PlaceNew(TensorId id) {
    Placement& placement = placements_[id];
    placement.images = ImagesOf(graph_.tensors[id]);
    placement.row = residency_.row[id];
    if (placement.row) return;
    placement.layout = ChooseLayout(graph_, id, emitter_.Lanes());
    const std::int64_t bytes = placement.images.n * placement.ImageBytes(emitter_.Lanes());
    placement.address = emitter_.AllocateMemory(static_cast<std::uint64_t>(bytes));
  }

  void PlaceConstant(TensorId id) {
    const Tensor& tensor = graph_.tensors[id];
    if (!tensor.IsConstant() || placed_constants_.contains(id)) return;
    CheckActivation(tensor);
    const std::span<const std::uint8_t> bytes = tensor.DataBytes();
    placements_[id] = {.address = emitter_.AddConstant({bytes.begin(), bytes.end()}),
                       .images = ImagesOf(tensor)};
    placed_constants_.insert(id);
  }

  void PlaceReshape(const Operator& op) {
    const Tensor& input = graph_.tensors[op.inputs[0]];
    const Tensor& output = graph_.tensors[op.outputs[0]];
    if (input.Elements() != output.Elements()) {
      throw Error::Format("{} (RESHAPE): {} and {} have different sizes", op.name, input.name,
                          output.name);
    }
    PlaceConstant(op.inputs[0]);
    placements_[op.outputs[0]] = placements_[op.inputs[0]];
    placements_[op.outputs[0]].images = ImagesOf(output);
  }

  const Graph& graph_;
  const ResidencyPlan& residency_;
  Emitter& emitter_;
  std::vector<Placement> placements_;
  std::set<TensorId> placed_constants_;
};

isa::TensorBinding Bind(const Graph& graph, const std::vector<Placement>& placements, TensorId id) {
  return {.name = graph.tensors[id].name,
          .address = placements[id].address,
          .shape = graph.tensors[id].shape};
}

isa::Executable CompileWith(const ResidencyPlan& residency, const Graph& graph,
                            const isa::HardwareConfig& config, const CompileOptions& options) {
  Emitter emitter(config);
  const std::vector<Placement> placements = Placer(graph, residency, emitter).Run();
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    emitter.SetFreeRows(residency.free[i]);
    LowerOperator({.graph = graph,
                   .op = graph.operators[i],
                   .placements = placements,
                   .rounding = options.rounding},
                  emitter);
  }
  isa::Executable executable = emitter.Finish();
  for (const TensorId id : graph.inputs) {
    executable.inputs.push_back(Bind(graph, placements, id));
  }
  for (const TensorId id : graph.outputs) {
    executable.outputs.push_back(Bind(graph, placements, id));
  }
  return executable;
}

}  // namespace

isa::Executable Compile(const Graph& graph, const isa::HardwareConfig& config,
                        const CompileOptions& options) {
  CheckGraph(graph);
  try {
    return CompileWith(PlanResidency(graph, config), graph, config, options);
  } catch (const DoesNotFit&) {
    // With the whole buffer for tiles it may.
    return CompileWith(NoResidency(graph, config), graph, config, options);
  }
}

}  // namespace tpu::compiler
