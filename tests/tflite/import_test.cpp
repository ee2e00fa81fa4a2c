// SPDX-License-Identifier: Apache-2.0
// What operators of a file become in the graph.
#include "frontends/tflite/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "frontends/tflite/parse.h"
#include "model_builder.h"

namespace tpu::tflite {
namespace {

using ir::Graph;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Graph ImportOf(const ModelBuilder& b) { return tflite::Import(Parse(b.File(), "x.tflite")); }

void ExpectRefused(const ModelBuilder& b, const std::string& message) {
  try {
    ImportOf(b);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(message));
  }
}

template <typename Attributes>
const Attributes& Only(const Graph& graph) {
  EXPECT_EQ(graph.operators.size(), 1U);
  return std::get<Attributes>(graph.operators.at(0).attributes);
}

TEST(Import, Sample) {
  const Graph graph = ImportOf(SampleModel());
  ASSERT_EQ(graph.operators.size(), 4U);
  EXPECT_THAT(graph.inputs, ElementsAre(0));
  EXPECT_THAT(graph.outputs, ElementsAre(8));
  EXPECT_EQ(graph.operators[0].name, "op0");
  EXPECT_THAT(graph.operators[0].inputs, ElementsAre(0, 1, 2));
  EXPECT_THAT(graph.operators[0].outputs, ElementsAre(3));
  EXPECT_THAT(graph.operators[1].inputs, ElementsAre(3));
  EXPECT_THAT(graph.operators[2].inputs, ElementsAre(5, 6));
  const auto& conv = std::get<ir::Conv2D>(graph.operators[0].attributes);
  EXPECT_EQ(conv.padding.top, 1);
  EXPECT_EQ(conv.padding.right, 1);
  EXPECT_EQ(conv.activation, ir::Activation::kRelu);
  EXPECT_EQ(graph.tensors[0].scale, 0.5F);
  EXPECT_EQ(graph.tensors[0].zero_point, 3);
  EXPECT_THAT(graph.tensors[1].channel_scales, ElementsAre(0.125F, 0.125F, 0.125F, 0.125F));
  EXPECT_EQ(std::get<std::vector<std::int8_t>>(graph.tensors[1].data).at(0), -1);
  EXPECT_THAT(std::get<std::vector<std::int32_t>>(graph.tensors[2].data),
              ElementsAre(1, -2, 3, -4));
}

TEST(Import, ContentsBehindTheFlatbuffer) {
  ModelBuilder b = SampleModel();
  schema::BufferT& bias = *b.model().buffers[2];
  const Bytes contents = bias.data;
  bias.data.clear();
  // Any number, so that the field has its place in the file, whose size is then known.
  bias.offset = 2;
  bias.size = contents.size();
  bias.offset = b.File().size();
  Bytes file = b.File();
  file.insert(file.end(), contents.begin(), contents.end());
  const Graph graph = tflite::Import(Parse(file, "x.tflite"));
  EXPECT_THAT(std::get<std::vector<std::int32_t>>(graph.tensors[2].data),
              ElementsAre(1, -2, 3, -4));
}

TEST(Import, OddPaddingGoesToTheBottomAndRight) {
  ModelBuilder b;
  schema::DepthwiseConv2DOptionsT options;
  options.stride_h = options.stride_w = 2;
  b.Operator(BuiltinOperator::DEPTHWISE_CONV_2D,
             {b.Input({1, 4, 5, 2}), b.Weights({1, 3, 4, 6}, 3)}, {b.Tensor({1, 2, 3, 6})},
             options);
  const auto graph = ImportOf(b);
  const auto& padding = Only<ir::DepthwiseConv2D>(graph).padding;
  EXPECT_EQ(padding.top, 0);
  EXPECT_EQ(padding.bottom, 1);
  EXPECT_EQ(padding.left, 1);
  EXPECT_EQ(padding.right, 2);
}

TEST(Import, GroupedConvolution) {
  ModelBuilder b;
  schema::Conv2DOptionsT options;
  options.stride_h = options.stride_w = 1;
  options.padding = schema::Padding::VALID;
  options.dilation_h_factor = 2;
  b.Operator(BuiltinOperator::CONV_2D, {b.Input({2, 6, 3, 8}), b.Weights({4, 3, 1, 2}, 0)},
             {b.Tensor({2, 2, 3, 4})}, options);
  const auto graph = ImportOf(b);
  EXPECT_EQ(Only<ir::Conv2D>(graph).dilation.h, 2);
  EXPECT_EQ(Only<ir::Conv2D>(graph).dilation.w, 1);
}

TEST(Import, TransposeConv) {
  for (const auto padding : {schema::Padding::SAME, schema::Padding::VALID}) {
    ModelBuilder b;
    schema::TransposeConvOptionsT options;
    options.padding = padding;
    options.stride_h = options.stride_w = 2;
    const std::int32_t size = padding == schema::Padding::SAME ? 8 : 9;
    b.Operator(BuiltinOperator::TRANSPOSE_CONV,
               {b.Integers({1, size, size, 5}), b.Weights({5, 3, 3, 2}, 0), b.Input({1, 4, 4, 2}),
                b.Integers({1, 2, 3, 4, 5})},
               {b.Tensor({1, size, size, 5})}, options);
    const Graph graph = ImportOf(b);
    const auto& op = Only<ir::TransposeConv>(graph);
    EXPECT_THAT(graph.operators[0].inputs, ElementsAre(2, 1, 3));
    EXPECT_EQ(op.padding.top, 0);
    EXPECT_EQ(op.padding.bottom, padding == schema::Padding::SAME ? 1 : 0);
  }
}

TEST(Import, FullyConnectedKeepsDimensions) {
  ModelBuilder b;
  schema::FullyConnectedOptionsT options;
  options.keep_num_dims = true;
  b.Operator(BuiltinOperator::FULLY_CONNECTED, {b.Input({2, 3, 4}), b.Weights({5, 4}, 0)},
             {b.Tensor({2, 3, 5})}, options);
  Only<ir::FullyConnected>(ImportOf(b));
}

TEST(Import, BroadcastsBinaryOperands) {
  ModelBuilder b;
  b.Operator(BuiltinOperator::ADD,
             {b.Input({2, 1, 3}), b.Constant<std::int8_t>({4, 1}, {1, 2, 3, 4})},
             {b.Tensor({2, 4, 3})}, schema::AddOptionsT{});
  EXPECT_EQ(Only<ir::Binary>(ImportOf(b)).kind, ir::BinaryKind::kAdd);
  b.tensor(1).shape = {2, 2};
  ExpectRefused(b, "[2, 1, 3] and [2, 2] do not broadcast");
}

TEST(Import, Reduce) {
  for (const bool keep : {false, true}) {
    ModelBuilder b;
    schema::ReducerOptionsT options;
    options.keep_dims = keep;
    b.Operator(BuiltinOperator::MEAN, {b.Input({1, 4, 5, 6}), b.Integers({-2, 1, 2})},
               {keep ? b.Tensor({1, 1, 1, 6}) : b.Tensor({1, 6})}, options);
    const auto graph = ImportOf(b);
    EXPECT_THAT(Only<ir::Reduce>(graph).axes, ElementsAre(1, 2));
    b.op(0).inputs[1] = b.Integers({4});
    ExpectRefused(b, "op0 (MEAN): there is no axis 4 among 4 dimensions");
  }
}

TEST(Import, ArgMaxAndUnary) {
  ModelBuilder b;
  const std::int32_t x = b.Tensor({2, 3, 4});
  b.Operator(BuiltinOperator::RELU6, {b.Input({2, 3, 4})}, {x});
  b.Operator(BuiltinOperator::ARG_MAX, {x, b.Integers({-2})},
             {b.Tensor({2, 4}, TensorType::INT64)});
  b.tensor(2).shape = {};
  const Graph graph = ImportOf(b);
  ASSERT_EQ(graph.operators.size(), 2U);
  EXPECT_EQ(std::get<ir::Unary>(graph.operators[0].attributes).kind, ir::UnaryKind::kRelu6);
  EXPECT_EQ(std::get<ir::ArgMax>(graph.operators[1].attributes).axis, 1);
}

TEST(Import, PadWithAndWithoutValue) {
  ModelBuilder b;
  const std::int32_t paddings = b.Constant<std::int64_t>({3, 2}, {0, 0, 1, 2, 0, 3});
  const std::int32_t y = b.Tensor({1, 5, 6});
  b.Operator(BuiltinOperator::PAD, {b.Input({1, 2, 3}), paddings}, {y});
  b.Operator(BuiltinOperator::PADV2, {y, paddings, b.Constant<std::int8_t>({1}, {-7})},
             {b.Tensor({1, 8, 9})});
  const Graph graph = ImportOf(b);
  const auto& pad = std::get<ir::Pad>(graph.operators.at(0).attributes);
  EXPECT_THAT(pad.before, ElementsAre(0, 1, 0));
  EXPECT_THAT(pad.after, ElementsAre(0, 2, 3));
  EXPECT_EQ(pad.fill, 3);
  EXPECT_EQ(std::get<ir::Pad>(graph.operators.at(1).attributes).fill, -7);
}

TEST(Import, ConcatenationAndSplits) {
  ModelBuilder b;
  schema::ConcatenationOptionsT options;
  options.axis = -1;
  const std::int32_t x = b.Input({2, 1});
  const std::int32_t joined = b.Tensor({2, 6});
  b.Operator(BuiltinOperator::CONCATENATION, {x, b.Input({2, 5})}, {joined}, options);
  const std::int32_t half = b.Tensor({2, 3});
  b.Operator(BuiltinOperator::SPLIT, {b.Integers({1}), joined}, {half, b.Tensor({2, 3})});
  b.Operator(BuiltinOperator::SPLIT_V, {half, b.Integers({1, -1}), b.Integers({-1})},
             {b.Tensor({2, 1}), b.Tensor({2, 2})});
  const Graph graph = ImportOf(b);
  ASSERT_EQ(graph.operators.size(), 3U);
  EXPECT_EQ(std::get<ir::Concatenation>(graph.operators[0].attributes).axis, 1);
  EXPECT_EQ(std::get<ir::SplitAxis>(graph.operators[1].attributes).axis, 1);
  EXPECT_EQ(graph.operators[2].outputs.size(), 2U);
  b.tensor(x).quantization->scale[0] = 0.75F;
  ExpectRefused(b, "op0 (CONCATENATION): t0 and t1 must have the same scale");
}

struct SliceCase {
  std::vector<std::int32_t> begin, end, strides;
  int begin_mask, end_mask, shrink_mask;
  std::vector<std::int32_t> output;
  std::vector<std::int64_t> from, size;
};

// The input is [4, 5, 6]; what is expected is numpy's.
TEST(Import, StridedSlice) {
  const SliceCase cases[] = {
      {{1, 0, 2}, {3, 5, 6}, {1, 1, 2}, 0, 0, 0, {2, 5, 2}, {1, 0, 2}, {2, 5, 2}},
      {{-3, 0, 0}, {-1, 5, 6}, {1, 1, 1}, 0, 0, 0, {2, 5, 6}, {1, 0, 0}, {2, 5, 6}},
      {{3, 2, 5}, {0, 3, 0}, {-1, 1, -2}, 0, 0, 0, {3, 1, 3}, {3, 2, 5}, {3, 1, 3}},
      {{0, 1, 0}, {0, 0, 0}, {1, 1, 1}, 1, 7, 2, {4, 6}, {0, 1, 0}, {4, 1, 6}},
      {{0, -1, 0}, {9, 0, 99}, {1, 1, 1}, 0, 0, 2, {4, 6}, {0, 4, 0}, {4, 1, 6}},
      {{2}, {4}, {1}, 0, 0, 0, {2, 5, 6}, {2, 0, 0}, {2, 5, 6}},
      {{0, 0, 0}, {0, 0, 0}, {-1, 1, 1}, 1, 7, 0, {4, 5, 6}, {3, 0, 0}, {4, 5, 6}},
  };
  for (const SliceCase& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.begin));
    ModelBuilder b;
    schema::StridedSliceOptionsT options;
    options.begin_mask = c.begin_mask;
    options.end_mask = c.end_mask;
    options.shrink_axis_mask = c.shrink_mask;
    b.Operator(BuiltinOperator::STRIDED_SLICE,
               {b.Input({4, 5, 6}), b.Integers(c.begin), b.Integers(c.end), b.Integers(c.strides)},
               {b.Tensor(c.output)}, options);
    const auto graph = ImportOf(b);
    EXPECT_EQ(Only<ir::Slice>(graph).begin, c.from);
    EXPECT_EQ(Only<ir::Slice>(graph).size, c.size);
  }
}

