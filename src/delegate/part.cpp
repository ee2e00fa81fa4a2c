// SPDX-License-Identifier: Apache-2.0
#include "delegate/part.h"

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "base/error.h"
#include "delegate/operator_options.h"
#include "frontends/tflite/schema_generated.h"

namespace tpu::delegate {
namespace {

namespace schema = tflite::schema;
using schema::BuiltinOperator;
using schema::TensorType;

constexpr std::uint32_t kSchemaVersion = 3;

BuiltinOperator CodeOf(const Operator& op) {
  return static_cast<BuiltinOperator>(op.registration.builtin_code);
}

Operator OperatorAt(TfLiteContext& context, int index) {
  TfLiteNode* node = nullptr;
  TfLiteRegistration* registration = nullptr;
  if (context.get_node_and_registration(&context, index, &node, &registration) != kTfLiteOk) {
    throw Error::Format("LiteRT has no node {}", index);
  }
  return {*node, *registration};
}

const TfLiteTensor& TensorAt(const TfLiteContext& context, int index) {
  if (index < 0 || static_cast<std::size_t>(index) >= context.tensors_size) {
    throw Error::Format("LiteRT has no tensor {}", index);
  }
  return context.tensors[index];
}

bool IsConstant(const TfLiteTensor& tensor) {
  return tensor.allocation_type == kTfLiteMmapRo && tensor.data != nullptr;
}

// Those that the nodes take, each once.
void Sort(const TfLiteContext& context, std::span<const int> taken, Part& part) {
  for (const int index : taken) {
    if (index < 0) continue;
    const TfLiteTensor& tensor = TensorAt(context, index);
    if (IsConstant(tensor)) continue;
    std::vector<int>& list = tensor.is_variable ? part.variables : part.inputs;
    if (std::ranges::find(list, index) == list.end()) list.push_back(index);
  }
}

TensorType TypeOf(TfLiteType type) {
  // By LiteRT's numbers, from 1 on.
  static constexpr std::array kTypes = {
      TensorType::FLOAT32, TensorType::INT32,    TensorType::UINT8,   TensorType::INT64,
      TensorType::STRING,  TensorType::BOOL,     TensorType::INT16,   TensorType::COMPLEX64,
      TensorType::INT8,    TensorType::FLOAT16,  TensorType::FLOAT64, TensorType::COMPLEX128,
      TensorType::UINT64,  TensorType::RESOURCE, TensorType::VARIANT, TensorType::UINT32,
      TensorType::UINT16,  TensorType::INT4};
  if (type < 1 || static_cast<std::size_t>(type) > kTypes.size()) {
    throw Error::Format("a tensor has LiteRT's type {}, which is not supported", type);
  }
  return kTypes.at(static_cast<std::size_t>(type) - 1);
}

std::unique_ptr<schema::QuantizationParametersT> QuantizationOf(const TfLiteTensor& tensor) {
  if (tensor.quantization.type == kTfLiteNoQuantization) return nullptr;
  if (tensor.quantization.type != kTfLiteAffineQuantization) {
    throw Error::Format("{}: its quantisation is not supported", tensor.name);
  }
  const auto& source = *static_cast<const TfLiteAffineQuantization*>(tensor.quantization.params);
  auto result = std::make_unique<schema::QuantizationParametersT>();
  const auto scales = Values(source.scale);
  const auto zero_points = Values(source.zero_point);
  result->scale.assign(scales.begin(), scales.end());
  result->zero_point.assign(zero_points.begin(), zero_points.end());
  result->quantized_dimension = source.quantized_dimension;
  return result;
}

// Operators on what lies outside of a part: variables by name, and other graphs of the file.
bool LooksOutside(BuiltinOperator code) {
  static constexpr std::array kCodes = {
      BuiltinOperator::CALL_ONCE,  BuiltinOperator::IF,
      BuiltinOperator::WHILE,      BuiltinOperator::READ_VARIABLE,
      BuiltinOperator::VAR_HANDLE, BuiltinOperator::ASSIGN_VARIABLE};
  return std::ranges::find(kCodes, code) != kCodes.end();
}

class Writer {
 public:
  explicit Writer(TfLiteContext& context) : context_(context) {
    model_.version = kSchemaVersion;
    model_.buffers.push_back(std::make_unique<schema::BufferT>());  // By convention empty.
    model_.subgraphs.push_back(std::make_unique<schema::SubGraphT>());
  }

