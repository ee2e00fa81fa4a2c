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

inline ir::Graph GraphOf(const tflite::ModelBuilder& builder) {
  return tflite::Import(tflite::Parse(builder.File(), "model.tflite"));
}

}  // namespace tpu::training