TEST(Import, SliceOutsideIsRefused) {
  ModelBuilder b;
  const std::int32_t begin = b.Integers({0, 2});
  b.Operator(BuiltinOperator::SLICE, {b.Input({4, 5}), begin, b.Integers({4, -1})},
             {b.Tensor({4, 3})});
  const auto graph = ImportOf(b);
  EXPECT_THAT(Only<ir::Slice>(graph).size, ElementsAre(4, 3));
  b.model().buffers[1]->data[4] = 6;
  ExpectRefused(b, "op0 (SLICE): begin 6 is outside a dimension of 5");
}

TEST(Import, PackTransposeGatherUnpack) {
  ModelBuilder b;
  schema::PackOptionsT pack;
  pack.axis = -1;
  pack.values_count = 2;
  const std::int32_t packed = b.Tensor({2, 3, 2});
  b.Operator(BuiltinOperator::PACK, {b.Input({2, 3}), b.Input({2, 3})}, {packed}, pack);
  const std::int32_t turned = b.Tensor({2, 2, 3});
  const std::int32_t permutation = b.Integers({2, 0, 1});
  b.Operator(BuiltinOperator::TRANSPOSE, {packed, permutation}, {turned});
  const std::int32_t gathered = b.Tensor({2, 2, 2});
  schema::GatherOptionsT gather;
  gather.axis = 2;
  b.Operator(BuiltinOperator::GATHER, {turned, b.Integers({2, 0})}, {gathered}, gather);
  schema::UnpackOptionsT unpack;
  unpack.num = 2;
  b.Operator(BuiltinOperator::UNPACK, {gathered}, {b.Tensor({2, 2}), b.Tensor({2, 2})}, unpack);
  const Graph graph = ImportOf(b);
  ASSERT_EQ(graph.operators.size(), 4U);
  EXPECT_EQ(std::get<ir::Pack>(graph.operators[0].attributes).axis, 2);
  EXPECT_THAT(std::get<ir::Transpose>(graph.operators[1].attributes).permutation,
              ElementsAre(2, 0, 1));
  EXPECT_THAT(std::get<ir::Gather>(graph.operators[2].attributes).indices, ElementsAre(2, 0));
  std::vector<std::uint8_t>& axes = b.model().buffers[b.tensor(permutation).buffer]->data;
  axes[0] = 1;
  ExpectRefused(b, "op1 (TRANSPOSE): [1, 0, 1] is no permutation of 3 axes");
  axes[0] = 2;
  b.tensor(permutation).shape = {4};
  axes.resize(16);
  ExpectRefused(b, "op1 (TRANSPOSE): [2, 0, 1, 0] is no permutation of 3 axes");
}

