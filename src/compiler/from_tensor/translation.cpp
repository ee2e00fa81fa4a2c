// SPDX-License-Identifier: Apache-2.0
#include "compiler/from_tensor/translation.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "compiler/from_tensor/formats.h"
#include "compiler/quantise/bfloat16.h"
#include "ir/move.h"
#include "tensor/builder.h"

namespace tpu::compiler {

using tensor::ValueId;

Translation::Translation(const tensor::Graph& source, const isa::HardwareConfig& config)
    : source_(source),
      config_(config),
      wide_(Float32Values(source)),
      uses_(source.nodes.size()),
      made_(source.nodes.size()),
      narrow_(source.nodes.size()) {
  for (const tensor::Node& node : source.nodes) {
    for (const ValueId operand : node.operands) ++uses_[operand];
  }
  for (const tensor::Output& output : source.outputs) ++uses_[output.value];
  FindBiasGradients();
}

void Translation::FindBiasGradients() {
  bias_gradients_.resize(source_.nodes.size());
  products_.resize(source_.nodes.size());
  for (ValueId product = 0; product < source_.nodes.size(); ++product) {
    const auto g = GradientFactorOf(*this, product);
    if (!g || FormatOf(*g) != ElementType::kBfloat16) continue;
    const auto rank = static_cast<std::int64_t>(ShapeOf(*g).size());
    for (ValueId id = 0; id < source_.nodes.size(); ++id) {
      const auto* sum = If<tensor::Reduce>(id);
      if (sum == nullptr || NodeOf(id).operands[0] != *g || products_[id] || uses_[id] == 0 ||
          sum->body != tensor::Reduction::kAdd ||
          sum->dimensions != tensor::AllDimensions(rank - 1)) {
        continue;
      }
      bias_gradients_[product] = id;
      products_[id] = product;
    }
  }
}

bool Translation::IsUsedNarrow(ValueId input) const {
  const auto& name = std::get<tensor::Input>(source_.nodes[input].operation).name;
  if (uses_[input] == 0 || tensor::FindOutput(source_, name)) return false;
  return std::ranges::all_of(source_.nodes, [&](const tensor::Node& node) {
    const auto* convert = std::get_if<tensor::Convert>(&node.operation);
    const bool narrows = convert != nullptr && convert->element == tensor::ElementType::kBf16;
    return narrows || std::ranges::find(node.operands, input) == node.operands.end();
  });
}

ir::Graph Translation::Run() {
  for (const ValueId id : source_.inputs) {
    const auto& input = std::get<tensor::Input>(source_.nodes[id].operation);
    ir::Tensor tensor = {.name = input.name, .shape = AtLeastOne(input.type.shape)};
    const bool narrow = input.type.element == tensor::ElementType::kBf16 || IsUsedNarrow(id);
    tensor.type = input.type.element == tensor::ElementType::kS32 ? ElementType::kInt32
                  : narrow                                        ? ElementType::kBfloat16
                                                                  : ElementType::kFloat32;
    made_[id] = graph_.AddTensor(std::move(tensor));
    graph_.inputs.push_back(*made_[id]);
  }
  for (ValueId id = 0; id < source_.nodes.size(); ++id) {
    if (uses_[id] > 0 && !made_[id] && !IsPartOfUsers(*this, id)) Of(id);
  }
  BindOutputs();
  return std::move(graph_);
}

void Translation::BindOutputs() {
  for (const tensor::Output& output : source_.outputs) {
    name_ = output.name;
    ir::TensorId id = Of(output.value);
    const auto input = tensor::FindInput(source_, output.name);
    const bool is_made = [&] {
      for (const ir::Operator& op : graph_.operators) {
        if (op.outputs[0] == id) return !std::holds_alternative<ir::Reshape>(op.attributes);
      }
      return false;
    }();
    const bool narrow = source_.TypeOf(output.value).element == tensor::ElementType::kBf16;
    const ElementType type = narrow ? ElementType::kBfloat16 : ElementType::kFloat32;
    if (!is_made || graph_.tensors[id].type != type) {
      const ir::TensorId copy = Make(type, graph_.tensors[id].shape);
      Add({id}, copy, ir::Convert{});
      id = copy;
    }
    graph_.tensors[id].name = output.name;
    graph_.outputs.push_back(id);
    if (input) graph_.in_place.push_back({.output = id, .input = *made_[*input]});
  }
}

ir::TensorId Translation::Of(ValueId id) {
  if (!made_[id]) {
    const std::string outer =
        std::exchange(name_, fmt::format("{} {}", tensor::NameOf(source_.nodes[id].operation), id));
    Translate(id);
    name_ = outer;
  }
  return *made_[id];
}

void Translation::Translate(ValueId id) {
  const tensor::Node& node = source_.nodes[id];
  std::visit(
      [&](const auto& op) {
        using Op = std::decay_t<decltype(op)>;
        if constexpr (std::is_same_v<Op, tensor::DotGeneral> ||
                      std::is_same_v<Op, tensor::Convolution>) {
          TranslateProduct(*this, id, {.node = id});
        } else if constexpr (std::is_same_v<Op, tensor::Reduce> ||
                             std::is_same_v<Op, tensor::ReduceWindow> ||
                             std::is_same_v<Op, tensor::SelectAndScatter>) {
          compiler::Translate(*this, id, op);
        } else if (std::is_same_v<Op, tensor::Constant> || std::is_same_v<Op, tensor::Iota> ||
                   OnlyMoves(node.operation)) {
          TranslateShapes(*this, id);
        } else {
          TranslateElements(*this, id);
        }
      },
      node.operation);
}

ir::TensorId Translation::Narrow(ValueId id) {
  const ir::TensorId tensor = Of(id);
  if (IsNarrow(tensor)) return tensor;
  if (!narrow_[id]) {
    narrow_[id] = Make(ElementType::kBfloat16, Tensor(tensor).shape);
    Add({tensor}, *narrow_[id], ir::Convert{});
  }
  return *narrow_[id];
}

ir::TensorId Translation::Repeated(ValueId id) {
  const auto* broadcast = If<tensor::BroadcastInDim>(id);
  if (broadcast == nullptr || made_[id]) return Of(id);
  const ValueId operand = NodeOf(id).operands[0];
  const tensor::Dimensions& dimensions = broadcast->broadcast_dimensions;
  ir::Shape shape(broadcast->shape.size(), 1);
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    shape[static_cast<std::size_t>(dimensions[d])] = ShapeOf(operand)[d];
  }
  ir::TensorId tensor = Of(operand);
  if (!std::ranges::is_sorted(dimensions)) {  // They change places, too.
    tensor::Dimensions order = tensor::AllDimensions(static_cast<std::int64_t>(dimensions.size()));
    std::ranges::sort(order, {},
                      [&](std::int64_t d) { return dimensions[static_cast<std::size_t>(d)]; });
    tensor = Transposed(tensor, order);
  }
  return Reshaped(tensor, AtLeastOne(shape));
}

