// SPDX-License-Identifier: Apache-2.0
// What files may say of tensors of int16.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "frontends/tflite/import.h"
#include "frontends/tflite/parse.h"
#include "model_builder.h"

namespace tpu::tflite {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr TensorType kInt16 = TensorType::INT16;

ir::Graph Imported(const Bytes& file) { return tflite::Import(Parse(file, "x.tflite")); }
ir::Graph Imported(const ModelBuilder& b) { return Imported(b.File()); }

std::string RefusalOf(const ModelBuilder& b) {
  try {
    Imported(b);
    return "accepted";
  } catch (const Error& error) {
    return error.what();
  }
}

std::int32_t Words(ModelBuilder& b, std::vector<std::int32_t> shape) {
  return b.Tensor(std::move(shape), kInt16, 0.5F, 0);
}

std::int32_t WordInput(ModelBuilder& b, std::vector<std::int32_t> shape) {
  b.graph().inputs.push_back(Words(b, std::move(shape)));
  return b.graph().inputs.back();
}

// A product of one row and two channels.
template <typename T>
ModelBuilder Product(const std::vector<T>& bias) {
  ModelBuilder b;
  const std::int32_t x = WordInput(b, {1, 3});
  b.Operator(BuiltinOperator::FULLY_CONNECTED, {x, b.Weights({2, 3}, 0), b.Constant<T>({2}, bias)},
             {Words(b, {1, 2})}, schema::FullyConnectedOptionsT());
  return b;
}

template <typename T>
ModelBuilder Convolution(const std::vector<T>& bias) {
  ModelBuilder b;
  schema::Conv2DOptionsT options;
  options.stride_h = options.stride_w = 1;
  const std::int32_t x = WordInput(b, {1, 1, 1, 3});
  b.Operator(BuiltinOperator::CONV_2D, {x, b.Weights({2, 1, 1, 3}, 0), b.Constant<T>({2}, bias)},
             {Words(b, {1, 1, 1, 2})}, options);
  return b;
}

template <typename T>
ModelBuilder Depthwise(const std::vector<T>& bias) {
  ModelBuilder b;
  schema::DepthwiseConv2DOptionsT options;
  options.stride_h = options.stride_w = 1;
  const std::int32_t x = WordInput(b, {1, 1, 1, 2});
  b.Operator(BuiltinOperator::DEPTHWISE_CONV_2D,
             {x, b.Weights({1, 1, 1, 2}, 3), b.Constant<T>({2}, bias)}, {Words(b, {1, 1, 1, 2})},
             options);
  return b;
}

template <typename T>
ModelBuilder Transposed(const std::vector<T>& bias) {
  ModelBuilder b;
  schema::TransposeConvOptionsT options;
  options.stride_h = options.stride_w = 1;
  const std::int32_t shape = b.Integers({1, 1, 1, 2});
  const std::int32_t weights = b.Weights({2, 1, 1, 3}, 0);
  const std::int32_t x = WordInput(b, {1, 1, 1, 3});
  b.Operator(BuiltinOperator::TRANSPOSE_CONV, {shape, weights, x, b.Constant<T>({2}, bias)},
             {Words(b, {1, 1, 1, 2})}, options);
  return b;
}

TEST(ImportInt16, BiasesAreInt64) {
  constexpr std::int64_t kBig = std::int64_t{1} << 40;
  const std::vector<std::int64_t> bias = {kBig, -kBig};
  for (const Bytes& file : {Product(bias).File(), Convolution(bias).File(), Depthwise(bias).File(),
                            Transposed(bias).File()}) {
    const ir::Graph graph = Imported(file);
    const ir::Tensor& tensor = graph.tensors[graph.operators.at(0).inputs.at(2)];
    EXPECT_THAT(std::get<std::vector<std::int64_t>>(tensor.data), ElementsAre(kBig, -kBig));
  }
}

// Which make sums of int32 in TensorFlow Lite; its other kernels read them as int64.
TEST(ImportInt16, SomeBiasesMayBeInt32) {
  const std::vector<std::int32_t> bias = {1, -2};
  for (const Bytes& file : {Product(bias).File(), Convolution(bias).File()}) {
    EXPECT_EQ(Imported(file).operators.size(), 1U);
  }
  EXPECT_THAT(RefusalOf(Depthwise(bias)),
              HasSubstr("bias t2 is int32; on int16 only int64 is supported"));
  EXPECT_THAT(RefusalOf(Transposed(bias)),
              HasSubstr("bias t3 is int32; on int16 only int64 is supported"));
  EXPECT_THAT(RefusalOf(Product<std::int16_t>({1, 2})),
              HasSubstr("bias t2 is int16; on int16 only int64 or int32 is supported"));
}

TEST(ImportInt16, OfInt8ActivationsBiasesAreInt32Alone) {
  ModelBuilder b = Product<std::int64_t>({1, 2});
  b.tensor(0).type = b.tensor(3).type = TensorType::INT8;
  EXPECT_THAT(RefusalOf(b), HasSubstr("bias t2 is int64; only int32 is supported"));
}

TEST(ImportInt16, ZeroPointsAreZero) {
  ModelBuilder b = Product<std::int64_t>({1, 2});
  b.tensor(0).quantization->zero_point = {3};
  EXPECT_THAT(RefusalOf(b), HasSubstr("t0 is int16 with zero point 3; it must be 0"));
  b = Product<std::int64_t>({1, 2});
  b.tensor(3).quantization->zero_point = {-1};
  EXPECT_THAT(RefusalOf(b), HasSubstr("t3 is int16 with zero point -1; it must be 0"));
}

TEST(ImportInt16, WeightsAreInt8) {
  ModelBuilder b = Product<std::int64_t>({1, 2});
  b.tensor(1).type = kInt16;
  b.tensor(1).shape = {2, 3};
  b.model().buffers[b.tensor(1).buffer]->data.resize(12);
  EXPECT_THAT(RefusalOf(b), HasSubstr("weights t1 are int16; only int8 is supported"));
}

TEST(ImportInt16, TypesOfOneOperatorAgree) {
  ModelBuilder b;
  const std::int32_t x = WordInput(b, {2});
  b.Operator(BuiltinOperator::ADD, {x, b.Input({2})}, {Words(b, {2})}, schema::AddOptionsT());
  EXPECT_THAT(RefusalOf(b), HasSubstr("t0 is int16 and t1 is int8"));
}

TEST(ImportInt16, QuantizeTakesAnyZeroPoint) {
  ModelBuilder b;
  const std::int32_t x = WordInput(b, {2});
  b.Operator(BuiltinOperator::QUANTIZE, {x}, {b.Tensor({2}, kInt16, 0.25F, -32768)});
  EXPECT_EQ(Imported(b).tensors[1].zero_point, -32768);
}

TEST(ImportInt16, PaddingHasItsValue) {
  ModelBuilder b;
  const std::int32_t x = WordInput(b, {2});
  b.Operator(BuiltinOperator::PADV2,
             {x, b.Constant<std::int32_t>({1, 2}, {1, 0}), b.Constant<std::int16_t>({1}, {-1234})},
             {Words(b, {3})});
  EXPECT_EQ(std::get<ir::Pad>(Imported(b).operators.at(0).attributes).fill, -1234);
}

}  // namespace
}  // namespace tpu::tflite