TEST(Import, SpaceToBatchAndBack) {
  ModelBuilder b;
  const std::int32_t block = b.Integers({2, 3});
  const std::int32_t paddings = b.Integers({1, 0, 0, 2});
  b.tensor(paddings).shape = {2, 2};
  const std::int32_t batch = b.Tensor({6, 3, 2, 5});
  b.Operator(BuiltinOperator::SPACE_TO_BATCH_ND, {b.Input({1, 5, 4, 5}), block, paddings}, {batch});
  b.Operator(BuiltinOperator::BATCH_TO_SPACE_ND, {batch, block, paddings},
             {b.Tensor({1, 5, 4, 5})});
  const Graph graph = ImportOf(b);
  ASSERT_EQ(graph.operators.size(), 2U);
  for (const std::size_t i : {0U, 1U}) {
    const auto& op = std::get<ir::SpaceToBatch>(graph.operators[i].attributes);
    EXPECT_THAT(op.block, ElementsAre(2, 3));
    EXPECT_THAT(op.before, ElementsAre(1, 0));
    EXPECT_EQ(op.inverse, i == 1);
  }
  b.model().buffers[b.tensor(block).buffer]->data[4] = 4;
  ExpectRefused(b, "op0 (SPACE_TO_BATCH_ND): axis 2 with its paddings, 6, is no multiple of 4");
  b.model().buffers[b.tensor(block).buffer]->data[4] = 0;
  ExpectRefused(b, "op0 (SPACE_TO_BATCH_ND): a block size is 0 instead of 1 to 255");
}

