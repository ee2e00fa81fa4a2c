// SPDX-License-Identifier: Apache-2.0
// Pools, reductions and Softmax.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "frontends/onnx/convert.h"
#include "frontends/onnx/weights.h"
#include "frontends/onnx/window.h"
#include "ir/limits.h"

namespace tpu::onnx {
namespace {

bool Pads(const Window& window) {
  const Padding& p = window.options.padding;
  return std::max({p.top, p.left, p.bottom, p.right}) > 0;
}

void RequireNoDilation(const Window& window) {
  const Extent& d = window.options.dilation;
  NodeReader::Require(d.h == 1 && d.w == 1, "dilations are not supported");
}

// The scale of weights that are all one, with which sums of so many pixels become their share of
// the result. The product of the input's scale and this, divided by the result's scale, is what
// ONNX Runtime multiplies by: the input's scale divided by the product of the result's and the
// count, all in float32.
float ShareOf(float from, float to, std::int64_t pixels) {
  constexpr int kMostTries = 8;
  const float wanted = from / (to * static_cast<float>(pixels));
  const float share = 1.0F / static_cast<float>(pixels);
  for (const float end : {0.0F, 2.0F}) {
    float candidate = share;
    for (int i = 0; i < kMostTries; ++i) {
      if (from * candidate / to == wanted) return candidate;
      candidate = std::nextafter(candidate, end);
    }
  }
  return share;
}

// Each window's sum of products with ones, of which one unit is a share of the window: exact sums,
// brought to any scale once. TensorFlow Lite's AVERAGE_POOL_2D would round at the input's scale
// first.
Graph::Tensor Averaged(const NodeReader& op, Graph::Tensor image, const Window& window) {
  const std::int64_t channels = op.graph().Info(image).shape[3];
  const std::int64_t pixels = static_cast<std::int64_t>(window.kernel.h) * window.kernel.w;
  NodeReader::Require(pixels <= ir::kMostWindow && pixels * channels <= ir::kMostImage,
                      "a window of {} pixels of {} channels is too large", pixels, channels);
  const Weights ones = {
      .name = op.ResultName() + "_ones",
      .shape = {1, window.kernel.h, window.kernel.w, channels},
      .values = std::vector<std::int8_t>(static_cast<std::size_t>(pixels * channels), 1),
      .scales = {ShareOf(op.graph().Info(image).scale, op.To().scale, pixels)}};
  return op.graph().DepthwiseConv2D(image, ones.Add(op.graph()), {}, window.options, op.Written());
}

// The value whose tensor has the input's scale, for the target.
Value Rescaled(const NodeReader& op, const Value& value) {
  NodeReader::Require(op.To().scale >= value.meaning->scale,
                      "the result's scale {} is below the input's {}, which would lose precision",
                      op.To().scale, value.meaning->scale);
  Value integers = op.builder().Quantize(value, op.To(), op.OperatorName() + "_scale");
  return op.builder().Dequantize(
      integers, {.scales = {op.To().scale}, .zero_points = {op.To().zero_point}}, op.ResultName());
}

bool Contains(const std::vector<std::size_t>& axes, std::size_t axis) {
  return std::ranges::find(axes, axis) != axes.end();
}

// The order of axes nearest to the value's own in which these axes are neighbours.
Layout Neighbouring(const Layout& layout, const std::vector<std::size_t>& axes) {
  const auto is_in = [&](std::size_t axis) { return Contains(axes, axis); };
  const auto first = std::ranges::find_if(layout, is_in);
  const auto end = std::find_if_not(first, layout.end(), is_in);
  if (static_cast<std::size_t>(end - first) == axes.size()) return layout;
  Layout order = layout;
  std::stable_partition(order.begin(), order.end(), [&](std::size_t axis) { return !is_in(axis); });
  return order;
}

// A shape without these axes, or with 1 in their places, and the order of what is left.
struct Reduced {
  Shape shape;
  Layout layout;
};

Reduced Without(const Shape& shape, const Layout& layout, const std::vector<std::size_t>& axes,
                bool keep) {
  Reduced left;
  std::vector<std::size_t> numbers;  // Of the axes that are left.
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    numbers.push_back(left.shape.size());
    const bool reduced = Contains(axes, axis);
    if (!reduced || keep) left.shape.push_back(reduced ? 1 : shape[axis]);
  }
  for (const std::size_t axis : layout) {
    if (!Contains(axes, axis) || keep) left.layout.push_back(numbers[axis]);
  }
  return left;
}

// The mean over these axes of the value, which stay as 1 or not.
Value Mean(const NodeReader& op, const Value& x, const std::vector<std::size_t>& axes, bool keep) {
  const Layout layout = Neighbouring(Builder::LayoutOf(x), axes);
  std::int64_t before = 1;
  std::int64_t pixels = 1;
  std::int64_t behind = 1;
  for (const std::size_t axis : layout) {
    if (Contains(axes, axis)) {
      pixels *= x.shape[axis];
    } else {
      (pixels == 1 ? before : behind) *= x.shape[axis];
    }
  }
  NodeReader::Require(pixels <= ir::kMostWindow, "a mean of {} elements is too large", pixels);
  // Images of one column, which the window covers.
  Graph& graph = op.graph();
  const Graph::Tensor image =
      graph.Reshape(op.builder().Stored(x, layout), {before, pixels, 1, behind});
  const Graph::Tensor mean =
      Averaged(op, image, {.kernel = {.h = static_cast<std::int32_t>(pixels)}, .options = {}});
  const Reduced left = Without(x.shape, layout, axes, keep);
  const Shape stored = StoredShape(left.shape, left.layout);
  return op.Made(left.shape, left.layout, graph.Reshape(mean, stored, {.name = op.ResultName()}));
}

// The largest number of each window.
Value MaxPool(const NodeReader& op, const Window& window) {
  const Value& x = op.Input(0);
  NodeReader::Require(x.type != ElementType::kFloat32 || x.meaning != nullptr,
                      "{} is float32; only quantised models are supported: quantise the model",
                      x.name);
  NodeReader::Require(x.meaning == nullptr || std::ranges::is_sorted(x.meaning->reals),
                      "{} falls where its integers rise; a QuantizeLinear must come before",
                      x.name);
  const Graph::Tensor pooled =
      op.graph().Pool2D(PoolKind::kMax, Image(op, x), window.kernel, window.options,
                        {.name = op.ResultName(), .operator_name = op.OperatorName()});
  const Shape s = op.graph().Info(pooled).shape;
  return Builder::Moved(x, op.ResultName(), {s[0], s[3], s[1], s[2]}, ChannelsLast(4), pooled);
}

const Value& RequireImage(const Value& x) {
  NodeReader::Require(x.constant == nullptr && x.shape.size() == 4, "{} must have 4 axes", x.name);
  return x;
}

void RequireChannelsFirst(const NodeReader& op) {
  NodeReader::Require(op.Int("channels_last", 0) == 0, "channels_last is not supported");
}

}  // namespace

