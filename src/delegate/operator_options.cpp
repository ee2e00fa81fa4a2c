// SPDX-License-Identifier: Apache-2.0
#include "delegate/operator_options.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "base/error.h"
#include "delegate/litert_parameters.h"

namespace tpu::delegate {
namespace {

namespace schema = tflite::schema;
using schema::BuiltinOperator;

schema::Padding PaddingOf(TfLitePadding padding) {
  return static_cast<schema::Padding>(padding - 1);
}

schema::ActivationFunctionType ActivationOf(TfLiteFusedActivation activation) {
  return static_cast<schema::ActivationFunctionType>(activation);
}

// Of convolutions, with and without dilation, and of pools.
template <typename Options, typename Params>
Options WindowOptions(const Params& params) {
  Options options;
  options.padding = PaddingOf(params.padding);
  options.stride_w = params.stride_width;
  options.stride_h = params.stride_height;
  options.fused_activation_function = ActivationOf(params.activation);
  return options;
}

template <typename Options, typename Params>
Options DilatedWindowOptions(const Params& params) {
  auto options = WindowOptions<Options>(params);
  options.dilation_w_factor = params.dilation_width_factor;
  options.dilation_h_factor = params.dilation_height_factor;
  return options;
}

schema::Conv2DOptionsT Conv2D(const TfLiteConvParams& params) {
  return DilatedWindowOptions<schema::Conv2DOptionsT>(params);
}

schema::DepthwiseConv2DOptionsT DepthwiseConv2D(const TfLiteDepthwiseConvParams& params) {
  auto options = DilatedWindowOptions<schema::DepthwiseConv2DOptionsT>(params);
  options.depth_multiplier = params.depth_multiplier;
  return options;
}

schema::TransposeConvOptionsT TransposeConv(const TfLiteTransposeConvParams& params) {
  return WindowOptions<schema::TransposeConvOptionsT>(params);
}

schema::Pool2DOptionsT Pool2D(const TfLitePoolParams& params) {
  auto options = WindowOptions<schema::Pool2DOptionsT>(params);
  options.filter_width = params.filter_width;
  options.filter_height = params.filter_height;
  return options;
}

schema::FullyConnectedOptionsT FullyConnected(const TfLiteFullyConnectedParams& params) {
  schema::FullyConnectedOptionsT options;
  options.fused_activation_function = ActivationOf(params.activation);
  options.weights_format = static_cast<std::int8_t>(params.weights_format);
  options.keep_num_dims = params.keep_num_dims;
  return options;
}

schema::BatchMatMulOptionsT BatchMatMul(const TfLiteBatchMatMulParams& params) {
  schema::BatchMatMulOptionsT options;
  options.adj_x = params.adj_x;
  options.adj_y = params.adj_y;
  options.asymmetric_quantize_inputs = params.asymmetric_quantize_inputs;
  return options;
}

schema::SVDFOptionsT Svdf(const TfLiteSvdfParams& params) {
  schema::SVDFOptionsT options;
  options.rank = params.rank;
  options.fused_activation_function = ActivationOf(params.activation);
  options.asymmetric_quantize_inputs = params.asymmetric_quantize_inputs;
  return options;
}

schema::UnidirectionalSequenceLSTMOptionsT UnidirectionalSequenceLstm(
    const TfLiteUnidirectionalSequenceLstmParams& params) {
  schema::UnidirectionalSequenceLSTMOptionsT options;
  options.fused_activation_function = ActivationOf(params.activation);
  options.cell_clip = params.cell_clip;
  options.proj_clip = params.proj_clip;
  options.time_major = params.time_major;
  options.asymmetric_quantize_inputs = params.asymmetric_quantize_inputs;
  options.diagonal_recurrent_tensors = params.diagonal_recurrent_tensors;
  return options;
}

template <typename Options>
Options Activation(const TfLiteActivationParams& params) {
  Options options;
  options.fused_activation_function = ActivationOf(params.activation);
  return options;
}

schema::SoftmaxOptionsT Softmax(const TfLiteSoftmaxParams& params) {
  schema::SoftmaxOptionsT options;
  options.beta = params.beta;
  return options;
}

schema::LeakyReluOptionsT LeakyRelu(const TfLiteLeakyReluParams& params) {
  schema::LeakyReluOptionsT options;
  options.alpha = params.alpha;
  return options;
}

schema::ReducerOptionsT Reducer(const TfLiteReducerParams& params) {
  schema::ReducerOptionsT options;
  options.keep_dims = params.keep_dims;
  return options;
}

schema::CumsumOptionsT Cumsum(const TfLiteCumsumParams& params) {
  schema::CumsumOptionsT options;
  options.exclusive = params.exclusive;
  options.reverse = params.reverse;
  return options;
}

std::vector<std::int32_t> FirstOf(std::span<const std::int32_t> values, int count) {
  if (count < 0 || static_cast<std::size_t>(count) > values.size()) {
    throw Error::Format("its parameters have {} dimensions; at most {}", count, values.size());
  }
  return {values.begin(), values.begin() + count};
}

schema::ReshapeOptionsT Reshape(const TfLiteReshapeParams& params) {
  schema::ReshapeOptionsT options;
  options.new_shape = FirstOf(params.shape, params.num_dimensions);
  return options;
}

schema::SqueezeOptionsT Squeeze(const TfLiteSqueezeParams& params) {
  schema::SqueezeOptionsT options;
  options.squeeze_dims = FirstOf(params.squeeze_dims, params.num_squeeze_dims);
  return options;
}

schema::ConcatenationOptionsT Concatenation(const TfLiteConcatenationParams& params) {
  schema::ConcatenationOptionsT options;
  options.axis = params.axis;
  options.fused_activation_function = ActivationOf(params.activation);
  return options;
}

schema::PackOptionsT Pack(const TfLitePackParams& params) {
  schema::PackOptionsT options;
  options.values_count = params.values_count;
  options.axis = params.axis;
  return options;
}

schema::UnpackOptionsT Unpack(const TfLiteUnpackParams& params) {
  schema::UnpackOptionsT options;
  options.num = params.num;
  options.axis = params.axis;
  return options;
}

schema::GatherOptionsT Gather(const TfLiteGatherParams& params) {
  schema::GatherOptionsT options;
  options.axis = params.axis;
  options.batch_dims = params.batch_dims;
  return options;
}

schema::StridedSliceOptionsT StridedSlice(const TfLiteStridedSliceParams& params) {
  schema::StridedSliceOptionsT options;
  options.begin_mask = params.begin_mask;
  options.end_mask = params.end_mask;
  options.ellipsis_mask = params.ellipsis_mask;
  options.new_axis_mask = params.new_axis_mask;
  options.shrink_axis_mask = params.shrink_axis_mask;
  options.offset = params.offset;
  return options;
}

schema::MirrorPadOptionsT MirrorPad(const TfLiteMirrorPaddingParams& params) {
  schema::MirrorPadOptionsT options;
  options.mode = static_cast<schema::MirrorPadMode>(params.mode - 1);
  return options;
}

template <typename Options>
Options Block(const TfLiteBlockParams& params) {
  Options options;
  options.block_size = params.block_size;
  return options;
}

template <typename Options>
Options Resize(const TfLiteResizeParams& params) {
  Options options;
  options.align_corners = params.align_corners;
  options.half_pixel_centers = params.half_pixel_centers;
  return options;
}

template <typename Options, typename Params>
schema::BuiltinOptionsUnion Apply(Options (*convert)(const Params&), const void* parameters) {
  if (parameters == nullptr) throw Error("its parameters are missing");
  schema::BuiltinOptionsUnion options;
  options.Set(convert(*static_cast<const Params*>(parameters)));
  return options;
}

template <auto kConvert>
schema::BuiltinOptionsUnion Make(const void* parameters) {
  return Apply(kConvert, parameters);
}

struct OperatorParameters {
  BuiltinOperator code;
  schema::BuiltinOptionsUnion (*make)(const void* parameters);
};

// All operators whose parameters the front end looks at.
constexpr auto kOperators = std::to_array<OperatorParameters>({
    {BuiltinOperator::ADD, Make<Activation<schema::AddOptionsT>>},
    {BuiltinOperator::AVERAGE_POOL_2D, Make<Pool2D>},
    {BuiltinOperator::BATCH_MATMUL, Make<BatchMatMul>},
    {BuiltinOperator::CONCATENATION, Make<Concatenation>},
    {BuiltinOperator::CONV_2D, Make<Conv2D>},
    {BuiltinOperator::CUMSUM, Make<Cumsum>},
    {BuiltinOperator::DEPTHWISE_CONV_2D, Make<DepthwiseConv2D>},
    {BuiltinOperator::DEPTH_TO_SPACE, Make<Block<schema::DepthToSpaceOptionsT>>},
    {BuiltinOperator::DIV, Make<Activation<schema::DivOptionsT>>},
    {BuiltinOperator::FULLY_CONNECTED, Make<FullyConnected>},
    {BuiltinOperator::GATHER, Make<Gather>},
    {BuiltinOperator::L2_NORMALIZATION, Make<Activation<schema::L2NormOptionsT>>},
    {BuiltinOperator::L2_POOL_2D, Make<Pool2D>},
    {BuiltinOperator::LEAKY_RELU, Make<LeakyRelu>},
    {BuiltinOperator::MAX_POOL_2D, Make<Pool2D>},
    {BuiltinOperator::MEAN, Make<Reducer>},
    {BuiltinOperator::MIRROR_PAD, Make<MirrorPad>},
    {BuiltinOperator::MUL, Make<Activation<schema::MulOptionsT>>},
    {BuiltinOperator::PACK, Make<Pack>},
    {BuiltinOperator::REDUCE_MAX, Make<Reducer>},
    {BuiltinOperator::REDUCE_MIN, Make<Reducer>},
    {BuiltinOperator::RESHAPE, Make<Reshape>},
    {BuiltinOperator::RESIZE_BILINEAR, Make<Resize<schema::ResizeBilinearOptionsT>>},
    {BuiltinOperator::RESIZE_NEAREST_NEIGHBOR, Make<Resize<schema::ResizeNearestNeighborOptionsT>>},
    {BuiltinOperator::SOFTMAX, Make<Softmax>},
    {BuiltinOperator::SPACE_TO_DEPTH, Make<Block<schema::SpaceToDepthOptionsT>>},
    {BuiltinOperator::SQUEEZE, Make<Squeeze>},
    {BuiltinOperator::STRIDED_SLICE, Make<StridedSlice>},
    {BuiltinOperator::SUB, Make<Activation<schema::SubOptionsT>>},
    {BuiltinOperator::SUM, Make<Reducer>},
    {BuiltinOperator::SVDF, Make<Svdf>},
    {BuiltinOperator::TRANSPOSE_CONV, Make<TransposeConv>},
    {BuiltinOperator::UNIDIRECTIONAL_SEQUENCE_LSTM, Make<UnidirectionalSequenceLstm>},
    {BuiltinOperator::UNPACK, Make<Unpack>},
});

}  // namespace

schema::BuiltinOptionsUnion OptionsOf(BuiltinOperator code, const void* parameters) {
  const auto* const found = std::ranges::find(kOperators, code, &OperatorParameters::code);
  return found == kOperators.end() ? schema::BuiltinOptionsUnion() : found->make(parameters);
}

}  // namespace tpu::delegate