TEST(Import, BatchToSpaceNeedsWholeBlocks) {
  ModelBuilder b;
  const std::int32_t crops = b.Integers({4, 3});
  b.tensor(crops).shape = {1, 2};
  const std::int32_t block = b.Integers({2});
  b.Operator(BuiltinOperator::BATCH_TO_SPACE_ND, {b.Input({4, 4, 3}), block, crops},
             {b.Tensor({2, 1, 3})});
  EXPECT_THAT(Only<ir::SpaceToBatch>(ImportOf(b)).before, ElementsAre(4, 0));
  std::vector<std::uint8_t>& margins = b.model().buffers[b.tensor(crops).buffer]->data;
  margins[0] = 5;
  ExpectRefused(b, "op0 (BATCH_TO_SPACE_ND): the crops leave nothing of axis 1");
  margins[3] = 0x80;
  ExpectRefused(b, "op0 (BATCH_TO_SPACE_ND): one of the crops is -2147483643");
  margins[3] = 0;
  b.model().buffers[b.tensor(block).buffer]->data[0] = 3;
  ExpectRefused(b, "is no multiple of the blocks");
}

TEST(Import, SpaceToDepthAndBack) {
  ModelBuilder b;
  schema::SpaceToDepthOptionsT options;
  options.block_size = 2;
  const std::int32_t depth = b.Tensor({1, 2, 3, 20});
  b.Operator(BuiltinOperator::SPACE_TO_DEPTH, {b.Input({1, 4, 6, 5})}, {depth}, options);
  schema::DepthToSpaceOptionsT back;
  back.block_size = 2;
  b.Operator(BuiltinOperator::DEPTH_TO_SPACE, {depth}, {b.Tensor({1, 4, 6, 5})}, back);
  const Graph graph = ImportOf(b);
  ASSERT_EQ(graph.operators.size(), 2U);
  EXPECT_FALSE(std::get<ir::SpaceToDepth>(graph.operators[0].attributes).inverse);
  EXPECT_TRUE(std::get<ir::SpaceToDepth>(graph.operators[1].attributes).inverse);
  b.model().subgraphs[0]->operators[0]->builtin_options.AsSpaceToDepthOptions()->block_size = 3;
  ExpectRefused(b, "op0 (SPACE_TO_DEPTH): 4 x 6 pixels are no multiple of 3");
}

