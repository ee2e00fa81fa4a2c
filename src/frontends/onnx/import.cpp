// SPDX-License-Identifier: Apache-2.0
#include "frontends/onnx/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "frontends/onnx/builder.h"
#include "frontends/onnx/convert.h"
#include "frontends/onnx/followers.h"
#include "ir/limits.h"
#include "sdk/graph/graph_state.h"

namespace tpu::onnx {
namespace {

// The first version in which all operators mean what the converters say.
constexpr std::int64_t kLeastOpset = 13;

float Sigmoid(float x) { return 1.0F / (1.0F + std::exp(-x)); }

Values ListOf(Value value) { return {std::move(value)}; }
Values ListOf(Values values) { return values; }

// Which inputs belong together in an operator of integers; empty for any other operator.
std::string_view OperandsOf(const Node& node) {
#define TPU_QLINEAR_OPERATOR(of, name, operands, convert, becomes, restrictions) \
  if (node.domain == (of) && node.op_type == #name) return operands;
#include "frontends/onnx/operators.def"
  return {};
}

Values Convert(const NodeReader& op) {
  const Node& node = op.node();
#define TPU_ONNX_OPERATOR(name, convert, becomes, restrictions) \
  if (node.domain.empty() && node.op_type == #name) return ListOf(convert);
#define TPU_QLINEAR_OPERATOR(of, name, operands, convert, becomes, restrictions) \
  if (node.domain == (of) && node.op_type == #name) return ListOf(convert);
#include "frontends/onnx/operators.def"
  const std::string domain = node.domain.empty() ? "" : " of " + node.domain;
  NodeReader::Require(false, "the operator{} is not supported", domain);
  return {};
}

class Importer {
 public:
  explicit Importer(const Model& model) : model_(model), users_(model) {}

  ir::Graph Run() {
    const auto opset = model_.opsets.find("");
    NodeReader::Require(opset != model_.opsets.end() && opset->second >= kLeastOpset,
                        "opset {}; should be {} or later: convert it with onnx.version_converter",
                        opset == model_.opsets.end() ? 0 : opset->second, kLeastOpset);
    AddConstants();
    for (const ValueInfo& input : model_.inputs) AddInput(input);
    for (const Node& node : model_.nodes) {
      if (node.op_type == "Constant" && node.domain.empty()) continue;
      try {
        ImportNode(node);
      } catch (const Error& error) {
        throw Error::Format("node {} ({}): {}", NameOf(node), node.op_type, error.what());
      }
    }
    for (const ValueInfo& output : model_.outputs) AddOutput(output);
    ir::Graph graph = GraphContents::Take(std::move(builder_.graph()));
    graph.of_onnx = true;
    return graph;
  }

 private:
  static std::string NameOf(const Node& node) {
    if (!node.name.empty()) return node.name;
    return node.outputs.empty() ? "without a name" : "that makes " + node.outputs[0];
  }

  void Define(Value value) {
    const std::string name = value.name;
    NodeReader::Require(!name.empty() && values_.emplace(name, std::move(value)).second,
                        "value {} is made twice", name);
  }

  void DefineConstant(const std::string& name, const std::shared_ptr<const Array>& array) {
    Define({.name = name, .shape = array->shape, .type = array->type, .constant = array});
  }

  // Initializers, and Constant nodes wherever they stand.
  void AddConstants() {
    for (const auto& array : model_.initializers) DefineConstant(array->name, array);
    for (const Node& node : model_.nodes) {
      if (node.op_type != "Constant" || !node.domain.empty()) continue;
      NodeReader::Require(node.outputs.size() == 1 && node.attributes.size() == 1,
                          "node {} (Constant) must have one output and one attribute",
                          NameOf(node));
      const Attribute& a = node.attributes[0];
      const std::string& name = node.outputs[0];
      const auto integers = [&](Shape shape, const std::vector<std::int64_t>& values) {
        return std::make_shared<const Array>(
            IntegerArray(name, ElementType::kInt64, std::move(shape), values));
      };
      const auto floats = [&](Shape shape, const std::vector<float>& values) {
        return std::make_shared<const Array>(FloatArray(name, std::move(shape), values));
      };
      if (a.t != nullptr) {
        DefineConstant(name, a.t);
      } else if (a.f) {
        DefineConstant(name, floats({}, {*a.f}));
      } else if (a.i) {
        DefineConstant(name, integers({}, {*a.i}));
      } else if (a.name == "value_floats") {
        DefineConstant(name, floats({static_cast<std::int64_t>(a.floats.size())}, a.floats));
      } else {
        NodeReader::Require(a.name == "value_ints", "node {} (Constant): {} is not supported",
                            NameOf(node), a.name);
        DefineConstant(name, integers({static_cast<std::int64_t>(a.ints.size())}, a.ints));
      }
    }
  }

  void AddInput(const ValueInfo& info) {
    Value value = {.name = info.name, .shape = {}, .type = info.type};
    for (const std::optional<std::int64_t>& d : info.shape) value.shape.push_back(d.value_or(1));
    NodeReader::Require(info.type == ElementType::kFloat32 || info.type == ElementType::kInt8 ||
                            info.type == ElementType::kUint8,
                        "input {} is {}; should be float32, int8 or uint8", info.name,
                        ElementTypeName(info.type));
    const Quantisation scale = FindScale(info.name);
    const auto zero_point = static_cast<std::int32_t>(scale.zero_points[0]);
    Graph& graph = builder_.graph();
    Graph::Tensor tensor = graph.Input(
        value.shape,
        {.name = info.name, .type = info.type, .scale = scale.scales[0], .zero_point = zero_point});
    if (info.type == ElementType::kUint8) {
      tensor = graph.Quantize(tensor, {.name = info.name + "_int8",
                                       .type = ElementType::kInt8,
                                       .scale = scale.scales[0],
                                       .zero_point = zero_point - 128});
    }
    value.forms = std::make_shared<std::vector<Form>>(
        std::vector<Form>{{.layout = Plain(value.shape.size()), .tensor = tensor}});
    Define(std::move(value));
  }

  // The scale that the first user of an input of integers names.
  Quantisation FindScale(const std::string& name) const {
    for (const Node& node : model_.nodes) {
      const std::string_view operands = node.op_type == "DequantizeLinear" ? "q" : OperandsOf(node);
      std::size_t at = 0;
      for (std::size_t i = 0; !operands.empty() && at + 1 < node.inputs.size(); ++i) {
        const char kind = operands[std::min(i, operands.size() - 1)];
        const Value* scale = Find(node.inputs[at + 1]);
        if (kind == 'q' && node.inputs[at] == name && scale != nullptr) {
          const Value* zero_point =
              at + 2 < node.inputs.size() ? Find(node.inputs[at + 2]) : nullptr;
          Quantisation found = ReadQuantisation(*scale, zero_point, 0);
          if (found.scales.size() == 1) return found;
        }
        at += kind == 'q' ? 3 : (kind == 'y' ? 2 : 1);
      }
    }
    return {.scales = {1.0F}, .zero_points = {0}};
  }

  const Value* Find(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
  }

  const Value& At(const std::string& name) const {
    const Value* value = Find(name);
    NodeReader::Require(value != nullptr, "{} is used before it is made", name);
    return *value;
  }

  void ImportNode(const Node& node) {
    NodeReader::Require(!node.outputs.empty(), "has no outputs");
    const std::string_view operands = OperandsOf(node);
    std::vector<std::optional<Value>> inputs;
    Followers followers;
    if (operands.empty()) {
      for (const std::string& name : node.inputs) {
        inputs.push_back(name.empty() ? std::optional<Value>() : At(name));
      }
      followers = users_.Of(node.outputs[0], values_);
    } else {
      followers.target = ReadOperands(node, operands, inputs);
    }
    const NodeReader op(builder_, node, std::move(inputs), std::move(followers));
    Values values = Convert(op);
    if (!operands.empty()) values = {builder_.Quantize(values[0], op.To(), op.OperatorName())};
    for (Value& value : values) Define(std::move(value));
  }

  // The tensors of an operator of integers, dequantised, and what the result is written for.
  Target ReadOperands(const Node& node, std::string_view operands,
                      std::vector<std::optional<Value>>& inputs) {
    Target target = {.name = node.outputs[0]};
    bool has_target = false;
    ElementType type = ElementType::kUint8;  // Of the first tensor.
    std::size_t at = 0;
    const auto next = [&]() -> const Value* {
      const std::string& name = at < node.inputs.size() ? node.inputs[at] : std::string();
      ++at;
      return name.empty() ? nullptr : &At(name);
    };
    for (std::size_t i = 0; i < operands.size() || at < node.inputs.size(); ++i) {
      const char kind = operands[std::min(i, operands.size() - 1)];
      const Value* tensor = kind == 'y' ? nullptr : next();
      if (kind == 'x') {
        inputs.push_back(tensor == nullptr ? std::optional<Value>() : *tensor);
        continue;
      }
      const Value* scale = next();
      const Value* zero_point = next();
      if (kind == 'q' && tensor != nullptr && inputs.empty()) type = tensor->type;
      NodeReader::Require(scale != nullptr && (kind == 'y' || tensor != nullptr),
                          "has too few inputs");
      if (kind == 'q') {
        inputs.emplace_back(DequantizeOperand(node, *tensor, *scale, zero_point));
        continue;
      }
      const Quantisation q = ReadQuantisation(*scale, zero_point, 0);
      NodeReader::Require(q.scales.size() == 1, "{} has several scales", target.name);
      target.scale = q.scales[0];
      target.zero_point = q.zero_points[0];
      target.type = zero_point == nullptr ? type : zero_point->type;
      has_target = true;
    }
    NodeReader::Require(has_target, "has too few inputs");
    NodeReader::Require(target.type == ElementType::kInt8 || target.type == ElementType::kUint8,
                        "the result is {}; should be int8 or uint8", ElementTypeName(target.type));
    return target;
  }

  // Several scales belong to the output channels of weights: the first axis of those of a
  // convolution and of a transposed matrix, the last one of any other matrix.
  Value DequantizeOperand(const Node& node, const Value& x, const Value& scale,
                          const Value* zero_point) {
    const std::size_t rank = x.shape.size();
    const auto trans = std::ranges::find(node.attributes, "transB", &Attribute::name);
    const bool transposed = trans != node.attributes.end() && trans->i.value_or(0) != 0;
    const std::size_t axis = rank == 2 && !transposed ? 1 : 0;
    const Quantisation q = ReadQuantisation(scale, zero_point, axis);
    NodeReader::Require(q.scales.size() == 1 || (rank > 0 && static_cast<std::int64_t>(
                                                                 q.scales.size()) == x.shape[axis]),
                        "{} scales do not fit {}", q.scales.size(), x.name);
    return builder_.Dequantize(x, q, x.name);
  }

  void AddOutput(const ValueInfo& info) {
    const Value& made = At(info.name);
    NodeReader::Require(made.constant == nullptr, "output {} is constant, which is not supported",
                        info.name);
    const Value value = made.type == ElementType::kFloat32 ? builder_.Float(made, info.name) : made;
    Graph& graph = builder_.graph();
    Graph::Tensor tensor = builder_.Stored(value, Plain(value.shape.size()));
    const TensorInfo stored = graph.Info(tensor);
    if (value.type == ElementType::kUint8) {
      tensor = graph.Quantize(tensor, {.name = info.name,
                                       .type = ElementType::kUint8,
                                       .scale = stored.scale,
                                       .zero_point = stored.zero_point + 128});
    } else if (stored.name != info.name) {
      tensor = graph.Reshape(tensor, stored.shape, {.name = info.name});
    }
    graph.Output(tensor);
  }

  const Model& model_;
  Users users_;
  Builder builder_;
  std::map<std::string, Value> values_;
};

}  // namespace

ir::Graph Import(const Model& model) { return Importer(model).Run(); }

}  // namespace tpu::onnx