  std::vector<std::uint8_t> Write(const Part& part) {
    graph().inputs = Tensors(part.inputs);
    for (const Operator& op : part.operators) AddOperator(op);
    graph().outputs = Tensors(part.outputs);
    flatbuffers::FlatBufferBuilder builder;
    schema::FinishModelBuffer(builder, schema::Model::Pack(builder, &model_));
    return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
  }

 private:
  schema::SubGraphT& graph() { return *model_.subgraphs[0]; }

  std::vector<std::int32_t> Tensors(std::span<const int> indices) {
    std::vector<std::int32_t> result;
    for (const int index : indices) result.push_back(index < 0 ? index : Tensor(index));
    return result;
  }

  // The tensor's place in the file.
  std::int32_t Tensor(int index) {
    const auto [place, is_new] =
        places_.try_emplace(index, static_cast<std::int32_t>(graph().tensors.size()));
    if (is_new) AddTensor(TensorAt(context_, index));
    return place->second;
  }

  void AddTensor(const TfLiteTensor& source) {
    auto tensor = std::make_unique<schema::TensorT>();
    tensor->name = source.name == nullptr ? "" : source.name;
    if (source.sparsity != nullptr) {
      throw Error::Format("{}: sparse tensors are not supported", tensor->name);
    }
    tensor->type = TypeOf(source.type);
    const auto shape = Values(source.dims);
    tensor->shape.assign(shape.begin(), shape.end());
    tensor->is_variable = source.is_variable;
    tensor->quantization = QuantizationOf(source);
    if (IsConstant(source)) {
      tensor->buffer = static_cast<std::uint32_t>(model_.buffers.size());
      auto buffer = std::make_unique<schema::BufferT>();
      buffer->data.assign(source.data, source.data + source.bytes);
      model_.buffers.push_back(std::move(buffer));
    }
    graph().tensors.push_back(std::move(tensor));
  }

  void AddOperator(const Operator& source) {
    const BuiltinOperator builtin = CodeOf(source);
    if (LooksOutside(builtin)) {
      throw Error("its variable or its graph is LiteRT's, which a delegate cannot reach");
    }
    auto op = std::make_unique<schema::OperatorT>();
    op->opcode_index = static_cast<std::uint32_t>(model_.operator_codes.size());
    auto code = std::make_unique<schema::OperatorCodeT>();
    code->builtin_code = builtin;
    if (builtin == BuiltinOperator::CUSTOM) {
      const auto* const options = static_cast<const std::uint8_t*>(source.node.custom_initial_data);
      code->custom_code = source.registration.custom_name;
      op->custom_options.assign(options, options + source.node.custom_initial_data_size);
    } else {
      op->builtin_options = OptionsOf(builtin, source.node.builtin_data);
    }
    model_.operator_codes.push_back(std::move(code));
    op->inputs = Tensors(Values(source.node.inputs));
    op->outputs = Tensors(Values(source.node.outputs));
    graph().operators.push_back(std::move(op));
  }

  TfLiteContext& context_;
  schema::ModelT model_;
  std::map<int, std::int32_t> places_;  // Of tensors in the file, by LiteRT's indices.
};

}  // namespace

Part PartOf(TfLiteContext& context, int node) {
  const Operator op = OperatorAt(context, node);
  const auto outputs = Values(op.node.outputs);
  Part part = {.nodes = {node}, .operators = {op}, .outputs = {outputs.begin(), outputs.end()}};
  Sort(context, Values(op.node.inputs), part);
  return part;
}

Part PartOf(TfLiteContext& context, const TfLiteDelegateParams& params) {
  const auto nodes = Values(params.nodes_to_replace);
  const auto outputs = Values(params.output_tensors);
  Part part = {.nodes = {nodes.begin(), nodes.end()}, .outputs = {outputs.begin(), outputs.end()}};
  for (const int node : nodes) part.operators.push_back(OperatorAt(context, node));
  Sort(context, Values(params.input_tensors), part);
  return part;
}

std::string NameOf(const Part& part) {
  return fmt::format("LiteRT's {} {}", part.nodes.size() == 1 ? "node" : "nodes",
                     fmt::join(part.nodes, ", "));
}

std::vector<std::uint8_t> ModelFile(TfLiteContext& context, const Part& part) {
  return Writer(context).Write(part);
}

}  // namespace tpu::delegate