TEST(Import, Tile) {
  ModelBuilder b;
  const std::int32_t multiples = b.Integers({2, 3});
  b.Operator(BuiltinOperator::TILE, {b.Input({4, 5}), multiples}, {b.Tensor({8, 15})});
  EXPECT_THAT(Only<ir::Replicate>(ImportOf(b)).multiples, ElementsAre(2, 3));
  b.model().buffers[b.tensor(multiples).buffer]->data[0] = 0;
  ExpectRefused(b, "op0 (TILE): a multiple is 0");
}

TEST(Import, Resize) {
  ModelBuilder b;
  schema::ResizeBilinearOptionsT options;
  options.half_pixel_centers = true;
  b.Operator(BuiltinOperator::RESIZE_BILINEAR, {b.Input({1, 4, 4, 3}), b.Integers({8, 6})},
             {b.Tensor({1, 8, 6, 3})}, options);
  const auto graph = ImportOf(b);
  EXPECT_TRUE(Only<ir::Resize>(graph).half_pixel_centers);
  EXPECT_FALSE(Only<ir::Resize>(graph).align_corners);
}

TEST(Import, QuantizeAndDequantize) {
  ModelBuilder b;
  const std::int32_t x = b.Tensor({2});
  b.Operator(BuiltinOperator::QUANTIZE, {b.Input({2}, TensorType::FLOAT32)}, {x});
  b.Operator(BuiltinOperator::DEQUANTIZE, {x}, {b.Tensor({2}, TensorType::FLOAT32)});
  const Graph graph = ImportOf(b);
  EXPECT_EQ(graph.operators.size(), 2U);
  EXPECT_EQ(graph.tensors[graph.inputs[0]].type, ElementType::kFloat32);
}

