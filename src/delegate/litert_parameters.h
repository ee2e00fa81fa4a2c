// SPDX-License-Identifier: Apache-2.0
// What TfLiteNode::builtin_data points to, for operators with parameters: LiteRT's
// tflite/core/c/builtin_op_data.h. The order and the types of the members are LiteRT's, which only
// adds members at the end; those that nothing here looks at may be missing there.
#pragma once

#include <array>
#include <cstdint>

namespace tpu::delegate {

/// 1: SAME, 2: VALID.
using TfLitePadding = int;
/// As in model files.
using TfLiteFusedActivation = int;

struct TfLiteConvParams {
  TfLitePadding padding;
  int stride_width;
  int stride_height;
  TfLiteFusedActivation activation;
  int dilation_width_factor;
  int dilation_height_factor;
};

struct TfLiteDepthwiseConvParams {
  TfLitePadding padding;
  int stride_width;
  int stride_height;
  int depth_multiplier;
  TfLiteFusedActivation activation;
  int dilation_width_factor;
  int dilation_height_factor;
};

struct TfLiteTransposeConvParams {
  TfLitePadding padding;
  int stride_width;
  int stride_height;
  TfLiteFusedActivation activation;
};

struct TfLitePoolParams {
  TfLitePadding padding;
  int stride_width;
  int stride_height;
  int filter_width;
  int filter_height;
  TfLiteFusedActivation activation;
};

struct TfLiteFullyConnectedParams {
  TfLiteFusedActivation activation;
  int weights_format;
  bool keep_num_dims;
  bool asymmetric_quantize_inputs;
};

struct TfLiteBatchMatMulParams {
  bool adj_x;
  bool adj_y;
  bool asymmetric_quantize_inputs;
};

struct TfLiteSvdfParams {
  int rank;
  TfLiteFusedActivation activation;
  bool asymmetric_quantize_inputs;
};

struct TfLiteUnidirectionalSequenceLstmParams {
  TfLiteFusedActivation activation;
  float cell_clip;
  float proj_clip;
  bool time_major;
  bool asymmetric_quantize_inputs;
  bool diagonal_recurrent_tensors;
};

/// Of ADD, SUB, MUL, DIV and L2_NORMALIZATION.
struct TfLiteActivationParams {
  TfLiteFusedActivation activation;
};

struct TfLiteSoftmaxParams {
  float beta;
};

struct TfLiteLeakyReluParams {
  float alpha;
};

struct TfLiteReducerParams {
  bool keep_dims;
};

struct TfLiteCumsumParams {
  bool exclusive;
  bool reverse;
};

struct TfLiteReshapeParams {
  std::array<std::int32_t, 8> shape;
  int num_dimensions;
};

struct TfLiteSqueezeParams {
  std::array<std::int32_t, 8> squeeze_dims;
  int num_squeeze_dims;
};

struct TfLiteConcatenationParams {
  int axis;
  TfLiteFusedActivation activation;
};

struct TfLitePackParams {
  int values_count;
  int axis;
};

struct TfLiteUnpackParams {
  int num;
  int axis;
};

struct TfLiteGatherParams {
  int axis;
  int batch_dims;
};

struct TfLiteStridedSliceParams {
  int begin_mask;
  int end_mask;
  int ellipsis_mask;
  int new_axis_mask;
  int shrink_axis_mask;
  bool offset;
};

/// 1: REFLECT, 2: SYMMETRIC.
struct TfLiteMirrorPaddingParams {
  int mode;
};

/// Of SPACE_TO_DEPTH and DEPTH_TO_SPACE.
struct TfLiteBlockParams {
  int block_size;
};

/// Of RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR.
struct TfLiteResizeParams {
  bool align_corners;
  bool half_pixel_centers;
};

}  // namespace tpu::delegate
