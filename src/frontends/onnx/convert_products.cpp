// SPDX-License-Identifier: Apache-2.0
// Convolutions and products of matrices.
#include <algorithm>

#include "frontends/onnx/convert.h"
#include "frontends/onnx/weights.h"
#include "frontends/onnx/window.h"
#include "ir/limits.h"

namespace tpu::onnx {
namespace {

// ONNX's weights [out, in / groups, w] as [out, in / groups, 1, w].
Weights WithTwoAxes(Weights weights) {
  if (weights.shape.size() == 3) weights.shape.insert(weights.shape.begin() + 2, 1);
  return weights;
}

// Rows of `inputs` values times constant weights [outputs, inputs].
Value Multiply(const NodeReader& op, const Value& rows, const Weights& weights, Graph::Bias bias) {
  const std::int64_t inputs = weights.shape[1];
  NodeReader::Require(!rows.shape.empty() && rows.shape.back() == inputs,
                      "{} [{}] does not have rows of {} values", rows.name,
                      fmt::join(rows.shape, ", "), inputs);
  Shape shape = rows.shape;
  shape.back() = weights.shape[0];
  Result result = op.Written();
  result.shape = shape;
  const Layout plain = Plain(shape.size());
  return op.Made(
      shape, plain,
      op.graph().FullyConnected(op.builder().Stored(rows, plain), weights.Add(op.graph()), bias,
                                Activation::kNone, result));
}

}  // namespace

Value ConvertConv(const NodeReader& op) {
  const Value& x = op.Activations(0);
  const Weights read = ReadWeights(op, 1, 0);
  NodeReader::Require(read.shape.size() == x.shape.size(), "the weights [{}] do not fit [{}]",
                      fmt::join(read.shape, ", "), fmt::join(x.shape, ", "));
  const Window window = ReadWindow(op, ImageSize(x), {read.shape.begin() + 2, read.shape.end()});
  const Weights weights = WithTwoAxes(read);
  const std::int64_t groups = op.Int("group", 1);
  NodeReader::Require(
      groups >= 1 && groups == x.shape[1] / weights.shape[1] && x.shape[1] % weights.shape[1] == 0,
      "{} groups of {} channels do not make the {} channels of {}", groups, weights.shape[1],
      x.shape[1], x.name);
  const Graph::Bias bias = ReadBias(op, 2, weights.shape[0], x.meaning->scale, weights);
  const Graph::Tensor image = Image(op, x);
  const bool depthwise = groups > 1 && weights.shape[1] == 1;
  return MadeImage(
      op, x,
      depthwise
          ? op.graph().DepthwiseConv2D(image, weights.Transposed({1, 2, 3, 0}).Add(op.graph()),
                                       bias, window.options, op.Written())
          : op.graph().Conv2D(image, weights.Transposed({0, 2, 3, 1}).Add(op.graph()), bias,
                              window.options, op.Written()));
}

Value ConvertConvTranspose(const NodeReader& op) {
  const Value& x = op.Activations(0);
  NodeReader::Require(x.shape.size() == 4, "{} must have 4 axes", x.name);
  NodeReader::Require(op.Int("group", 1) == 1, "groups are not supported");
  NodeReader::Require(!op.Ints("output_padding") && !op.Ints("output_shape"),
                      "output_padding and output_shape are not supported");
  NodeReader::Require(op.Text("auto_pad", "NOTSET") == "NOTSET", "auto_pad is not supported");
  const Weights weights = ReadWeights(op, 1, 1);
  NodeReader::Require(weights.shape.size() == 4, "weights {} must have 4 axes", weights.name);
  const std::vector<std::int64_t> kernel(weights.shape.begin() + 2, weights.shape.end());
  // Without the check that the window fits into the image, which is larger afterwards.
  const Window window = ReadWindow(op, {1 << 16, 1 << 16}, kernel);
  const WindowOptions& o = window.options;
  const auto size_of = [](std::int64_t image, std::int64_t stride, std::int64_t reach,
                          std::int64_t padding) {
    const std::int64_t size = (image - 1) * stride + reach - padding;
    NodeReader::Require(size >= 1 && size <= ir::kMostImage, "the result's size {} is out of range",
                        size);
    return static_cast<std::int32_t>(size);
  };
  const Padding& p = o.padding;
  const Extent size = {.h = size_of(x.shape[2], o.stride.h, kernel[0], p.top + p.bottom),
                       .w = size_of(x.shape[3], o.stride.w, kernel[1], p.left + p.right)};
  const Graph::Bias bias = ReadBias(op, 2, weights.shape[1], x.meaning->scale, weights);
  return MadeImage(
      op, x,
      op.graph().TransposeConv(Image(op, x), weights.Transposed({1, 2, 3, 0}).Add(op.graph()), bias,
                               size, o, op.Written()));
}

Value ConvertGemm(const NodeReader& op) {
  const Value& a = op.Activations(0);
  NodeReader::Require(op.Int("transA", 0) == 0, "transA is not supported");
  const bool transposed = op.Int("transB", 0) != 0;
  Weights weights = ReadWeights(op, 1, transposed ? 0 : 1);
  NodeReader::Require(a.shape.size() == 2 && weights.shape.size() == 2, "needs matrices");
  if (!transposed) weights = weights.Transposed({1, 0});
  for (float& scale : weights.scales) scale *= op.Float("alpha", 1.0F);
  const Graph::Bias bias =
      ReadBias(op, 2, weights.shape[0], a.meaning->scale, weights, op.Float("beta", 1.0F));
  return Multiply(op, a, weights, bias);
}

Value ConvertMatMul(const NodeReader& op) {
  const Value& a = op.Operand(0);
  const Value& b = op.Input(1);
  if (b.constant != nullptr && b.shape.size() == 2 && a.constant == nullptr) {
    return Multiply(op, a, ReadWeights(op, 1, 1).Transposed({1, 0}), {});
  }
  (void)op.Operand(1);
  NodeReader::Require(a.constant == nullptr || b.constant == nullptr, "both operands are constant");
  NodeReader::Require(a.shape.size() >= 2 && b.shape.size() >= 2, "needs matrices");
  Builder& builder = op.builder();
  const Graph::Tensor product =
      op.graph().BatchMatMul(builder.Stored(a, Plain(a.shape.size())),
                             builder.Stored(b, Plain(b.shape.size())), false, false, op.Written());
  const Shape shape = op.graph().Info(product).shape;
  return op.Made(shape, Plain(shape.size()), product);
}

}  // namespace tpu::onnx