constexpr TensorType kFloat = TensorType::FLOAT32;

TEST(Import, FloatModelsKeepTheirNumbers) {
  ModelBuilder b;
  const std::int32_t weights = b.Constant<float>({2, 3}, {1, 2, 3, 4, 5, 6.5F});
  const std::int32_t bias = b.Constant<float>({2}, {0.5F, -1});
  b.Operator(BuiltinOperator::FULLY_CONNECTED, {b.Input({1, 3}, kFloat), weights, bias},
             {b.Tensor({1, 2}, kFloat)}, schema::FullyConnectedOptionsT());
  const Graph graph = ImportOf(b);
  const ir::Operator& op = graph.operators.at(0);
  EXPECT_EQ(std::get<std::vector<float>>(graph.tensors[op.inputs[1]].data)[5], 6.5F);
  EXPECT_EQ(std::get<std::vector<float>>(graph.tensors[op.inputs[2]].data)[1], -1.0F);
  EXPECT_EQ(graph.tensors[op.outputs[0]].type, ElementType::kFloat32);
}

TEST(Import, FloatPaddingHasItsValue) {
  ModelBuilder b;
  b.Operator(BuiltinOperator::PADV2,
             {b.Input({2}, kFloat), b.Constant<std::int32_t>({1, 2}, {1, 0}),
              b.Constant<float>({1}, {-3})},
             {b.Tensor({3}, kFloat)});
  EXPECT_EQ(Only<ir::Pad>(ImportOf(b)).fill, -3);
}

TEST(Import, Quotient) {
  ModelBuilder b;
  schema::DivOptionsT options;
  options.fused_activation_function = schema::ActivationFunctionType::RELU6;
  b.Operator(BuiltinOperator::DIV, {b.Input({2, 3}, kFloat), b.Input({3}, kFloat)},
             {b.Tensor({2, 3}, kFloat)}, options);
  EXPECT_EQ(Only<ir::Divide>(ImportOf(b)).activation, ir::Activation::kRelu6);
}

TEST(Import, ProductOfMatrices) {
  ModelBuilder b;
  schema::BatchMatMulOptionsT options;
  options.adj_y = true;
  const std::int32_t y = b.Tensor({}, kFloat);
  b.Operator(BuiltinOperator::BATCH_MATMUL,
             {b.Input({4, 2, 5}, kFloat), b.Input({1, 3, 5}, kFloat)}, {y}, options);
  const Graph graph = ImportOf(b);
  EXPECT_EQ(Only<ir::BatchMatMul>(graph).transposed, (std::array{false, true}));
  EXPECT_EQ(graph.tensors[static_cast<std::size_t>(y)].shape, (ir::Shape{4, 2, 3}));
}

TEST(Import, ProductOfMatricesOfInt16IsTheHosts) {
  ModelBuilder b;
  schema::BatchMatMulOptionsT options;
  options.adj_x = true;
  const std::int32_t y = b.Tensor({2, 3}, TensorType::INT16, 0.5F, 0);
  b.Operator(BuiltinOperator::BATCH_MATMUL,
             {b.Input({5, 2}, TensorType::INT16), b.Input({5, 3}, TensorType::INT16)}, {y},
             options);
  ExpectRefused(b, "op0 (BATCH_MATMUL)");  // Zero points that are not 0.
  for (const std::int32_t id : b.graph().inputs) b.tensor(id).quantization->zero_point = {0};
  const Graph graph = ImportOf(b);
  const auto& op = Only<ir::HostOperator>(graph).attributes;
  EXPECT_EQ(std::get<host_operators::BatchMatMul>(op).transposed, (std::array{true, false}));
}

