// SPDX-License-Identifier: Apache-2.0
#include "frontends/tflite/import.h"

#include <algorithm>
#include <string>
#include <variant>

#include "base/error.h"
#include "frontends/tflite/operator_reader.h"
#include "frontends/tflite/tensors.h"
#include "frontends/tflite/variables.h"
#include "host_operators/check.h"
#include "ir/tensor_data.h"

namespace tpu::tflite {
namespace {

// Models of today have some thousands.
constexpr std::size_t kMostOperators = 100'000;

ir::Attributes DecodeCustom(OperatorReader& op) {
#define TPU_OPERATOR(...)
#define TPU_CUSTOM_OPERATOR(name, decode, where, restrictions) \
  if (op.Name() == #name) return decode;
#include "frontends/tflite/operators.def"
  op.Require(false, "this operator is not supported");
  return ir::Reshape{};
}

ir::Attributes Decode(OperatorReader& op) {
  switch (op.Code()) {
    case BuiltinOperator::CUSTOM:
      return DecodeCustom(op);
#define TPU_OPERATOR(code, decode, where, restrictions) \
  case BuiltinOperator::code:                           \
    return decode;
#include "frontends/tflite/operators.def"
    default:
      op.Require(false, "this operator is not supported");
      return ir::Reshape{};
  }
}

class Importer {
 public:
  explicit Importer(const Model& model) : model_(model), variables_(model) {}

  ir::Graph Run() {
    Require(model_.operators.size() <= kMostOperators, "has {} operators; at most {}",
            model_.operators.size(), kMostOperators);
    for (const Tensor& tensor : model_.tensors) {
      graph_.tensors.push_back(ConvertTensor(tensor));
    }
    for (std::size_t i = 0; i < model_.operators.size(); ++i) {
      CheckTypes(i);
      ImportOperator(i);
    }
    variables_.AddStates(graph_);
    AddInputsAndOutputs();
    return std::move(graph_);
  }

 private:
  template <typename... Args>
  void Require(bool condition, fmt::format_string<Args...> format, Args&&... args) const {
    if (condition) return;
    throw Error::Format("{}: {}", model_.file, fmt::format(format, std::forward<Args>(args)...));
  }

  // Types that a graph cannot hold.
  void CheckTypes(std::size_t index) const {
    const Operator& op = model_.operators[index];
    for (const auto* list : {&op.inputs, &op.outputs}) {
      for (const std::int32_t id : *list) {
        if (id < 0) continue;
        const Tensor& tensor = model_.tensors[static_cast<std::size_t>(id)];
        if (tensor.type == TensorType::RESOURCE && Variables::IsHandled(op.code)) continue;
        Require(ElementTypeOf(tensor.type).has_value(),
                "op{} ({}): {} is {}, which is not supported", index, op.name, tensor.name,
                TypeName(tensor.type));
      }
    }
  }

  void ImportOperator(std::size_t index) {
    OperatorReader reader(model_, index, graph_);
    if (reader.Code() == BuiltinOperator::SHAPE) {
      FoldShape(reader, index);
      return;
    }
    if (reader.Code() == BuiltinOperator::ZEROS_LIKE) {
      FoldZeros(reader, index);
      return;
    }
    if (Variables::IsHandled(reader.Code())) {
      variables_.Import(reader, index, graph_);
      return;
    }
    ir::Operator op = reader.Finish(Decode(reader));
    CheckHostOperator(reader, op);
    if (!Fold(op, graph_)) graph_.operators.push_back(std::move(op));
  }

  void CheckHostOperator(const OperatorReader& reader, const ir::Operator& op) const {
    const auto* host = std::get_if<ir::HostOperator>(&op.attributes);
    if (host == nullptr) return;
    const auto operands = [this](const std::vector<ir::TensorId>& ids) {
      std::vector<host_operators::Operand> result;
      for (const ir::TensorId id : ids) {
        result.push_back(host_operators::OperandOf(graph_.tensors[id]));
      }
      return result;
    };
    try {
      host_operators::Check(host->attributes, operands(op.inputs), operands(op.outputs));
    } catch (const Error& error) {
      reader.Require(false, "{}", error.what());
    }
  }

  void FoldZeros(OperatorReader& reader, std::size_t index) {
    reader.RequireCounts(1, 1);
    reader.RequireSameType(reader.Input(0), reader.Output());
    reader.SettleOutput(reader.Input(0).shape);
    ir::Tensor& output =
        graph_.tensors[static_cast<std::size_t>(model_.operators[index].outputs.front())];
    const std::int64_t bytes = output.Elements() * ElementBytes(output.type);
    ir::SetData(output, std::vector<std::uint8_t>(static_cast<std::size_t>(bytes)));
  }

  // Shapes are all known, even those of tensors that are not.
  void FoldShape(OperatorReader& reader, std::size_t index) {
    reader.RequireCounts(1, 1);
    const ir::Shape& shape = reader.Input(0).shape;
    reader.SettleOutput({static_cast<std::int64_t>(shape.size())});
    ir::Tensor& output =
        graph_.tensors[static_cast<std::size_t>(model_.operators[index].outputs.front())];
    if (output.type == ElementType::kInt32) {
      output.data = std::vector<std::int32_t>(shape.begin(), shape.end());
    } else {
      reader.Require(output.type == ElementType::kInt64, "{} must be int32 or int64", output.name);
      output.data = shape;
    }
  }

  void AddInputsAndOutputs() {
    for (const std::int32_t id : model_.inputs) {
      CheckEdge(id, "input");
      graph_.inputs.push_back(static_cast<ir::TensorId>(id));
    }
    for (const std::int32_t id : model_.outputs) {
      CheckEdge(id, "output");
      graph_.outputs.push_back(static_cast<ir::TensorId>(id));
    }
  }

  void CheckEdge(std::int32_t id, std::string_view what) const {
    const Tensor& source = model_.tensors[static_cast<std::size_t>(id)];
    const ir::Tensor& tensor = graph_.tensors[static_cast<std::size_t>(id)];
    Require(ElementTypeOf(source.type).has_value(), "{} {} is {}, which is not supported", what,
            tensor.name, TypeName(source.type));
    Require(tensor.Elements() > 0, "{} {} {} has no elements", what, tensor.name,
            Text(tensor.shape));
    Require(!source.variable, "{} {} is a variable; models with a state are not supported", what,
            tensor.name);
  }

  const Model& model_;
  Variables variables_;
  ir::Graph graph_;
};

}  // namespace

ir::Graph Import(const Model& model) { return Importer(model).Run(); }

}  // namespace tpu::tflite
