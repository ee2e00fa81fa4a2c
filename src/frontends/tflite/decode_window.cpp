// SPDX-License-Identifier: Apache-2.0
// Operators that move a window over an image.
#include <algorithm>

#include "frontends/tflite/operator_reader.h"
#include "ir/limits.h"

namespace tpu::tflite {
namespace {

namespace schema = tflite::schema;

struct WindowOptions {
  schema::Padding padding = schema::Padding::SAME;
  ir::Extent filter;
  ir::Extent stride;
  ir::Extent dilation;
};

struct ImageShape {
  std::int64_t n = 0;
  std::int64_t h = 0;
  std::int64_t w = 0;
  std::int64_t c = 0;
};

ImageShape ImageShapeOf(const OperatorReader& op, const ir::Tensor& tensor) {
  op.RequireRank(tensor, 4);
  op.Require(*std::max_element(tensor.shape.begin(), tensor.shape.end()) <= ir::kMostImage,
             "{} {} is too large", tensor.name, Text(tensor.shape));
  return {.n = tensor.shape[0], .h = tensor.shape[1], .w = tensor.shape[2], .c = tensor.shape[3]};
}

ir::Extent ExtentOf(const ImageShape& image) {
  return {.h = static_cast<std::int32_t>(image.h), .w = static_cast<std::int32_t>(image.w)};
}

void CheckWindow(const OperatorReader& op, const WindowOptions& window) {
  const auto check = [&](const ir::Extent& extent, std::string_view what) {
    op.Require(std::min(extent.h, extent.w) >= 1 && std::max(extent.h, extent.w) <= ir::kMostWindow,
               "{} {}x{} is out of range", what, extent.h, extent.w);
  };
  check(window.filter, "window");
  check(window.stride, "stride");
  check(window.dilation, "dilation");
  op.Require(window.padding == schema::Padding::SAME || window.padding == schema::Padding::VALID,
             "padding {} is neither SAME nor VALID", static_cast<int>(window.padding));
}

// Rows and columns around an image of this size.
ir::Padding PaddingOf(ir::Extent image, const WindowOptions& window) {
  if (window.padding == schema::Padding::VALID) return {};
  return ir::SamePadding(image, window.filter, window.stride, window.dilation);
}

// Checks the window, gives the padding, and settles the output of `channels`.
ir::Padding Slide(OperatorReader& op, const ImageShape& input, const WindowOptions& window,
                  std::int64_t channels) {
  CheckWindow(op, window);
  const ir::Padding padding = PaddingOf(ExtentOf(input), window);
  const ir::Extent output =
      ir::WindowOutput(ExtentOf(input), window.filter, window.stride, window.dilation, padding);
  op.Require(output.h > 0 && output.w > 0, "the window {}x{} is larger than the image {}x{}",
             window.filter.h, window.filter.w, input.h, input.w);
  op.SettleOutput({input.n, output.h, output.w, channels});
  return padding;
}

}  // namespace

ir::Attributes DecodeConv2D(OperatorReader& op) {
  op.RequireCounts(2, 3);
  const auto& options = op.OptionsAs<schema::Conv2DOptionsT>();
  const ImageShape input = ImageShapeOf(op, op.Activations(0));
  const ImageShape weights = ImageShapeOf(op, op.Weights(1, 0));
  op.Require(input.c % weights.c == 0, "{} input channels are no multiple of the weights' {}",
             input.c, weights.c);
  op.Require(weights.n % (input.c / weights.c) == 0,
             "{} output channels are no multiple of {} groups", weights.n, input.c / weights.c);
  op.Bias(2, weights.n, {ElementType::kInt64, ElementType::kInt32});
  const WindowOptions window = {
      .padding = options.padding,
      .filter = ExtentOf(weights),
      .stride = {.h = options.stride_h, .w = options.stride_w},
      .dilation = {.h = options.dilation_h_factor, .w = options.dilation_w_factor}};
  const ir::Padding padding = Slide(op, input, window, weights.n);
  op.OutputActivations(SumUnit(op.Input(0), op.Input(1)));
  return ir::Conv2D{.stride = window.stride,
                    .dilation = window.dilation,
                    .padding = padding,
                    .activation = op.FusedActivation(options.fused_activation_function)};
}

ir::Attributes DecodeDepthwiseConv2D(OperatorReader& op) {
  op.RequireCounts(2, 3);
  const auto& options = op.OptionsAs<schema::DepthwiseConv2DOptionsT>();
  const ImageShape input = ImageShapeOf(op, op.Activations(0));
  const ImageShape weights = ImageShapeOf(op, op.Weights(1, 3));
  op.Require(weights.n == 1, "the weights' first dimension is {}; it must be 1", weights.n);
  op.Require(weights.c % input.c == 0, "{} output channels are no multiple of {} input channels",
             weights.c, input.c);
  op.Bias(2, weights.c, {ElementType::kInt64});
  const WindowOptions window = {
      .padding = options.padding,
      .filter = ExtentOf(weights),
      .stride = {.h = options.stride_h, .w = options.stride_w},
      .dilation = {.h = options.dilation_h_factor, .w = options.dilation_w_factor}};
  const ir::Padding padding = Slide(op, input, window, weights.c);
  op.OutputActivations(SumUnit(op.Input(0), op.Input(1)));
  return ir::DepthwiseConv2D{.stride = window.stride,
                             .dilation = window.dilation,
                             .padding = padding,
                             .activation = op.FusedActivation(options.fused_activation_function)};
}

// Inputs: the output's shape, weights, activations, bias. It is the reverse of a convolution from
// the output to the input, whose padding it has.
ir::Attributes DecodeTransposeConv(OperatorReader& op) {
  op.RequireCounts(3, 4);
  const auto& options = op.OptionsAs<schema::TransposeConvOptionsT>();
  const ImageShape input = ImageShapeOf(op, op.Activations(2));
  const ImageShape weights = ImageShapeOf(op, op.Weights(1, 0));
  op.Require(weights.c == input.c, "the weights have {} input channels and the input {}", weights.c,
             input.c);
  op.Bias(3, weights.n, {ElementType::kInt64});
  if (op.IsKnown(0)) op.SettleOutput(op.Integers(0, "the output's shape"));
  const ImageShape output =
      ImageShapeOf(op, op.OutputActivations(SumUnit(op.Input(2), op.Input(1))));
  op.Require(output.n == input.n && output.c == weights.n, "{} does not fit the input and weights",
             Text(op.Output().shape));
  const WindowOptions window = {.padding = options.padding,
                                .filter = ExtentOf(weights),
                                .stride = {.h = options.stride_h, .w = options.stride_w},
                                .dilation = {}};
  CheckWindow(op, window);
  const ir::Padding padding = PaddingOf(ExtentOf(output), window);
  const ir::Extent back =
      ir::WindowOutput(ExtentOf(output), window.filter, window.stride, window.dilation, padding);
  op.Require(back.h == input.h && back.w == input.w,
             "an output of {}x{} does not belong to an input of {}x{}", output.h, output.w, input.h,
             input.w);
  return ir::TransposeConv{.stride = window.stride,
                           .padding = padding,
                           .activation = op.FusedActivation(options.fused_activation_function)};
}

ir::Attributes DecodePool2D(OperatorReader& op, ir::PoolKind kind) {
  op.RequireCounts(1, 1);
  const auto& options = op.OptionsAs<schema::Pool2DOptionsT>();
  const ImageShape input = ImageShapeOf(op, op.Activations(0));
  const WindowOptions window = {.padding = options.padding,
                                .filter = {.h = options.filter_height, .w = options.filter_width},
                                .stride = {.h = options.stride_h, .w = options.stride_w},
                                .dilation = {}};
  const ir::Padding padding = Slide(op, input, window, input.c);
  op.OutputActivations(static_cast<double>(op.Input(0).scale));
  return ir::Pool2D{.kind = kind,
                    .filter = window.filter,
                    .stride = window.stride,
                    .padding = padding,
                    .activation = op.FusedActivation(options.fused_activation_function)};
}

ir::Attributes DecodeL2Pool(OperatorReader& op) {
  op.RequireCounts(1, 1);
  const auto& options = op.OptionsAs<schema::Pool2DOptionsT>();
  const ImageShape input = ImageShapeOf(op, op.Operand(0));
  const WindowOptions window = {.padding = options.padding,
                                .filter = {.h = options.filter_height, .w = options.filter_width},
                                .stride = {.h = options.stride_h, .w = options.stride_w},
                                .dilation = {}};
  return ir::HostOperator{
      host_operators::L2Pool{.filter = window.filter,
                             .stride = window.stride,
                             .padding = Slide(op, input, window, input.c),
                             .activation = op.FusedActivation(options.fused_activation_function)}};
}

ir::Attributes DecodeResize(OperatorReader& op, ir::ResizeKind kind) {
  op.RequireCounts(2, 2);
  const ImageShape input = ImageShapeOf(op, op.Operand(0));
  op.RequireSameType(op.Input(0), op.Output());
  for (const ir::Tensor* tensor : {&op.Input(0), &op.Output()}) op.RequireComputable(*tensor);
  const std::vector<std::int64_t> size = op.Integers(1, "the new size");
  op.Require(size.size() == 2 && size[0] >= 1 && size[1] >= 1 &&
                 std::max(size[0], size[1]) <= ir::kMostImage,
             "the new size {} is no height and width", Text(size));
  op.SettleOutput({input.n, size[0], size[1], input.c});
  ir::Resize resize = {.kind = kind};
  if (kind == ir::ResizeKind::kNearest) {
    const auto options = op.OptionsOrDefault<schema::ResizeNearestNeighborOptionsT>();
    resize.align_corners = options.align_corners;
    resize.half_pixel_centers = options.half_pixel_centers;
  } else {
    const auto options = op.OptionsOrDefault<schema::ResizeBilinearOptionsT>();
    resize.align_corners = options.align_corners;
    resize.half_pixel_centers = options.half_pixel_centers;
  }
  return resize;
}

}  // namespace tpu::tflite