TEST(Import, ProductOfMatricesOfInt8) {
  ModelBuilder b;
  const std::int32_t y = b.Tensor({4, 2, 3});
  b.Operator(BuiltinOperator::BATCH_MATMUL, {b.Input({4, 2, 5}), b.Input({5, 3})}, {y},
             schema::BatchMatMulOptionsT());
  EXPECT_EQ(Only<ir::BatchMatMul>(ImportOf(b)).transposed, (std::array{false, false}));
  b.tensor(y).type = kFloat;
  ExpectRefused(b, "op0 (BATCH_MATMUL)");
}

TEST(Import, FunctionsOfInt8) {
  const auto function = [](BuiltinOperator code) {
    ModelBuilder b;
    b.Operator(code, {b.Input({2, 3})}, {b.Tensor({2, 3})});
    return ImportOf(b);
  };
  EXPECT_EQ(Only<ir::Function>(function(BuiltinOperator::ABS)).kind, ir::FunctionKind::kAbsolute);
  EXPECT_EQ(Only<ir::Function>(function(BuiltinOperator::RSQRT)).kind, ir::FunctionKind::kRsqrt);
  EXPECT_EQ(Only<ir::Unary>(function(BuiltinOperator::ELU)).kind, ir::UnaryKind::kElu);
  EXPECT_EQ(function(BuiltinOperator::L2_NORMALIZATION).operators.size(), 1U);
}

TEST(Import, RsqrtOfTooSmallAFactor) {
  ModelBuilder b;
  const std::int32_t y = b.Tensor({2});
  b.Operator(BuiltinOperator::RSQRT, {b.Input({2})}, {y});
  b.tensor(y).quantization->scale = {10000.0F};
  ExpectRefused(b, "op0 (RSQRT): the scales make a factor of 0.000141, which is too small");
}

TEST(Import, SumOfTensors) {
  ModelBuilder b;
  const std::int32_t second = b.Input({2, 3});
  b.Operator(BuiltinOperator::ADD_N, {b.Input({2, 3}), second, b.Input({2, 3})},
             {b.Tensor({2, 3})});
  EXPECT_EQ(ImportOf(b).operators.at(0).inputs.size(), 3U);
  b.tensor(second).quantization->scale = {0.75F};
  ExpectRefused(b, "must have the same scale and zero point");
  b.tensor(second).shape = {3, 2};
  ExpectRefused(b, "must have the same shape");
}

// What Keras writes for Flatten with an open batch: RESHAPE to [SHAPE(x)[0], 6].
TEST(Import, ComputesShapes) {
  ModelBuilder b;
  const std::int32_t x = b.Input({1, 2, 3});
  b.tensor(x).shape_signature = {-1, 2, 3};
  const std::int32_t shape = b.Tensor({3}, TensorType::INT32);
  b.Operator(BuiltinOperator::SHAPE, {x}, {shape});
  const std::int32_t batch = b.Tensor({}, TensorType::INT32);
  schema::StridedSliceOptionsT slice;
  slice.shrink_axis_mask = 1;
  b.Operator(BuiltinOperator::STRIDED_SLICE,
             {shape, b.Integers({0}), b.Integers({1}), b.Integers({1})}, {batch}, slice);
  const std::int32_t product = b.Tensor({}, TensorType::INT32);
  b.Operator(BuiltinOperator::MUL,
             {b.Constant<std::int32_t>({}, {2}), b.Constant<std::int32_t>({}, {3})}, {product},
             schema::MulOptionsT{});
  schema::PackOptionsT pack;
  pack.values_count = 2;
  const std::int32_t packed = b.Tensor({2}, TensorType::INT32);
  b.Operator(BuiltinOperator::PACK, {batch, product}, {packed}, pack);
  const std::int32_t y = b.Tensor({1, 1});
  b.tensor(y).shape_signature = {-1, -1};
  b.Operator(BuiltinOperator::RESHAPE, {x, packed}, {y});
  const Graph graph = ImportOf(b);
  Only<ir::Reshape>(graph);
  EXPECT_EQ(graph.operators[0].name, "op4");
  EXPECT_THAT(graph.tensors[static_cast<std::size_t>(y)].shape, ElementsAre(1, 6));
}

