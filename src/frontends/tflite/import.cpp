// SPDX-License-Identifier: Apache-2.0
#include "frontends/tflite/import.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "frontends/tflite/operator_reader.h"
#include "frontends/tflite/tensors.h"
#include "frontends/tflite/variables.h"
#include "host_operators/check.h"
#include "ir/limits.h"
#include "ir/tensor_data.h"

namespace tpu::tflite {
namespace {

// Models of today have some thousands. Those of subgraphs count as often as they are used.
constexpr std::size_t kMostOperators = 100'000;
// Each use of a subgraph is a graph.
constexpr std::size_t kMostRegions = 256;

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

// What the importers of a model and its subgraphs have in common.
struct Progress {
  std::size_t operators = 0;
  std::size_t regions = 0;
  std::vector<std::int32_t> path = {};  // The subgraphs inside each other that are being read.
};

class Importer final : public SubgraphImporter {
 public:
  // Of the model's own graph.
  Importer(const Model& model, Progress& progress) : Importer(model, model, "", progress) {
    variables_.emplace(model);
  }
  // Of a subgraph.
  Importer(const Model& model, const Subgraph& subgraph, std::string prefix, Progress& progress)
      : model_(model),
        subgraph_(subgraph),
        scope_{
            .model = model, .subgraph = subgraph, .prefix = std::move(prefix), .subgraphs = *this},
        progress_(progress) {}

  ir::Graph Run(std::span<const ir::Tensor> inputs = {}) {
    progress_.operators += subgraph_.operators.size();
    Require(progress_.operators <= kMostOperators, "has {} operators; at most {}",
            progress_.operators, kMostOperators);
    for (const Tensor& tensor : subgraph_.tensors) {
      graph_.tensors.push_back(ConvertTensor(tensor));
    }
    if (IsRegion()) SettleInputs(inputs);
    for (std::size_t i = 0; i < subgraph_.operators.size(); ++i) {
      CheckTypes(i);
      ImportOperator(i);
    }
    if (variables_) variables_->AddStates(graph_);
    AddInputsAndOutputs();
    return std::move(graph_);
  }

  ir::Graph Import(std::int32_t subgraph, const std::string& name,
                   std::span<const ir::Tensor> inputs) override {
    std::vector<std::int32_t>& path = progress_.path;
    Require(std::ranges::find(path, subgraph) == path.end(), "{}: subgraph {} runs itself", name,
            subgraph);
    Require(path.size() < ir::kMostNesting, "{}: more than {} subgraphs lie inside each other",
            name, ir::kMostNesting);
    Require(++progress_.regions <= kMostRegions, "{}: more than {} uses of subgraphs", name,
            kMostRegions);
    path.push_back(subgraph);
    ir::Graph region =
        Importer(model_, model_.subgraphs.at(subgraph), name + "/", progress_).Run(inputs);
    path.pop_back();
    return region;
  }

 private:
  [[nodiscard]] bool IsRegion() const { return !scope_.prefix.empty(); }

  // What the operator that runs the subgraph gives it.
  void SettleInputs(std::span<const ir::Tensor> inputs) {
    const std::string_view name =
        std::string_view(scope_.prefix).substr(0, scope_.prefix.size() - 1);
    Require(inputs.size() == subgraph_.inputs.size(), "{}: has {} inputs, and is given {}", name,
            subgraph_.inputs.size(), inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto id = static_cast<std::size_t>(subgraph_.inputs[i]);
      ir::Tensor& tensor = graph_.tensors[id];
      const Tensor& source = subgraph_.tensors[id];
      if (source.dynamic || source.shape.empty()) tensor.shape = inputs[i].shape;
      Require(
          ElementTypeOf(source.type) == inputs[i].type && tensor.Elements() == inputs[i].Elements(),
          "{}: input {} is {} {}, and is given {}, {} {}", name, tensor.name, TypeName(source.type),
          Text(tensor.shape), inputs[i].name, ElementTypeName(inputs[i].type),
          Text(inputs[i].shape));
    }
  }