Value ConvertMaxPool(const NodeReader& op) {
  NodeReader::Require(op.node().outputs.size() == 1, "Indices are not supported");
  const Window window = ReadWindow(op, ImageSize(RequireImage(op.Input(0))));
  RequireNoDilation(window);
  return MaxPool(op, window);
}

Value ConvertGlobalMaxPool(const NodeReader& op) {
  const Shape& shape = RequireImage(op.Input(0)).shape;
  NodeReader::Require(std::max(shape[2], shape[3]) <= ir::kMostWindow, "the image is too large");
  return MaxPool(op, {.kernel = {.h = static_cast<std::int32_t>(shape[2]),
                                 .w = static_cast<std::int32_t>(shape[3])},
                      .options = {}});
}

Value ConvertAveragePool(const NodeReader& op) {
  RequireChannelsFirst(op);
  const Value& x = op.Activations(0);
  RequireImage(x);
  NodeReader::Require(op.Int("ceil_mode", 0) == 0, "ceil_mode is not supported");
  const Window window = ReadWindow(op, ImageSize(x));
  RequireNoDilation(window);
  if (!Pads(window) || op.Int("count_include_pad", 0) != 0) {
    return MadeImage(op, x, Averaged(op, Image(op, x), window));
  }
  const Graph::Tensor pooled =
      op.graph().Pool2D(PoolKind::kAverage, Image(op, x), window.kernel, window.options,
                        {.operator_name = op.OperatorName()});
  return Rescaled(op, MadeImage(op, x, pooled));
}