TEST(Import, JoinsAndTakesShapesApart) {
  ModelBuilder b;
  const std::int32_t x = b.Input({2, 3, 4});
  const std::int32_t shape = b.Tensor({3}, TensorType::INT64);
  b.Operator(BuiltinOperator::SHAPE, {x}, {shape});
  const std::int32_t reversed = b.Tensor({2}, TensorType::INT64);
  b.Operator(BuiltinOperator::GATHER, {shape, b.Integers({2, 1})}, {reversed},
             schema::GatherOptionsT{});
  const std::int32_t joined = b.Tensor({3}, TensorType::INT64);
  b.Operator(BuiltinOperator::CONCATENATION, {reversed, b.Constant<std::int64_t>({1}, {-1})},
             {joined}, schema::ConcatenationOptionsT{});
  // Concatenation compares quantisations, which integers of shapes do not have.
  for (const std::int32_t id : {shape, reversed, joined, joined - 1}) {
    b.tensor(id).quantization.reset();
  }
  b.Operator(BuiltinOperator::RESHAPE, {x, joined}, {b.Tensor({4, 3, 2})});
  const Graph graph = ImportOf(b);
  Only<ir::Reshape>(graph);
}

TEST(Import, TakesConstantsForOutputs) {
  ModelBuilder b;
  const std::int32_t shape = b.Tensor({2}, TensorType::INT32);
  b.Operator(BuiltinOperator::SHAPE, {b.Input({1, 2})}, {shape});
  EXPECT_EQ(std::get<std::vector<std::int32_t>>(ImportOf(b).tensors[0].data),
            (std::vector<std::int32_t>{1, 2}));
}

// What old converters wrote beside biases: as many scales as channels, along a dimension that a
// bias does not have.
TEST(Import, DoesNotLookAtTheQuantisationOfBiases) {
  ModelBuilder b = SampleModel();
  b.tensor(2).quantization = std::make_unique<tflite::schema::QuantizationParametersT>();
  b.tensor(2).quantization->scale = {0.0F, 0.5F, -1.0F};
  b.tensor(2).quantization->quantized_dimension = 3;
  EXPECT_EQ(ImportOf(b).operators.size(), 4U);
}

TEST(Import, TakesOneZeroPointForAllScales) {
  ModelBuilder b = SampleModel();
  b.tensor(1).quantization->zero_point = {0};
  EXPECT_EQ(ImportOf(b).tensors[1].channel_scales.size(), 4U);
}

TEST(Import, TakesScalesOfZeroForDeadChannels) {
  ModelBuilder b = SampleModel();
  b.tensor(1).quantization->scale[2] = 0.0F;
  EXPECT_EQ(ImportOf(b).tensors[1].channel_scales[2], 0.0F);
}

TEST(Import, RefusesHardSwishOfTooSmallAnOutputScale) {
  ModelBuilder b;
  const std::int32_t x = b.Tensor({1, 2}, TensorType::INT8, 64.0F, 0);
  b.graph().inputs = {x};
  b.Operator(BuiltinOperator::HARD_SWISH, {x}, {b.Tensor({1, 2}, TensorType::INT8, 0.5F, 0)});
  ExpectRefused(b, "the scale of t1, 0.5, is too small for an input scale of 64");
}

TEST(Import, LeavesOutOptionalBias) {
  ModelBuilder b = SampleModel();
  b.op(0).inputs[2] = -1;
  EXPECT_THAT(ImportOf(b).operators[0].inputs, ElementsAre(0, 1));
}

}  // namespace
}  // namespace tpu::tflite
