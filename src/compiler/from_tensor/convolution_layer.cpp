// SPDX-License-Identifier: Apache-2.0
#include "compiler/from_tensor/convolution_layer.h"

#include <array>

namespace tpu::compiler {
namespace {

using tensor::Dimensions;

struct DimensionNumbers {
  std::array<std::int64_t, 2> input;   // Batch, features.
  std::array<std::int64_t, 2> kernel;  // Input features, output features.
  std::array<std::int64_t, 2> output;  // Batch, features.
  friend bool operator==(const DimensionNumbers&, const DimensionNumbers&) = default;
};

}  // namespace

std::optional<Layer> LayerOf(const tensor::Convolution& op, const tensor::Shape& kernel) {
  const DimensionNumbers numbers = {
      .input = {op.input_batch_dimension, op.input_feature_dimension},
      .kernel = {op.kernel_input_feature_dimension, op.kernel_output_feature_dimension},
      .output = {op.output_batch_dimension, op.output_feature_dimension}};
  const Dimensions spatial = {1, 2};
  if (op.input_spatial_dimensions != spatial || op.kernel_spatial_dimensions != spatial ||
      op.output_spatial_dimensions != spatial) {
    return std::nullopt;
  }
  // A single row or column looks the same from both ends.
  const auto are = [&](bool reversed) {
    return (op.window_reversal[0] == reversed || kernel[1] == 1) &&
           (op.window_reversal[1] == reversed || kernel[2] == 1);
  };
  const bool turned = are(true);
  const bool lies = are(false);
  const auto ones = [](const Dimensions& d) { return d == Dimensions(d.size(), 1); };
  const auto is = [&](const DimensionNumbers& wanted) { return numbers == wanted; };
  const bool plain = op.batch_group_count == 1 && op.feature_group_count == 1;
  const bool groups = op.batch_group_count == 1 && op.feature_group_count > 1;
  for (const bool first : {false, true}) {
    const std::int64_t channels = kernel[first ? 0 : 3];
    if (groups && op.feature_group_count == channels && kernel[first ? 3 : 0] == 1 &&
        is({.input = {0, 3}, .kernel = {first ? 3 : 0, first ? 0 : 3}, .output = {0, 3}}) &&
        (turned || (lies && ones(op.lhs_dilation)))) {
      return Layer{.role = lies && ones(op.lhs_dilation) ? Role::kForwards : Role::kInputGradient,
                   .depthwise = true,
                   .exchanged = first};
    }
  }
  if (plain && lies && ones(op.lhs_dilation) &&
      is({.input = {0, 3}, .kernel = {3, 0}, .output = {0, 3}})) {
    return Layer{.role = Role::kForwards};
  }
  const bool has_strides = !ones(op.window_strides);
  if (plain && lies && ones(op.lhs_dilation) && (!turned || has_strides) &&
      is({.input = {0, 3}, .kernel = {0, 3}, .output = {0, 3}})) {
    return Layer{.role = Role::kForwards, .exchanged = true};
  }
  if (plain && turned && is({.input = {0, 3}, .kernel = {0, 3}, .output = {0, 3}})) {
    return Layer{.role = Role::kInputGradient};
  }
  if (!lies || !ones(op.lhs_dilation)) return std::nullopt;
  if (plain && is({.input = {3, 0}, .kernel = {0, 3}, .output = {3, 0}})) {
    return Layer{.role = Role::kWeightGradient};
  }
  for (const bool first : {false, true}) {
    if (op.batch_group_count == kernel[3] && op.feature_group_count == 1 &&
        is({.input = {3, 0}, .kernel = {0, 3}, .output = {first ? 3 : 0, first ? 0 : 3}})) {
      return Layer{.role = Role::kWeightGradient, .depthwise = true, .exchanged = first};
    }
  }
  return std::nullopt;
}

}  // namespace tpu::compiler