Value ConvertGlobalAveragePool(const NodeReader& op) {
  RequireChannelsFirst(op);
  const Value& x = op.Activations(0);
  NodeReader::Require(x.shape.size() >= 3, "{} has no spatial axes", x.name);
  std::vector<std::size_t> axes(x.shape.size() - 2);
  std::iota(axes.begin(), axes.end(), std::size_t{2});
  return Mean(op, x, axes, /*keep=*/true);
}

Value ConvertReduceMean(const NodeReader& op) {
  const Value& x = op.Activations(0);
  const std::size_t rank = x.shape.size();
  std::vector<std::size_t> axes;
  for (const std::int64_t axis : op.IntsOrInput("axes", 1).value_or(std::vector<std::int64_t>{})) {
    axes.push_back(NodeReader::Axis(axis, rank));
  }
  if (axes.empty()) axes = Plain(rank);
  return Mean(op, x, axes, op.Int("keepdims", 1) != 0);
}

Value ConvertArgMax(const NodeReader& op) {
  const Value& x = op.Activations(0);
  NodeReader::Require(op.Int("select_last_index", 0) == 0, "select_last_index is not supported");
  const std::size_t axis = NodeReader::Axis(op.Int("axis", 0), x.shape.size());
  const Layout layout = Builder::LayoutOf(x);
  const Reduced left = Without(x.shape, layout, {axis}, op.Int("keepdims", 1) != 0);
  const Graph::Tensor index = op.graph().ArgMax(
      op.builder().Stored(x, layout), static_cast<std::int64_t>(PositionOf(layout, axis)),
      {.operator_name = op.OperatorName(), .type = ElementType::kInt64});
  const Value like = {.type = ElementType::kInt64};
  return Builder::Moved(
      like, op.ResultName(), left.shape, left.layout,
      op.graph().Reshape(index, StoredShape(left.shape, left.layout), {.name = op.ResultName()}));
}

Value ConvertSoftmax(const NodeReader& op) {
  const Value& x = op.Activations(0);
  const std::size_t axis = NodeReader::Axis(op.Int("axis", -1), x.shape.size());
  Layout layout = Builder::LayoutOf(x);
  std::erase(layout, axis);
  layout.push_back(axis);
  Builder& builder = op.builder();
  const Graph::Tensor input = builder.Stored(x, layout);
  // TensorFlow Lite's Softmax of int8 has this scale, which is too coarse for a smaller one.
  constexpr float kScale = 1.0F / 256;
  if (op.FindTarget() && op.To().scale >= kScale) {
    return Rescaled(op,
                    op.Made(x.shape, layout,
                            op.graph().Softmax(input, 1.0F, {.operator_name = op.OperatorName()})));
  }
  Value real = {.name = op.ResultName(), .shape = x.shape};
  const Graph::Tensor floats =
      op.graph().Softmax(op.graph().Dequantize(input), 1.0F,
                         {.name = op.ResultName(), .operator_name = op.OperatorName()});
  real.forms =
      std::make_shared<std::vector<Form>>(std::vector<Form>{{.layout = layout, .tensor = floats}});
  return real;
}

}  // namespace tpu::onnx
