// SPDX-License-Identifier: Apache-2.0
#include "frontends/tflite/import.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <variant>

#include "base/error.h"
#include "frontends/tflite/operator_reader.h"

namespace tpu::tflite {
namespace {

// Models of today have some thousands.
constexpr std::size_t kMostOperators = 100'000;

std::optional<ElementType> ElementTypeOf(TensorType type) {
  switch (type) {
    case TensorType::INT8:
      return ElementType::kInt8;
    case TensorType::UINT8:
      return ElementType::kUint8;
    case TensorType::INT16:
      return ElementType::kInt16;
    case TensorType::INT32:
      return ElementType::kInt32;
    case TensorType::INT64:
      return ElementType::kInt64;
    case TensorType::FLOAT32:
      return ElementType::kFloat32;
    case TensorType::BOOL:
      return ElementType::kBool;
    default:
      return {};
  }
}

template <typename T>
std::vector<T> ValuesOf(const std::vector<std::uint8_t>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

void SetData(ir::Tensor& tensor, const std::vector<std::uint8_t>& bytes) {
  switch (tensor.type) {
    case ElementType::kInt8:
      tensor.data = ValuesOf<std::int8_t>(bytes);
      break;
    case ElementType::kUint8:
    case ElementType::kBool:
      tensor.data = bytes;
      break;
    case ElementType::kInt16:
      tensor.data = ValuesOf<std::int16_t>(bytes);
      break;
    case ElementType::kInt32:
      tensor.data = ValuesOf<std::int32_t>(bytes);
      break;
    case ElementType::kInt64:
      tensor.data = ValuesOf<std::int64_t>(bytes);
      break;
    case ElementType::kFloat32:
      tensor.data = ValuesOf<float>(bytes);
      break;
    case ElementType::kBfloat16:
      tensor.data = ValuesOf<Bfloat16>(bytes);
      break;
  }
}

ir::Tensor ConvertTensor(const Tensor& source) {
  ir::Tensor tensor;
  tensor.name = source.name;
  tensor.shape.assign(source.shape.begin(), source.shape.end());
  const std::optional<ElementType> type = ElementTypeOf(source.type);
  if (!type) return tensor;  // An error when it is used, which it need not be.
  tensor.type = *type;
  if (const Quantization& q = source.quantization; !q.scales.empty()) {
    tensor.scale = q.scales[0];
    tensor.zero_point = static_cast<std::int32_t>(q.zero_points[0]);
    if (q.scales.size() > 1) tensor.channel_scales = q.scales;
  }
  if (source.IsConstant()) SetData(tensor, source.data);
  return tensor;
}

ir::Attributes Decode(OperatorReader& op) {
  switch (op.Code()) {
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
  explicit Importer(const Model& model) : model_(model) {}

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
    ir::Operator op = reader.Finish(Decode(reader));
    if (!Fold(op, graph_)) graph_.operators.push_back(std::move(op));
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
  ir::Graph graph_;
};

}  // namespace

ir::Graph Import(const Model& model) { return Importer(model).Run(); }

}  // namespace tpu::tflite