std::optional<double> Translation::Splat(ValueId id) const {
  if (const auto* constant = If<tensor::Constant>(id)) {
    if (constant->IsSplat()) return constant->values[0];
    return std::nullopt;
  }
  const auto& operation = NodeOf(id).operation;
  if (std::holds_alternative<tensor::BroadcastInDim>(operation) ||
      std::holds_alternative<tensor::Reshape>(operation)) {
    return Splat(NodeOf(id).operands[0]);
  }
  return std::nullopt;
}

std::optional<ValueId> Translation::Scalar(ValueId id) const {
  if (!std::holds_alternative<tensor::BroadcastInDim>(NodeOf(id).operation)) return std::nullopt;
  const ValueId operand = NodeOf(id).operands[0];
  if (NodeOf(operand).type.Elements() != 1 || NodeOf(id).type.Elements() == 1) return std::nullopt;
  return operand;
}

ElementType Translation::FormatOf(ValueId id) const {
  if (NodeOf(id).type.element == tensor::ElementType::kBf16) return ElementType::kBfloat16;
  return wide_[id] ? ElementType::kFloat32 : ElementType::kBfloat16;
}

ir::TensorId Translation::Make(ValueId id) { return Make(FormatOf(id), AtLeastOne(ShapeOf(id))); }

ir::TensorId Translation::Make(ElementType type, ir::Shape shape) {
  ir::Tensor tensor = {.name = fmt::format("{} #{}", name_, graph_.tensors.size()), .type = type};
  tensor.shape = std::move(shape);
  return graph_.AddTensor(std::move(tensor));
}

ir::TensorId Translation::Constant(std::vector<float> values, ir::Shape shape) {
  const ir::TensorId id = Make(ElementType::kFloat32, std::move(shape));
  graph_.tensors[id].data = std::move(values);
  return id;
}

ir::TensorId Translation::NarrowConstant(float value, ir::Shape shape) {
  const ir::TensorId id = Make(ElementType::kBfloat16, std::move(shape));
  graph_.tensors[id].data = std::vector<Bfloat16>(
      static_cast<std::size_t>(graph_.tensors[id].Elements()), ToBfloat16(value));
  return id;
}

ir::TensorId Translation::Reshaped(ir::TensorId id, ir::Shape shape) {
  if (Tensor(id).shape == shape) return id;
  const ir::TensorId reshaped = Make(Tensor(id).type, std::move(shape));
  Add({id}, reshaped, ir::Reshape{});
  return reshaped;
}

ir::TensorId Translation::Transposed(ir::TensorId id,
                                     const std::vector<std::int64_t>& permutation) {
  const ir::Shape from = Tensor(id).shape;
  ir::Shape shape;
  for (const std::int64_t d : permutation) shape.push_back(from[static_cast<std::size_t>(d)]);
  const ir::TensorId transposed = Make(Tensor(id).type, shape);
  Add({id}, transposed, ir::Transpose{.permutation = permutation});
  return transposed;
}

void Translation::Add(std::vector<ir::TensorId> inputs, ir::TensorId output,
                      ir::Attributes attributes, std::optional<std::uint64_t> macs) {
  Add(std::move(inputs), std::vector{output}, std::move(attributes), macs);
}

void Translation::Add(std::vector<ir::TensorId> inputs, std::vector<ir::TensorId> outputs,
                      ir::Attributes attributes, std::optional<std::uint64_t> macs) {
  graph_.operators.push_back({.name = name_,
                              .inputs = std::move(inputs),
                              .outputs = std::move(outputs),
                              .attributes = std::move(attributes),
                              .macs = macs});
}

}  // namespace tpu::compiler
