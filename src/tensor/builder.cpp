// SPDX-License-Identifier: Apache-2.0
#include "tensor/builder.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "base/error.h"
#include "tensor/print.h"

namespace tpu::tensor {
namespace {

void FillOnes(Dimensions& numbers, std::size_t count) {
  if (numbers.empty()) numbers.assign(count, 1);
}

}  // namespace

std::vector<ValueId> CopyInputs(const Graph& graph, Builder& builder) {
  std::vector<ValueId> now(graph.nodes.size());
  for (const ValueId id : graph.inputs) {
    const auto& input = std::get<Input>(graph.nodes[id].operation);
    now[id] = builder.Input(input.name, input.type);
  }
  return now;
}

Dimensions AllDimensions(std::int64_t count) {
  Dimensions all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

ValueId Builder::Append(Operation operation, std::vector<ValueId> operands) {
  std::vector<TensorType> types;
  for (const ValueId operand : operands) {
    if (operand >= graph_.nodes.size()) {
      throw TypeError(fmt::format("{}: there is no value %{}", NameOf(operation), operand));
    }
    types.push_back(TypeOf(operand));
  }
  TensorType type = InferType(operation, types);
  graph_.nodes.push_back({std::move(operation), std::move(operands), std::move(type)});
  return static_cast<ValueId>(graph_.nodes.size() - 1);
}

void Builder::Output(std::string name, ValueId value) {
  graph_.outputs.push_back({std::move(name), value});
}

ValueId Builder::Input(std::string name, TensorType type) {
  if (FindInput(graph_, name)) throw TypeError(fmt::format("two inputs have the name {}", name));
  const ValueId id = Append(tensor::Input{std::move(name), std::move(type)}, {});
  graph_.inputs.push_back(id);
  return id;
}

ValueId Builder::Constant(TensorType type, std::vector<double> values) {
  return Append(tensor::Constant{std::move(type), std::move(values)}, {});
}

ValueId Builder::Splat(TensorType type, double value) { return Constant(std::move(type), {value}); }

ValueId Builder::SplatLike(ValueId like, double value) { return Splat(TypeOf(like), value); }

ValueId Builder::Iota(TensorType type, std::int64_t dimension) {
  return Append(tensor::Iota{std::move(type), dimension}, {});
}

ValueId Builder::Convert(ValueId x, ElementType element) {
  if (TypeOf(x).element == element) return x;
  return Append(tensor::Convert{element}, {x});
}

ValueId Builder::BroadcastInDim(ValueId x, Shape shape, Dimensions dimensions) {
  return Append(tensor::BroadcastInDim{std::move(shape), std::move(dimensions)}, {x});
}

ValueId Builder::BroadcastTo(ValueId x, const Shape& shape) {
  if (ShapeOf(x) == shape) return x;
  const std::int64_t rank = TypeOf(x).Rank();
  const std::int64_t added = static_cast<std::int64_t>(shape.size()) - rank;
  if (added < 0) {
    throw TypeError(
        fmt::format("{} does not broadcast to {} dimensions", TypeText(TypeOf(x)), shape.size()));
  }
  Dimensions dimensions = AllDimensions(rank);
  for (std::int64_t& d : dimensions) d += added;
  return BroadcastInDim(x, shape, dimensions);
}

ValueId Builder::BroadcastBack(ValueId x, const Shape& shape, const Dimensions& dimensions) {
  Dimensions kept = AllDimensions(static_cast<std::int64_t>(shape.size()));
  std::erase_if(kept, [&](std::int64_t d) {
    return std::find(dimensions.begin(), dimensions.end(), d) != dimensions.end();
  });
  return BroadcastInDim(x, shape, kept);
}

ValueId Builder::Pad(ValueId x, double fill, tensor::Pad pad) {
  const ValueId value = Splat({TypeOf(x).element, {}}, fill);
  return Append(std::move(pad), {x, value});
}

ValueId Builder::ReduceWindow(ValueId x, tensor::ReduceWindow op) {
  const std::size_t rank = ShapeOf(x).size();
  FillOnes(op.window_strides, rank);
  FillOnes(op.base_dilations, rank);
  FillOnes(op.window_dilations, rank);
  if (op.padding.empty()) op.padding.assign(rank, {0, 0});
  return Append(std::move(op), {x});
}

ValueId Builder::SelectAndScatter(ValueId x, ValueId source, tensor::SelectAndScatter op) {
  const std::size_t rank = ShapeOf(x).size();
  FillOnes(op.window_strides, rank);
  if (op.padding.empty()) op.padding.assign(rank, {0, 0});
  return Append(std::move(op), {x, source});
}

ValueId Builder::Convolution(ValueId x, ValueId kernel, tensor::Convolution op) {
  const std::size_t spatial = op.input_spatial_dimensions.size();
  FillOnes(op.window_strides, spatial);
  FillOnes(op.lhs_dilation, spatial);
  FillOnes(op.rhs_dilation, spatial);
  if (op.padding.empty()) op.padding.assign(spatial, {0, 0});
  if (op.window_reversal.empty()) op.window_reversal.assign(spatial, false);
  return Append(std::move(op), {x, kernel});
}

}  // namespace tpu::tensor
