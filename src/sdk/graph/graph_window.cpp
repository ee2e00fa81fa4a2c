// SPDX-License-Identifier: Apache-2.0
// Operators that move a window over an image, and products.
#include <algorithm>
#include <string_view>

#include "ir/limits.h"
#include "sdk/graph/graph_state.h"

namespace tpu {
namespace {

template <typename Operator>
Extent ExtentOf(const Operator& op, const ir::Tensor& images) {
  op.RequireRank(images, 4);
  op.Require(std::ranges::max(images.shape) <= ir::kMostImage, "{} {} is too large", images.name,
             sdk::Text(images.shape));
  return {.h = static_cast<std::int32_t>(images.shape[1]),
          .w = static_cast<std::int32_t>(images.shape[2])};
}

template <typename Operator>
void CheckWindow(const Operator& op, Extent filter, const WindowOptions& window) {
  const auto check = [&](const Extent& extent, std::string_view what) {
    op.Require(std::min(extent.h, extent.w) >= 1 && std::max(extent.h, extent.w) <= ir::kMostWindow,
               "{} {}x{} is out of range", what, extent.h, extent.w);
  };
  check(filter, "window");
  check(window.stride, "stride");
  check(window.dilation, "dilation");
  const Padding& p = window.padding;
  const auto [least, most] = std::minmax({p.top, p.left, p.bottom, p.right});
  op.Require(least >= 0 && most <= ir::kMostPadding, "a padding of {} is out of range",
             least < 0 ? least : most);
  op.Require(!window.same_padding || most == 0, "there is a padding beside same_padding");
}

Padding PaddingOf(Extent image, Extent filter, const WindowOptions& window) {
  if (!window.same_padding) return window.padding;
  return ir::SamePadding(image, filter, window.stride, window.dilation);
}

struct Slide {
  Padding padding;
  Shape output;
};

// Where the window's results lie.
template <typename Operator>
Slide SlideOver(const Operator& op, const ir::Tensor& images, Extent filter,
                const WindowOptions& window, std::int64_t channels) {
  const Extent image = ExtentOf(op, images);
  CheckWindow(op, filter, window);
  const Padding padding = PaddingOf(image, filter, window);
  const Extent output = ir::WindowOutput(image, filter, window.stride, window.dilation, padding);
  op.Require(output.h > 0 && output.w > 0, "the window {}x{} is larger than the image {}x{}",
             filter.h, filter.w, image.h, image.w);
  return {.padding = padding, .output = {images.shape[0], output.h, output.w, channels}};
}

// The real value of one unit of a sum of products. With several weight scales: the largest value.
double SumUnit(const ir::Tensor& input, const ir::Tensor& weights) {
  float scale = weights.scale;
  for (const float channel : weights.channel_scales) scale = std::max(scale, channel);
  return static_cast<double>(input.scale) * static_cast<double>(scale);
}

}  // namespace

Graph::Tensor Graph::Conv2D(Tensor input, Tensor weights, Bias bias, const WindowOptions& window,
                            const Result& result) {
  NewOperator op(*state_, ir::Conv2D{}, result);
  const ir::Tensor& x = op.Activations(input);
  const ir::Tensor& w = op.Weights(weights, 4, 0);
  const Extent filter = ExtentOf(op, w);
  op.RequireRank(x, 4);
  op.Require(x.shape[3] % w.shape[3] == 0, "{} input channels are no multiple of the weights' {}",
             x.shape[3], w.shape[3]);
  const std::int64_t groups = x.shape[3] / w.shape[3];
  op.Require(w.shape[0] % groups == 0, "{} output channels are no multiple of {} groups",
             w.shape[0], groups);
  op.AddBias(bias, w.shape[0]);
  op.RequireScalable(SumUnit(x, w));
  const Slide slide = SlideOver(op, x, filter, window, w.shape[0]);
  return op.Make(ir::Conv2D{.stride = window.stride,
                            .dilation = window.dilation,
                            .padding = slide.padding,
                            .activation = window.activation},
                 slide.output);
}

Graph::Tensor Graph::DepthwiseConv2D(Tensor input, Tensor weights, Bias bias,
                                     const WindowOptions& window, const Result& result) {
  NewOperator op(*state_, ir::DepthwiseConv2D{}, result);
  const ir::Tensor& x = op.Activations(input);
  const ir::Tensor& w = op.Weights(weights, 4, 3);
  const Extent filter = ExtentOf(op, w);
  op.RequireRank(x, 4);
  op.Require(w.shape[0] == 1, "the weights' first dimension is {}; it must be 1", w.shape[0]);
  op.Require(w.shape[3] % x.shape[3] == 0,
             "{} output channels are no multiple of {} input channels", w.shape[3], x.shape[3]);
  op.AddBias(bias, w.shape[3]);
  op.RequireScalable(SumUnit(x, w));
  const Slide slide = SlideOver(op, x, filter, window, w.shape[3]);
  return op.Make(ir::DepthwiseConv2D{.stride = window.stride,
                                     .dilation = window.dilation,
                                     .padding = slide.padding,
                                     .activation = window.activation},
                 slide.output);
}

Graph::Tensor Graph::TransposeConv(Tensor input, Tensor weights, Bias bias, Extent size,
                                   const WindowOptions& window, const Result& result) {
  NewOperator op(*state_, ir::TransposeConv{}, result);
  const ir::Tensor& x = op.Activations(input);
  const ir::Tensor& w = op.Weights(weights, 4, 0);
  const Extent image = ExtentOf(op, x);
  const Extent filter = ExtentOf(op, w);
  op.Require(w.shape[3] == x.shape[3], "the weights have {} input channels and the input {}",
             w.shape[3], x.shape[3]);
  op.AddBias(bias, w.shape[0]);
  op.RequireScalable(SumUnit(x, w));
  CheckWindow(op, filter, window);
  op.Require(window.dilation.h == 1 && window.dilation.w == 1, "the dilation must be 1");
  op.Require(std::min(size.h, size.w) >= 1 && std::max(size.h, size.w) <= ir::kMostImage,
             "the size {}x{} is out of range", size.h, size.w);
  // The reverse of a convolution from the output to the input, whose padding it has.
  const Padding padding = PaddingOf(size, filter, window);
  const Extent back = ir::WindowOutput(size, filter, window.stride, {}, padding);
  op.Require(back.h == image.h && back.w == image.w,
             "an output of {}x{} does not belong to an input of {}x{}", size.h, size.w, image.h,
             image.w);
  return op.Make(
      ir::TransposeConv{
          .stride = window.stride, .padding = padding, .activation = window.activation},
      {x.shape[0], size.h, size.w, w.shape[0]});
}

Graph::Tensor Graph::FullyConnected(Tensor input, Tensor weights, Bias bias, Activation activation,
                                    const Result& result) {
  NewOperator op(*state_, ir::FullyConnected{}, result);
  const ir::Tensor& x = op.Activations(input);
  const ir::Tensor& w = op.Weights(weights, 2, 0, true);
  op.Require(x.Elements() % w.shape[1] == 0, "{} {} does not make rows of {} values", x.name,
             sdk::Text(x.shape), w.shape[1]);
  op.AddBias(bias, w.shape[0]);
  op.RequireScalable(SumUnit(x, w));
  return op.Make(ir::FullyConnected{.activation = activation},
                 {x.Elements() / w.shape[1], w.shape[0]}, /*may_be_reshaped=*/true);
}

Graph::Tensor Graph::Pool2D(PoolKind kind, Tensor input, Extent filter, const WindowOptions& window,
                            const Result& result) {
  NewOperator op(*state_, ir::Pool2D{.kind = kind, .filter = {}, .stride = {}, .padding = {}},
                 result);
  const ir::Tensor& x = op.Activations(input);
  op.RequireRank(x, 4);
  op.RequireScalable(static_cast<double>(x.scale));
  op.RequireSameQuantization(x);
  op.Require(window.dilation.h == 1 && window.dilation.w == 1, "the dilation must be 1");
  const Slide slide = SlideOver(op, x, filter, window, x.shape[3]);
  return op.Make(ir::Pool2D{.kind = kind,
                            .filter = filter,
                            .stride = window.stride,
                            .padding = slide.padding,
                            .activation = window.activation},
                 slide.output);
}

Graph::Tensor Graph::Resize(ResizeKind kind, Tensor input, Extent size, bool align_corners,
                            bool half_pixel_centers, const Result& result) {
  const ir::Resize attributes = {
      .kind = kind, .align_corners = align_corners, .half_pixel_centers = half_pixel_centers};
  NewOperator op(*state_, attributes, result);
  const ir::Tensor& x = op.Activations(input);
  (void)ExtentOf(op, x);
  op.RequireComputed();
  op.Require(std::min(size.h, size.w) >= 1 && std::max(size.h, size.w) <= ir::kMostImage,
             "the new size {}x{} is out of range", size.h, size.w);
  return op.Make(attributes, {x.shape[0], size.h, size.w, x.shape[3]});
}

}  // namespace tpu
