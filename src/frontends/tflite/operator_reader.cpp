// SPDX-License-Identifier: Apache-2.0
#include "frontends/tflite/operator_reader.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "ir/limits.h"

namespace tpu::tflite {
namespace {

bool IsInteger(const ir::Tensor& tensor) {
  return tensor.type == ElementType::kInt32 || tensor.type == ElementType::kInt64;
}

}  // namespace

std::string Text(const ir::Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

double SumUnit(const ir::Tensor& input, const ir::Tensor& weights) {
  float scale = weights.scale;
  for (const float channel : weights.channel_scales) scale = std::max(scale, channel);
  return static_cast<double>(input.scale) * static_cast<double>(scale);
}

OperatorReader::OperatorReader(const Scope& scope, std::size_t index, ir::Graph& graph)
    : scope_(scope),
      op_(scope.subgraph.operators[index]),
      graph_(graph),
      graph_name_(fmt::format("{}op{}", scope.prefix, index)),
      name_(fmt::format("{} ({})", graph_name_, op_.name)) {}

void OperatorReader::RequireCounts(std::size_t least_inputs, std::size_t most_inputs,
                                   std::size_t outputs) const {
  Require(Inputs() >= least_inputs && Inputs() <= most_inputs,
          "has {} inputs; there must be {} to {}", Inputs(), least_inputs, most_inputs);
  Require(Outputs() == outputs, "has {} outputs; there must be {}", Outputs(), outputs);
}

const ir::Tensor& OperatorReader::Input(std::size_t i) const {
  Require(HasInput(i), "input {} is missing", i);
  const auto id = static_cast<std::size_t>(op_.inputs[i]);
  const Tensor& source = scope_.subgraph.tensors[id];
  Require(!source.variable, "input {} ({}) is a variable; models with a state are not supported", i,
          source.name);
  return graph_.tensors[id];
}

const ir::Tensor& OperatorReader::Output(std::size_t i) const {
  return graph_.tensors[static_cast<std::size_t>(op_.outputs[i])];
}

const ir::Tensor& OperatorReader::Operand(std::size_t i) {
  const ir::Tensor& tensor = Input(i);
  Require(tensor.Elements() > 0, "{} {} has no elements", Name(tensor), Text(tensor.shape));
  operands_.push_back(static_cast<ir::TensorId>(op_.inputs[i]));
  return tensor;
}

const ir::Tensor& OperatorReader::Moved(std::size_t i) {
  const ir::Tensor& input = Operand(i);
  for (std::size_t o = 0; o < Outputs(); ++o) RequireSameType(input, Output(o));
  return input;
}

const ir::Tensor& OperatorReader::Activations(std::size_t i) {
  const ir::Tensor& tensor = Operand(i);
  RequireComputable(tensor);
  return tensor;
}

const ir::Tensor& OperatorReader::BytesOrFloats(std::size_t i) {
  const ir::Tensor& tensor = Activations(i);
  Require(tensor.type != ElementType::kInt16,
          "{} is int16, which this operator is not supported on", Name(tensor));
  return tensor;
}

const ir::Tensor& OperatorReader::Floats(std::size_t i) {
  const ir::Tensor& tensor = Operand(i);
  Require(tensor.type == ElementType::kFloat32,
          "{} is {}, which is not supported; this operator takes float32 alone", Name(tensor),
          ElementTypeName(tensor.type));
  for (std::size_t o = 0; o < Outputs(); ++o) RequireSameType(tensor, Output(o));
  return tensor;
}

const ir::Tensor& OperatorReader::OutputActivations(double unit) const {
  RequireSameType(graph_.tensors[operands_.front()], Output());
  RequireComputable(Output());
  if (!ComputesFloats()) RequireScalable(unit);
  return Output();
}

void OperatorReader::RequireComputable(const ir::Tensor& tensor) const {
  if (tensor.type == ElementType::kFloat32) return;
  RequireQuantized(tensor, {ElementType::kInt8, ElementType::kInt16});
  Require(tensor.type != ElementType::kInt16 || tensor.zero_point == 0,
          "{} is int16 with zero point {}; it must be 0", Name(tensor), tensor.zero_point);
}

bool OperatorReader::ComputesFloats() const {
  return graph_.tensors[operands_.front()].type == ElementType::kFloat32;
}

void OperatorReader::RequireQuantized(const ir::Tensor& tensor,
                                      std::initializer_list<ElementType> types) const {
  Require(std::find(types.begin(), types.end(), tensor.type) != types.end(),
          "{} is {}, which is not supported; models must be quantised to int8 or int16{}",
          Name(tensor), ElementTypeName(tensor.type),
          tensor.type == ElementType::kUint8
              ? ": convert the network again with a converter of today, uint8 is that of 2018"
              : "");
  const std::size_t scales = Source(tensor).quantization.scales.size();
  Require(scales > 0, "{} has no quantisation", Name(tensor));
  Require(scales == 1, "{} is quantised per channel, which only weights can be", Name(tensor));
}

void OperatorReader::RequireSameType(const ir::Tensor& input, const ir::Tensor& output) const {
  Require(input.type == output.type, "{} is {} and {} is {}", input.name,
          ElementTypeName(input.type), output.name, ElementTypeName(output.type));
}

void OperatorReader::RequireRank(const ir::Tensor& tensor, std::size_t rank) const {
  Require(tensor.shape.size() == rank, "{} {} must have {} dimensions", Name(tensor),
          Text(tensor.shape), rank);
}

void OperatorReader::RequireScalable(double unit) const {
  const double factor = unit / static_cast<double>(Output().scale);
  Require(factor < ir::kMostFactor, "the scales make a factor of {:.3g}, which is too large",
          factor);
}

const ir::Tensor& OperatorReader::Weights(std::size_t i, std::size_t axis, bool uncentred) {
  const ir::Tensor& tensor = Operand(i);
  Require(tensor.IsConstant(), "weights {} must be constant", Name(tensor));
  if (ComputesFloats()) {
    Require(tensor.type == ElementType::kFloat32,
            "weights {} are {}, and the activations float32: only float32 weights are supported; "
            "quantise the activations, too (full integer quantisation), or neither",
            Name(tensor), ElementTypeName(tensor.type));
    return tensor;
  }
  Require(tensor.type == ElementType::kInt8, "weights {} are {}; only int8 is supported",
          Name(tensor), ElementTypeName(tensor.type));
  const Quantization& q = Source(tensor).quantization;
  Require(!q.scales.empty(), "weights {} have no quantisation", Name(tensor));
  const bool centred =
      std::all_of(q.zero_points.begin(), q.zero_points.end(), [](auto z) { return z == 0; });
  Require(centred || (uncentred && q.scales.size() == 1),
          "weights {} must have zero point 0: quantise them symmetrically", Name(tensor));
  // Along which dimension does not matter where both are equally large.
  Require(q.scales.size() == 1 || (axis < tensor.shape.size() &&
                                   q.scales.size() == static_cast<std::size_t>(tensor.shape[axis])),
          "weights {} are quantised along dimension {}, not {}", Name(tensor), q.axis, axis);
  return tensor;
}

void OperatorReader::Bias(std::size_t i, std::int64_t channels,
                          std::initializer_list<ElementType> of_int16) {
  if (!HasInput(i)) return;
  const ir::Tensor& tensor = Operand(i);
  Require(tensor.IsConstant(), "bias {} must be constant", Name(tensor));
  const ElementType activations = graph_.tensors[operands_.front()].type;
  if (activations == ElementType::kInt16) {
    std::string names;
    for (const ElementType type : of_int16) {
      names += fmt::format("{}{}", names.empty() ? "" : " or ", ElementTypeName(type));
    }
    Require(std::find(of_int16.begin(), of_int16.end(), tensor.type) != of_int16.end(),
            "bias {} is {}; on int16 only {} is supported", Name(tensor),
            ElementTypeName(tensor.type), names);
  } else {
    const ElementType type =
        activations == ElementType::kFloat32 ? ElementType::kFloat32 : ElementType::kInt32;
    Require(tensor.type == type, "bias {} is {}; only {} is supported", Name(tensor),
            ElementTypeName(tensor.type), ElementTypeName(type));
  }
  Require(tensor.Elements() == channels, "bias {} has {} values for {} channels", Name(tensor),
          tensor.Elements(), channels);
}

bool OperatorReader::IsKnown(std::size_t i) const {
  if (!HasInput(i)) return false;
  const ir::Tensor& tensor = Input(i);
  return IsInteger(tensor) && (tensor.IsConstant() || tensor.Elements() == 0);
}

std::vector<std::int64_t> OperatorReader::Integers(std::size_t i, std::string_view what) const {
  const ir::Tensor& tensor = Input(i);
  Require(IsInteger(tensor), "{} ({}) must be int32 or int64", what, Name(tensor));
  Require(IsKnown(i), "{} ({}) must be constant", what, Name(tensor));
  if (const auto* values = std::get_if<std::vector<std::int32_t>>(&tensor.data)) {
    return {values->begin(), values->end()};
  }
  if (const auto* values = std::get_if<std::vector<std::int64_t>>(&tensor.data)) return *values;
  return {};
}

std::int64_t OperatorReader::Integer(std::size_t i, std::string_view what) const {
  Require(Input(i).Elements() == 1, "{} ({}) must be one value", what, Name(Input(i)));
  return Integers(i, what)[0];
}

std::size_t OperatorReader::Axis(std::int64_t axis, std::size_t rank) const {
  const auto n = static_cast<std::int64_t>(rank);
  Require(axis >= -n && axis < n, "there is no axis {} among {} dimensions", axis, rank);
  return static_cast<std::size_t>(axis < 0 ? axis + n : axis);
}

bool OperatorReader::OutputIsOpen(std::size_t i) const {
  const Tensor& source = Source(Output(i));
  return source.dynamic || source.shape.empty();
}

void OperatorReader::SettleOutput(const ir::Shape& shape, std::size_t i) {
  ir::Tensor& output = graph_.tensors[static_cast<std::size_t>(op_.outputs[i])];
  std::int64_t elements = 1;
  for (const std::int64_t d : shape) {
    elements *= d;
    Require(d > 0 || (d == 0 && IsInteger(output)), "{} would be {}, which has no elements",
            Name(output), Text(shape));
    Require(elements <= ir::kMostElements, "{} would be {}, which is too large", Name(output),
            Text(shape));
  }
  if (output.shape == shape) return;
  Require(OutputIsOpen(i), "{} is {}; it should be {}", Name(output), Text(output.shape),
          Text(shape));
  output.shape = shape;
}

void OperatorReader::SettleElements(const ir::Shape& shape) {
  const bool fits = !OutputIsOpen() && std::reduce(shape.begin(), shape.end(), std::int64_t{1},
                                                   std::multiplies<>()) == Output().Elements();
  if (!fits) SettleOutput(shape);
}

ir::Activation OperatorReader::FusedActivation(tflite::schema::ActivationFunctionType type) const {
  using tflite::schema::ActivationFunctionType;
  switch (type) {
    case ActivationFunctionType::NONE:
      return ir::Activation::kNone;
    case ActivationFunctionType::RELU:
      return ir::Activation::kRelu;
    case ActivationFunctionType::RELU6:
      return ir::Activation::kRelu6;
    case ActivationFunctionType::RELU_N1_TO_1:
      return ir::Activation::kReluN1To1;
    default:
      Require(false, "fused activation {} is not supported", static_cast<int>(type));
      return ir::Activation::kNone;
  }
}

void OperatorReader::AddState(ElementType type, const ir::Shape& shape,
                              std::vector<std::uint8_t> initial) {
  ir::Tensor tensor = {.name = graph_name_ + "/state", .type = type};
  tensor.shape = shape;
  const ir::TensorId before = graph_.AddTensor(tensor);
  tensor.name += "/after";
  const ir::TensorId after = graph_.AddTensor(std::move(tensor));
  operands_.push_back(before);
  states_.push_back(after);
  graph_.states.push_back({.before = before, .after = after, .initial = std::move(initial)});
}

void OperatorReader::AddVariable(std::size_t i, std::initializer_list<ElementType> types) {
  Require(HasInput(i), "input {} is missing", i);
  const auto id = static_cast<std::size_t>(op_.inputs[i]);
  const ir::Tensor variable = graph_.tensors[id];
  Require(scope_.subgraph.tensors[id].variable, "input {} ({}) must be a variable", i,
          variable.name);
  RequireQuantized(graph_.tensors[id], types);
  Require(variable.Elements() > 0, "{} {} has no elements", Name(variable), Text(variable.shape));
  const std::int32_t fill = variable.type == ElementType::kInt8 ? variable.zero_point : 0;
  const std::int64_t bytes = variable.Elements() * ElementBytes(variable.type);
  AddState(
      variable.type, variable.shape,
      std::vector<std::uint8_t>(static_cast<std::size_t>(bytes), static_cast<std::uint8_t>(fill)));
  for (const ir::TensorId state : {operands_.back(), states_.back()}) {
    graph_.tensors[state].scale = variable.scale;
    graph_.tensors[state].zero_point = variable.zero_point;
  }
}

std::shared_ptr<const ir::Graph> OperatorReader::Region(std::int32_t subgraph,
                                                        std::string_view name,
                                                        std::size_t first) const {
  std::vector<ir::Tensor> inputs;
  for (std::size_t i = first; i < operands_.size(); ++i) {
    const ir::Tensor& tensor = graph_.tensors[operands_[i]];
    ir::Tensor& input = inputs.emplace_back();
    input.name = tensor.name;
    input.type = tensor.type;
    input.shape = tensor.shape;
  }
  return std::make_shared<const ir::Graph>(
      scope_.subgraphs.Import(subgraph, fmt::format("{}/{}", graph_name_, name), inputs));
}

ir::Operator OperatorReader::Finish(ir::Attributes attributes) const {
  ir::Operator result = {
      .name = graph_name_, .inputs = operands_, .outputs = {}, .attributes = std::move(attributes)};
  for (const std::int32_t id : op_.outputs) result.outputs.push_back(static_cast<ir::TensorId>(id));
  result.outputs.insert(result.outputs.end(), states_.begin(), states_.end());
  return result;
}

const Tensor& OperatorReader::Source(const ir::Tensor& tensor) const {
  return scope_.subgraph.tensors[static_cast<std::size_t>(&tensor - graph_.tensors.data())];
}

std::string OperatorReader::Name(const ir::Tensor& tensor) {
  return tensor.name.empty() ? "an unnamed tensor" : tensor.name;
}

}  // namespace tpu::tflite
