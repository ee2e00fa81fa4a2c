// SPDX-License-Identifier: Apache-2.0
// Small models of float32 for tests of training.
#pragma once

#include <cstdint>
#include <vector>

#include "frontends/tflite/import.h"
#include "frontends/tflite/parse.h"
#include "tensor/from_tflite/from_tflite.h"
#include "tests/tflite/model_builder.h"

namespace tpu::training {

/// Numbers between -0.5 and 0.5.
inline std::vector<float> SomeFloats(std::size_t count, std::uint32_t seed) {
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i) {
    seed = seed * 1664525U + 1013904223U;
    values.push_back(static_cast<float>(seed >> 8U) * 0x1p-24F - 0.5F);
  }
  return values;
}

/// Input t0 [1, 4]; FULLY_CONNECTED with weights t1 [5, 4], bias t2 and a RELU makes t3;
/// FULLY_CONNECTED with weights t4 [3, 5] and bias t5 makes t6; with `softmax` SOFTMAX makes t7.
inline tflite::ModelBuilder MlpFile(bool softmax = true) {
  using tflite::BuiltinOperator;
  using tflite::TensorType;
  tflite::ModelBuilder b;
  const std::int32_t x = b.Input({1, 4}, TensorType::FLOAT32);
  const std::int32_t w1 = b.Constant<float>({5, 4}, SomeFloats(20, 1));
  const std::int32_t b1 = b.Constant<float>({5}, SomeFloats(5, 2));
  const std::int32_t hidden = b.Tensor({1, 5}, TensorType::FLOAT32);
  tflite::schema::FullyConnectedOptionsT relu;
  relu.fused_activation_function = tflite::schema::ActivationFunctionType::RELU;
  b.Operator(BuiltinOperator::FULLY_CONNECTED, {x, w1, b1}, {hidden}, relu);
  const std::int32_t w2 = b.Constant<float>({3, 5}, SomeFloats(15, 3));
  const std::int32_t b2 = b.Constant<float>({3}, SomeFloats(3, 4));
  const std::int32_t logits = b.Tensor({1, 3}, TensorType::FLOAT32);
  b.Operator(BuiltinOperator::FULLY_CONNECTED, {hidden, w2, b2}, {logits},
             tflite::schema::FullyConnectedOptionsT{});
  if (!softmax) return b;
  const std::int32_t y = b.Tensor({1, 3}, TensorType::FLOAT32);
  tflite::schema::SoftmaxOptionsT options;
  options.beta = 1.0F;
  b.Operator(BuiltinOperator::SOFTMAX, {logits}, {y}, options);
  return b;
}

/// Input [1, 8, 8, 2]; CONV_2D with a RELU; DEPTHWISE_CONV_2D of stride 2; MEAN over the image;
/// FULLY_CONNECTED to 3 classes.
inline tflite::ModelBuilder ConvolutionFile() {
  using tflite::BuiltinOperator;
  using tflite::TensorType;
  namespace schema = tflite::schema;
  tflite::ModelBuilder b;
  const std::int32_t x = b.Input({1, 8, 8, 2}, TensorType::FLOAT32);
  const std::int32_t w1 = b.Constant<float>({6, 3, 3, 2}, SomeFloats(108, 1));
  const std::int32_t b1 = b.Constant<float>({6}, SomeFloats(6, 2));
  const std::int32_t wide = b.Tensor({1, 8, 8, 6}, TensorType::FLOAT32);
  schema::Conv2DOptionsT conv;
  conv.stride_h = conv.stride_w = 1;
  conv.fused_activation_function = schema::ActivationFunctionType::RELU;
  b.Operator(BuiltinOperator::CONV_2D, {x, w1, b1}, {wide}, conv);
  const std::int32_t w2 = b.Constant<float>({1, 3, 3, 6}, SomeFloats(54, 3));
  const std::int32_t b2 = b.Constant<float>({6}, SomeFloats(6, 4));
  const std::int32_t small = b.Tensor({1, 4, 4, 6}, TensorType::FLOAT32);
  schema::DepthwiseConv2DOptionsT depthwise;
  depthwise.stride_h = depthwise.stride_w = 2;
  depthwise.depth_multiplier = 1;
  b.Operator(BuiltinOperator::DEPTHWISE_CONV_2D, {wide, w2, b2}, {small}, depthwise);
  const std::int32_t mean = b.Tensor({1, 6}, TensorType::FLOAT32);
  b.Operator(BuiltinOperator::MEAN, {small, b.Integers({1, 2})}, {mean}, schema::ReducerOptionsT{});
  const std::int32_t w3 = b.Constant<float>({3, 6}, SomeFloats(18, 5));
  const std::int32_t b3 = b.Constant<float>({3}, SomeFloats(3, 6));
  const std::int32_t y = b.Tensor({1, 3}, TensorType::FLOAT32);
  b.Operator(BuiltinOperator::FULLY_CONNECTED, {mean, w3, b3}, {y},
             schema::FullyConnectedOptionsT{});
  return b;
}

inline ir::Graph GraphOf(const tflite::ModelBuilder& builder) {
  return tflite::Import(tflite::Parse(builder.File(), "model.tflite"));
}

}  // namespace tpu::training
