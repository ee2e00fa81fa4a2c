// SPDX-License-Identifier: Apache-2.0
// Writes TensorFlow Lite models for tests, valid or not.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "frontends/tflite/schema_generated.h"

namespace tpu::tflite {

using Bytes = std::vector<std::uint8_t>;
using schema::BuiltinOperator;
using schema::TensorType;

template <typename T>
constexpr TensorType TypeOf() {
  if constexpr (std::is_same_v<T, std::int8_t>) return TensorType::INT8;
  if constexpr (std::is_same_v<T, std::int16_t>) return TensorType::INT16;
  if constexpr (std::is_same_v<T, std::int32_t>) return TensorType::INT32;
  if constexpr (std::is_same_v<T, std::int64_t>) return TensorType::INT64;
  if constexpr (std::is_same_v<T, float>) return TensorType::FLOAT32;
}

/// A model in the terms of the file format, grown tensor by tensor. Nothing is checked.
class ModelBuilder {
 public:
  ModelBuilder() {
    model_.version = 3;
    model_.subgraphs.push_back(std::make_unique<schema::SubGraphT>());
    model_.buffers.push_back(std::make_unique<schema::BufferT>());  // By convention empty.
  }

  schema::ModelT& model() { return model_; }
  schema::SubGraphT& graph() { return *model_.subgraphs[0]; }
  schema::TensorT& tensor(std::int32_t i) {
    return *graph().tensors.at(static_cast<std::size_t>(i));
  }
  schema::OperatorT& op(std::size_t i) { return *graph().operators.at(i); }

  /// An activation; named t0, t1... in the order of calls, as constants are.
  std::int32_t Tensor(std::vector<std::int32_t> shape, TensorType type = TensorType::INT8,
                      float scale = 0.5F, std::int64_t zero_point = 3) {
    auto tensor = std::make_unique<schema::TensorT>();
    tensor->name = "t" + std::to_string(graph().tensors.size());
    tensor->shape = std::move(shape);
    tensor->type = type;
    if (type != TensorType::FLOAT32) {
      tensor->quantization = std::make_unique<schema::QuantizationParametersT>();
      tensor->quantization->scale = {scale};
      tensor->quantization->zero_point = {zero_point};
    }
    graph().tensors.push_back(std::move(tensor));
    return static_cast<std::int32_t>(graph().tensors.size()) - 1;
  }

  std::int32_t Input(std::vector<std::int32_t> shape, TensorType type = TensorType::INT8) {
    graph().inputs.push_back(Tensor(std::move(shape), type));
    return graph().inputs.back();
  }

  template <typename T>
  std::int32_t Constant(const std::vector<std::int32_t>& shape, const std::vector<T>& values) {
    const std::int32_t id = Tensor(shape, TypeOf<T>(), 0.25F, 0);
    auto buffer = std::make_unique<schema::BufferT>();
    buffer->data.resize(values.size() * sizeof(T));
    std::memcpy(buffer->data.data(), values.data(), buffer->data.size());
    tensor(id).buffer = static_cast<std::uint32_t>(model_.buffers.size());
    model_.buffers.push_back(std::move(buffer));
    return id;
  }
  std::int32_t Integers(const std::vector<std::int32_t>& values) {
    return Constant<std::int32_t>({static_cast<std::int32_t>(values.size())}, values);
  }
  /// int8 weights of alternating ones and minus ones, with a scale for each index of `axis`.
  std::int32_t Weights(const std::vector<std::int32_t>& shape, std::size_t axis) {
    std::size_t elements = 1;
    for (const std::int32_t d : shape) elements *= static_cast<std::size_t>(d);
    std::vector<std::int8_t> values(elements, 1);
    for (std::size_t i = 0; i < elements; i += 2) values[i] = -1;
    const std::int32_t id = Constant(shape, values);
    schema::QuantizationParametersT& q = *tensor(id).quantization;
    q.scale.assign(static_cast<std::size_t>(shape[axis]), 0.125F);
    q.zero_point.assign(q.scale.size(), 0);
    q.quantized_dimension = static_cast<std::int32_t>(axis);
    return id;
  }

  void Operator(BuiltinOperator code, std::vector<std::int32_t> inputs,
                std::vector<std::int32_t> outputs) {
    auto op = std::make_unique<schema::OperatorT>();
    op->opcode_index = CodeIndex(code);
    op->inputs = std::move(inputs);
    op->outputs = std::move(outputs);
    graph().outputs = op->outputs;
    graph().operators.push_back(std::move(op));
  }
  template <typename Options>
  void Operator(BuiltinOperator code, std::vector<std::int32_t> inputs,
                std::vector<std::int32_t> outputs, Options options) {
    Operator(code, std::move(inputs), std::move(outputs));
    graph().operators.back()->builtin_options.Set(std::move(options));
  }

  /// The file. Outputs are those of the last operator.
  Bytes File() const {
    flatbuffers::FlatBufferBuilder builder;
    schema::FinishModelBuffer(builder, schema::Model::Pack(builder, &model_));
    return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
  }

 private:
  std::uint32_t CodeIndex(BuiltinOperator code) {
    auto entry = std::make_unique<schema::OperatorCodeT>();
    entry->builtin_code = code;
    entry->deprecated_builtin_code =
        static_cast<std::int8_t>(std::min(static_cast<int>(code), 127));
    model_.operator_codes.push_back(std::move(entry));
    return static_cast<std::uint32_t>(model_.operator_codes.size()) - 1;
  }

  schema::ModelT model_;
};

/// Input t0 [1, 4, 4, 2]; op0 CONV_2D with weights t1 and bias t2 makes t3 [1, 4, 4, 4]; op1
/// RESHAPE with shape t4 makes t5 [1, 64]; op2 FULLY_CONNECTED with weights t6 and no bias makes t7
/// [1, 3]; op3 SOFTMAX makes the output t8.
inline ModelBuilder SampleModel() {
  ModelBuilder b;
  const std::int32_t x = b.Input({1, 4, 4, 2});
  const std::int32_t weights = b.Weights({4, 3, 3, 2}, 0);
  const std::int32_t bias = b.Integers({1, -2, 3, -4});
  const std::int32_t y = b.Tensor({1, 4, 4, 4});
  schema::Conv2DOptionsT conv;
  conv.stride_h = conv.stride_w = 1;
  conv.fused_activation_function = schema::ActivationFunctionType::RELU;
  b.Operator(BuiltinOperator::CONV_2D, {x, weights, bias}, {y}, conv);
  const std::int32_t shape = b.Integers({1, -1});
  const std::int32_t flat = b.Tensor({1, 64});
  b.Operator(BuiltinOperator::RESHAPE, {y, shape}, {flat}, schema::ReshapeOptionsT{});
  const std::int32_t dense = b.Weights({3, 64}, 0);
  const std::int32_t logits = b.Tensor({1, 3});
  b.Operator(BuiltinOperator::FULLY_CONNECTED, {flat, dense, -1}, {logits},
             schema::FullyConnectedOptionsT{});
  const std::int32_t probabilities = b.Tensor({1, 3}, TensorType::INT8, 1.0F / 256, -128);
  schema::SoftmaxOptionsT softmax;
  softmax.beta = 1.0F;
  b.Operator(BuiltinOperator::SOFTMAX, {logits}, {probabilities}, softmax);
  return b;
}

}  // namespace tpu::tflite
