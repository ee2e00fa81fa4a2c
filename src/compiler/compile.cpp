#include "compiler/compile.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "compiler/emitter.h"
#include "compiler/lower_operator.h"

namespace tpu::compiler {
namespace {

bool Contains(const std::vector<TensorId>& ids, TensorId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

void CheckActivation(const Tensor& tensor) {
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

void CheckConstantSize(const Tensor& tensor) {
  const std::size_t size = std::visit(
      [](const auto& values) -> std::size_t {
        if constexpr (requires { values.size(); }) return values.size();
        return 0;
      },
      tensor.data);
  if (size != static_cast<std::size_t>(tensor.Elements())) {
    throw Error::Format("tensor {}: {} values do not make its shape of {}", tensor.name, size,
                        tensor.Elements());
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
    CheckConstantSize(graph.tensors[i]);
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
    check_id(op.output, op.name);
    if (made[op.output]) {
      throw Error::Format("{}: output {} is made twice", op.name, graph.tensors[op.output].name);
    }
    made[op.output] = true;
    CheckActivation(graph.tensors[op.output]);
  }
  for (const TensorId id : graph.outputs) {
    check_id(id, "graph outputs");
    if (!made[id]) {
      throw Error::Format("graph output {} is never made", graph.tensors[id].name);
    }
  }
}

// Whether the operator sees the tensor as images of the tensor's own shape, in any layout.
bool KeepsImages(const Graph& graph, const Operator& op, TensorId id) {
  if (std::holds_alternative<Reshape>(op.attributes)) return false;
  if (!std::holds_alternative<FullyConnected>(op.attributes)) return true;
  const Images images = ImagesOf(graph.tensors[id]);
  const Tensor& weights = graph.tensors[op.inputs.at(1)];
  const std::size_t axis = id == op.output ? 0 : 1;
  return images.n == 1 && axis < weights.shape.size() && weights.shape[axis] == images.c;
}

// Tensors between operators are blocked when they have several channel blocks, so that a group of
// blocks is contiguous.
std::vector<Layout> ChooseLayouts(const Graph& graph, std::int64_t lanes) {
  std::vector<Layout> layouts(graph.tensors.size(), Layout::kNhwc);
  for (TensorId id = 0; id < graph.tensors.size(); ++id) {
    const Tensor& tensor = graph.tensors[id];
    if (!tensor.IsConstant() && ImagesOf(tensor).c > lanes && !Contains(graph.inputs, id) &&
        !Contains(graph.outputs, id)) {
      layouts[id] = Layout::kBlocked;
    }
  }
  for (const Operator& op : graph.operators) {
    if (!KeepsImages(graph, op, op.output)) layouts[op.output] = Layout::kNhwc;
    for (const TensorId id : op.inputs) {
      if (!KeepsImages(graph, op, id)) layouts[id] = Layout::kNhwc;
    }
  }
  return layouts;
}

std::vector<std::uint8_t> BytesOf(const Tensor& tensor) {
  std::vector<std::uint8_t> bytes;
  if (const auto* values = std::get_if<std::vector<std::int8_t>>(&tensor.data)) {
    for (const std::int8_t value : *values) bytes.push_back(static_cast<std::uint8_t>(value));
  }
  return bytes;
}

// Gives activations, and constants used as such, a place in memory.
class Placer {
 public:
  Placer(const Graph& graph, Emitter& emitter)
      : graph_(graph),
        emitter_(emitter),
        layouts_(ChooseLayouts(graph, emitter.Lanes())),
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
      PlaceNew(op.output);
    }
    return std::move(placements_);
  }

 private:
  void PlaceNew(TensorId id) {
    Placement& placement = placements_[id];
    placement.layout = layouts_[id];
    placement.images = ImagesOf(graph_.tensors[id]);
    const std::int64_t bytes = placement.images.n * placement.ImageBytes(emitter_.Lanes());
    placement.address = emitter_.AllocateMemory(static_cast<std::uint64_t>(bytes));
  }

  void PlaceConstant(TensorId id) {
    const Tensor& tensor = graph_.tensors[id];
    if (!tensor.IsConstant() || placed_constants_.contains(id)) return;
    if (!std::holds_alternative<std::vector<std::int8_t>>(tensor.data)) {
      throw Error::Format("tensor {}: an operand must be int8", tensor.name);
    }
    CheckActivation(tensor);
    placements_[id] = {.address = emitter_.AddConstant(BytesOf(tensor)),
                       .images = ImagesOf(tensor)};
    placed_constants_.insert(id);
  }

  void PlaceReshape(const Operator& op) {
    const Tensor& input = graph_.tensors[op.inputs[0]];
    const Tensor& output = graph_.tensors[op.output];
    if (input.Elements() != output.Elements()) {
      throw Error::Format("{} (RESHAPE): {} and {} have different sizes", op.name, input.name,
                          output.name);
    }
    PlaceConstant(op.inputs[0]);
    placements_[op.output] = placements_[op.inputs[0]];
    placements_[op.output].images = ImagesOf(output);
  }

  const Graph& graph_;
  Emitter& emitter_;
  std::vector<Layout> layouts_;
  std::vector<Placement> placements_;
  std::set<TensorId> placed_constants_;
};

isa::TensorBinding Bind(const Graph& graph, const std::vector<Placement>& placements, TensorId id) {
  return {.name = graph.tensors[id].name,
          .address = placements[id].address,
          .shape = graph.tensors[id].shape};
}

}  // namespace

isa::Executable Compile(const Graph& graph, const isa::HardwareConfig& config,
                        const CompileOptions& options) {
  CheckGraph(graph);
  Emitter emitter(config);
  const std::vector<Placement> placements = Placer(graph, emitter).Run();
  for (const Operator& op : graph.operators) {
    LowerOperator(
        {.graph = graph, .op = op, .placements = placements, .rounding = options.rounding},
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

}  // namespace tpu::compiler
