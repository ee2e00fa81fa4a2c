// SPDX-License-Identifier: Apache-2.0
#include "tensor/from_tflite/window_operators.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace tpu::tensor {
namespace {

// Images [n, h, w, c], weights [o, h, w, i].
Convolution ImageConvolution() {
  Convolution op;
  op.input_batch_dimension = op.output_batch_dimension = 0;
  op.input_feature_dimension = op.output_feature_dimension = 3;
  op.input_spatial_dimensions = op.output_spatial_dimensions = {1, 2};
  op.kernel_input_feature_dimension = 3;
  op.kernel_output_feature_dimension = 0;
  op.kernel_spatial_dimensions = {1, 2};
  return op;
}

Padding PaddingOf(const ir::Padding& padding) {
  return {{padding.top, padding.bottom}, {padding.left, padding.right}};
}

// How many elements of an axis a window at each of its places has.
std::vector<double> Taps(std::int64_t places, std::int64_t size, std::int64_t window,
                         std::int64_t stride, std::int64_t before) {
  std::vector<double> taps;
  for (std::int64_t place = 0; place < places; ++place) {
    const std::int64_t first = place * stride - before;
    taps.push_back(
        static_cast<double>(std::min(first + window, size) - std::max<std::int64_t>(first, 0)));
  }
  return taps;
}

}  // namespace

ValueId ConvolutionOf(Builder& builder, const ir::Conv2D& op, ValueId x, ValueId weights) {
  Convolution convolution = ImageConvolution();
  convolution.window_strides = {op.stride.h, op.stride.w};
  convolution.rhs_dilation = {op.dilation.h, op.dilation.w};
  convolution.padding = PaddingOf(op.padding);
  convolution.feature_group_count = builder.ShapeOf(x).at(3) / builder.ShapeOf(weights).at(3);
  return builder.Convolution(x, weights, convolution);
}

// Weights [1, h, w, c * multiplier]: a group for each channel.
ValueId ConvolutionOf(Builder& builder, const ir::DepthwiseConv2D& op, ValueId x, ValueId weights) {
  Convolution convolution = ImageConvolution();
  std::swap(convolution.kernel_input_feature_dimension,
            convolution.kernel_output_feature_dimension);
  convolution.window_strides = {op.stride.h, op.stride.w};
  convolution.rhs_dilation = {op.dilation.h, op.dilation.w};
  convolution.padding = PaddingOf(op.padding);
  convolution.feature_group_count = builder.ShapeOf(x).at(3);
  return builder.Convolution(x, weights, convolution);
}

// The image is spread by the stride, and the kernel looks in the other direction.
ValueId ConvolutionOf(Builder& builder, const ir::TransposeConv& op, ValueId x, ValueId weights,
                      ir::Extent output) {
  Convolution convolution = ImageConvolution();
  convolution.lhs_dilation = {op.stride.h, op.stride.w};
  convolution.window_reversal = {true, true};
  const Dimensions before = {op.padding.top, op.padding.left};
  const Dimensions sizes = {output.h, output.w};
  for (std::size_t d = 0; d < 2; ++d) {
    const std::int64_t window = builder.ShapeOf(weights).at(d + 1);
    const std::int64_t spread =
        (builder.ShapeOf(x).at(d + 1) - 1) * convolution.lhs_dilation[d] + 1;
    const std::int64_t low = window - 1 - before[d];
    convolution.padding.push_back({low, sizes[d] - 1 + window - low - spread});
  }
  return builder.Convolution(x, weights, convolution);
}

ValueId PoolOf(Builder& builder, const ir::Pool2D& op, ValueId x) {
  const bool largest = op.kind == ir::PoolKind::kMax;
  const ValueId result =
      builder.ReduceWindow(x, {.body = largest ? Reduction::kMaximum : Reduction::kAdd,
                               .window_dimensions = {1, op.filter.h, op.filter.w, 1},
                               .window_strides = {1, op.stride.h, op.stride.w, 1},
                               .base_dilations = {},
                               .window_dilations = {},
                               .padding = {{0, 0},
                                           {op.padding.top, op.padding.bottom},
                                           {op.padding.left, op.padding.right},
                                           {0, 0}}});
  if (largest) return result;
  // Padding does not count.
  const Shape in = builder.ShapeOf(x);
  const Shape out = builder.ShapeOf(result);
  std::vector<double> factors;
  for (const double rows : Taps(out[1], in[1], op.filter.h, op.stride.h, op.padding.top)) {
    for (const double columns : Taps(out[2], in[2], op.filter.w, op.stride.w, op.padding.left)) {
      factors.push_back(1 / (rows * columns));
    }
  }
  if (std::all_of(factors.begin(), factors.end(), [&](double f) { return f == factors[0]; })) {
    return builder.Scale(result, factors[0]);
  }
  const ValueId factor = builder.Constant({ElementType::kF32, {out[1], out[2]}}, factors);
  return builder.Multiply(result, builder.BroadcastInDim(factor, out, {1, 2}));
}

}  // namespace tpu::tensor
