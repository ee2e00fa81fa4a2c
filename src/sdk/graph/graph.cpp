// SPDX-License-Identifier: Apache-2.0
// Tensors of a graph, and what its operators have in common.
#include "tpu/graph.h"

#include <algorithm>
#include <cmath>

#include "ir/limits.h"
#include "ir/tensor_data.h"
#include "sdk/graph/graph_state.h"
#include "sdk/graph/tensor_info.h"

namespace tpu {
namespace {

template <typename... Args>
void RequireTensor(bool condition, const ir::Tensor& tensor, fmt::format_string<Args...> format,
                   Args&&... args) {
  if (condition) return;
  throw Error::Format("tensor {}: {}", tensor.name,
                      fmt::format(format, std::forward<Args>(args)...));
}

void CheckShape(const ir::Tensor& tensor) {
  RequireTensor(std::ranges::all_of(tensor.shape, [](std::int64_t d) { return d >= 1; }), tensor,
                "{} has a dimension below 1", sdk::Text(tensor.shape));
  RequireTensor(sdk::ElementsOf(tensor.shape) > 0, tensor, "{} has too many elements",
                sdk::Text(tensor.shape));
}

void CheckScales(const ir::Tensor& tensor) {
  const bool needs_scale = tensor.channel_scales.empty();
  RequireTensor(!needs_scale || (std::isfinite(tensor.scale) && tensor.scale > 0.0F), tensor,
                "the scale is {}; should be above 0", tensor.scale);
  for (const float scale : tensor.channel_scales) {
    RequireTensor(std::isfinite(scale) && scale >= 0.0F, tensor,
                  "the scale of a channel is {}; should not be below 0", scale);
  }
}

void CheckZeroPoint(const ir::Tensor& tensor) {
  const auto within = [&](std::int32_t low, std::int32_t high) {
    RequireTensor(tensor.zero_point >= low && tensor.zero_point <= high, tensor,
                  "zero point {} is not an {}", tensor.zero_point, ElementTypeName(tensor.type));
  };
  if (tensor.type == ElementType::kInt8) within(-128, 127);
  if (tensor.type == ElementType::kUint8) within(0, 255);
  if (tensor.type == ElementType::kInt16) within(-32768, 32767);
}

void CheckTensor(const ir::Tensor& tensor) {
  CheckShape(tensor);
  CheckScales(tensor);
  CheckZeroPoint(tensor);
}

// Sessions know inputs by their names, and outputs.
void RequireOtherName(const ir::Graph& graph, const std::vector<ir::TensorId>& ids,
                      const ir::Tensor& tensor, std::string_view what) {
  const bool unique = std::ranges::none_of(
      ids, [&](ir::TensorId id) { return graph.tensors[id].name == tensor.name; });
  RequireTensor(unique, tensor, "there is an {} of that name already", what);
}

ir::Tensor MakeTensor(Shape shape, TensorOptions options) {
  return {.name = std::move(options.name),
          .type = options.type,
          .shape = std::move(shape),
          .scale = options.channel_scales.empty() ? options.scale : options.channel_scales[0],
          .zero_point = options.zero_point,
          .channel_scales = std::move(options.channel_scales),
          .data = {}};
}

}  // namespace

std::int64_t sdk::ElementsOf(const Shape& shape) {
  std::int64_t elements = 1;
  for (const std::int64_t d : shape) {
    if (d < 1 || d > ir::kMostElements / elements) return -1;
    elements *= d;
  }
  return elements;
}

// Tensors.

void Graph::State::Name(ir::Tensor& tensor) const {
  if (tensor.name.empty()) tensor.name = fmt::format("t{}", graph.tensors.size());
}

Graph::Tensor Graph::State::Add(ir::Tensor tensor) {
  Name(tensor);
  CheckTensor(tensor);
  return {this, graph.AddTensor(std::move(tensor))};
}

const ir::Tensor& Graph::State::At(Tensor tensor, std::string_view where) const {
  if (tensor.graph_ != this) throw Error::Format("{}: a tensor belongs to another graph", where);
  return graph.tensors.at(tensor.id_);
}

Graph::Graph() : state_(std::make_unique<State>()) {}
Graph::~Graph() = default;
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;

Graph::Tensor Graph::Input(Shape shape, TensorOptions options) {
  ir::Tensor input = MakeTensor(std::move(shape), std::move(options));
  state_->Name(input);
  RequireOtherName(state_->graph, state_->graph.inputs, input, "input");
  const Tensor tensor = state_->Add(std::move(input));
  state_->graph.inputs.push_back(tensor.id_);
  return tensor;
}

Graph::Tensor Graph::AddConstant(const Shape& shape, std::span<const std::uint8_t> bytes,
                                 TensorOptions options) {
  ir::Tensor tensor = MakeTensor(shape, std::move(options));
  state_->Name(tensor);
  CheckShape(tensor);
  const auto values = static_cast<std::int64_t>(bytes.size()) / ElementBytes(tensor.type);
  RequireTensor(values == tensor.Elements(), tensor, "{} values do not make its shape of {}",
                values, tensor.Elements());
  ir::SetData(tensor, bytes);
  return state_->Add(std::move(tensor));
}

void Graph::Output(Tensor tensor) {
  const ir::Tensor& output = state_->At(tensor, "output");
  RequireOtherName(state_->graph, state_->graph.outputs, output, "output");
  state_->graph.outputs.push_back(tensor.id_);
}

TensorInfo Graph::Info(Tensor tensor) const { return sdk::InfoOf(state_->At(tensor, "Info")); }

// Operators.

Graph::NewOperator::NewOperator(State& state, const ir::Attributes& attributes,
                                const Result& result)
    : state_(state),
      result_(result),
      name_(result.operator_name.empty() ? fmt::format("op{}", state.operators)
                                         : result.operator_name),
      title_(fmt::format("{} ({})", name_, ir::OperatorName(attributes))) {}

const ir::Tensor& Graph::NewOperator::Operand(Tensor tensor) {
  const ir::Tensor& operand = state_.At(tensor, title_);
  inputs_.push_back(tensor.id_);
  return operand;
}

const ir::Tensor& Graph::NewOperator::Activations(Tensor tensor) {
  const ir::Tensor& operand = Operand(tensor);
  RequireType(operand, {ElementType::kInt8, ElementType::kFloat32});
  RequireType(operand, {First().type});
  Require(operand.channel_scales.empty(), "{} has a scale for each channel, which only weights can",
          operand.name);
  return operand;
}

const ir::Tensor& Graph::NewOperator::Floats(Tensor tensor) {
  const ir::Tensor& operand = Operand(tensor);
  RequireType(operand, {ElementType::kFloat32});
  return operand;
}

const ir::Tensor& Graph::NewOperator::Weights(Tensor tensor, std::size_t rank, std::size_t axis,
                                              bool uncentred) {
  const ir::Tensor& weights = Operand(tensor);
  Require(weights.IsConstant() && weights.type == First().type, "weights {} must be constant {}",
          weights.name, ElementTypeName(First().type));
  RequireRank(weights, rank);
  if (OnFloats()) return weights;
  const std::size_t scales = weights.channel_scales.size();
  Require(weights.zero_point == 0 || (uncentred && scales == 0),
          "weights {} must have zero point 0", weights.name);
  Require(scales == 0 || scales == static_cast<std::size_t>(weights.shape[axis]),
          "weights {} have {} scales for {} channels", weights.name, scales, weights.shape[axis]);
  return weights;
}

void Graph::NewOperator::AddBias(const Bias& bias, std::int64_t channels) {
  if (!bias) return;
  const ir::Tensor& tensor = Operand(*bias);
  const ElementType type = OnFloats() ? ElementType::kFloat32 : ElementType::kInt32;
  Require(tensor.IsConstant() && tensor.type == type, "bias {} must be constant {}", tensor.name,
          ElementTypeName(type));
  Require(tensor.Elements() == channels, "bias {} has {} values for {} channels", tensor.name,
          tensor.Elements(), channels);
}

void Graph::NewOperator::RequireType(const ir::Tensor& tensor,
                                     std::initializer_list<ElementType> types) const {
  if (std::ranges::find(types, tensor.type) != types.end()) return;
  std::string names;
  for (const ElementType type : types) {
    names += (names.empty() ? "" : " or ") + std::string(ElementTypeName(type));
  }
  Require(false, "{} is {}; should be {}", tensor.name, ElementTypeName(tensor.type), names);
}

void Graph::NewOperator::RequireRank(const ir::Tensor& tensor, std::size_t rank) const {
  Require(tensor.shape.size() == rank, "{} {} must have {} dimensions", tensor.name,
          sdk::Text(tensor.shape), rank);
}

Shape Graph::NewOperator::Broadcast(const Shape& a, const Shape& b) const {
  const std::size_t rank = std::max(a.size(), b.size());
  const auto dimension = [&](const Shape& shape, std::size_t i) {
    const std::size_t missing = rank - shape.size();
    return i < missing ? 1 : shape[i - missing];
  };
  Shape result(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t da = dimension(a, i);
    const std::int64_t db = dimension(b, i);
    Require(da == db || da == 1 || db == 1, "{} and {} do not broadcast", sdk::Text(a),
            sdk::Text(b));
    result[i] = std::max(da, db);
  }
  return result;
}

std::size_t Graph::NewOperator::Axis(std::int64_t axis, std::size_t rank) const {
  const auto n = static_cast<std::int64_t>(rank);
  Require(axis >= -n && axis < n, "there is no axis {} among {} dimensions", axis, rank);
  return static_cast<std::size_t>(axis < 0 ? axis + n : axis);
}

void Graph::NewOperator::Default(ElementType type, float scale, std::int32_t zero_point) {
  result_.type = result_.type.value_or(type);
  result_.scale = result_.scale.value_or(scale);
  result_.zero_point = result_.zero_point.value_or(zero_point);
}

ir::Tensor Graph::NewOperator::Described(const Result& result) const {
  const ir::Tensor& input = First();
  ir::Tensor output;
  output.name = result.name;
  state_.Name(output);
  output.type = result.type.value_or(input.type);
  output.scale = result.scale.value_or(input.scale);
  output.zero_point = result.zero_point.value_or(input.zero_point);
  return output;
}

ir::Tensor Graph::NewOperator::Output() const { return Described(result_); }

void Graph::NewOperator::RequireResult(std::initializer_list<ElementType> types) const {
  RequireType(Output(), types);
}

bool Graph::NewOperator::OnFloats() const { return First().type == ElementType::kFloat32; }

void Graph::NewOperator::RequireComputed() const { RequireResult({First().type}); }

void Graph::NewOperator::RequireScalable(double unit) const {
  RequireComputed();
  if (!OnFloats()) RequireFactor(unit);
}

void Graph::NewOperator::RequireFactor(double unit) const {
  const double factor = unit / static_cast<double>(Output().scale);
  Require(factor < ir::kMostFactor, "the scales make a factor of {:.3g}, which is too large",
          factor);
}

void Graph::NewOperator::RequireSameQuantization(const ir::Tensor& input) const {
  Require(OnFloats() || (input.scale == Output().scale && input.zero_point == Output().zero_point),
          "{} and the result must have the same scale and zero point", input.name);
}

void Graph::NewOperator::RequireMoved(const ir::Tensor& input) const {
  Require(Output().type == input.type, "{} is {}, and the result would be {}", input.name,
          ElementTypeName(input.type), ElementTypeName(Output().type));
}

Graph::Tensor Graph::NewOperator::Make(ir::Attributes attributes, Shape shape,
                                       bool may_be_reshaped) {
  if (!result_.shape.empty()) {
    Require(may_be_reshaped || result_.shape == shape, "the result is {}, not {}", sdk::Text(shape),
            sdk::Text(result_.shape));
    Require(sdk::ElementsOf(result_.shape) == sdk::ElementsOf(shape),
            "{} does not have the elements of {}", sdk::Text(result_.shape), sdk::Text(shape));
    shape = result_.shape;
  }
  result_.shape = {};
  const Result result = result_;
  return MakeAll(std::move(attributes), {std::move(shape)}, {&result, 1})[0];
}

std::vector<Graph::Tensor> Graph::NewOperator::MakeAll(ir::Attributes attributes,
                                                       const std::vector<Shape>& shapes,
                                                       std::span<const Result> results) {
  Require(results.empty() || results.size() == shapes.size(), "{} results are described; it has {}",
          results.size(), shapes.size());
  const std::size_t before = state_.graph.tensors.size();
  ir::Operator op = {
      .name = name_, .inputs = inputs_, .outputs = {}, .attributes = std::move(attributes)};
  std::vector<Tensor> tensors;
  try {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      ir::Tensor output = Described(results.empty() ? Result{} : results[i]);
      Require(output.type == Output().type, "{} would be {} instead of {}", output.name,
              ElementTypeName(output.type), ElementTypeName(Output().type));
      output.shape = shapes[i];
      tensors.push_back(state_.Add(std::move(output)));
      op.outputs.push_back(tensors.back().id_);
    }
  } catch (const Error& error) {
    state_.graph.tensors.resize(before);
    const std::string message = error.what();
    if (message.starts_with(title_)) throw;
    throw Error::Format("{}: {}", title_, message);
  }
  state_.graph.operators.push_back(std::move(op));
  ++state_.operators;
  return tensors;
}

}  // namespace tpu