  template <typename... Args>
  void Require(bool condition, fmt::format_string<Args...> format, Args&&... args) const {
    if (condition) return;
    throw Error::Format("{}: {}", model_.file, fmt::format(format, std::forward<Args>(args)...));
  }

  // Types that a graph cannot hold.
  void CheckTypes(std::size_t index) const {
    const Operator& op = subgraph_.operators[index];
    for (const auto* list : {&op.inputs, &op.outputs}) {
      for (const std::int32_t id : *list) {
        if (id < 0) continue;
        const Tensor& tensor = subgraph_.tensors[static_cast<std::size_t>(id)];
        if (tensor.type == TensorType::RESOURCE && Variables::IsHandled(op.code)) continue;
        Require(ElementTypeOf(tensor.type).has_value(),
                "{}op{} ({}): {} is {}, which is not supported", scope_.prefix, index, op.name,
                tensor.name, TypeName(tensor.type));
      }
    }
  }

  void ImportOperator(std::size_t index) {
    OperatorReader reader(scope_, index, graph_);
    if (reader.Code() == BuiltinOperator::SHAPE) {
      FoldShape(reader, index);
      return;
    }
    if (reader.Code() == BuiltinOperator::ZEROS_LIKE) {
      FoldZeros(reader, index);
      return;
    }
    if (Variables::IsHandled(reader.Code())) {
      reader.Require(variables_.has_value(), "variables in subgraphs are not supported");
      variables_->Import(reader, index, graph_);
      return;
    }
    ir::Operator op = reader.Finish(Decode(reader));
    CheckHostOperator(reader, op);
    if (!Inline(op, graph_) && !Fold(op, graph_)) graph_.operators.push_back(std::move(op));
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
        graph_.tensors[static_cast<std::size_t>(subgraph_.operators[index].outputs.front())];
    const std::int64_t bytes = output.Elements() * ElementBytes(output.type);
    ir::SetData(output, std::vector<std::uint8_t>(static_cast<std::size_t>(bytes)));
  }

  // Shapes are all known, even those of tensors that are not.
  void FoldShape(OperatorReader& reader, std::size_t index) {
    reader.RequireCounts(1, 1);
    const ir::Shape& shape = reader.Input(0).shape;
    reader.SettleOutput({static_cast<std::int64_t>(shape.size())});
    ir::Tensor& output =
        graph_.tensors[static_cast<std::size_t>(subgraph_.operators[index].outputs.front())];
    if (output.type == ElementType::kInt32) {
      output.data = std::vector<std::int32_t>(shape.begin(), shape.end());
    } else {
      reader.Require(output.type == ElementType::kInt64, "{} must be int32 or int64", output.name);
      output.data = shape;
    }
  }

  void AddInputsAndOutputs() {
    for (const std::int32_t id : subgraph_.inputs) {
      CheckEdge(id, "input");
      graph_.inputs.push_back(static_cast<ir::TensorId>(id));
    }
    for (const std::int32_t id : subgraph_.outputs) {
      CheckEdge(id, "output");
      graph_.outputs.push_back(static_cast<ir::TensorId>(id));
    }
  }

  void CheckEdge(std::int32_t id, std::string_view what) const {
    const Tensor& source = subgraph_.tensors[static_cast<std::size_t>(id)];
    const ir::Tensor& tensor = graph_.tensors[static_cast<std::size_t>(id)];
    Require(ElementTypeOf(source.type).has_value(), "{} {} is {}, which is not supported", what,
            tensor.name, TypeName(source.type));
    Require(tensor.Elements() > 0, "{} {} {} has no elements", what, tensor.name,
            Text(tensor.shape));
    Require(!source.variable, "{} {} is a variable; models with a state are not supported", what,
            tensor.name);
  }

  const Model& model_;
  const Subgraph& subgraph_;
  Scope scope_;
  Progress& progress_;
  std::optional<Variables> variables_;  // Of the model's own graph alone.
  ir::Graph graph_;
};

}  // namespace

ir::Graph Import(const Model& model) {
  Progress progress;
  return Importer(model, progress).Run();
}

}  // namespace tpu::tflite
