// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks.h"

#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <utility>

namespace tpu::workloads {
namespace {

using ir::Activation;
using ir::Shape;
using ir::TensorId;

class FloatNetwork {
 public:
  explicit FloatNetwork(std::uint64_t seed) : rng_(seed) {}

  TensorId Input(const std::string& name, Shape shape) {
    const TensorId id = Tensor(name, std::move(shape));
    graph_.inputs.push_back(id);
    return id;
  }
  ir::Graph Finish(TensorId output) {
    graph_.outputs = {output};
    return std::move(graph_);
  }
  [[nodiscard]] const Shape& ShapeOf(TensorId id) const { return graph_.tensors[id].shape; }

  TensorId Conv(TensorId x, std::int64_t channels, std::int32_t kernel, std::int32_t stride,
                bool same, Activation activation) {
    const std::int64_t inputs = ShapeOf(x)[3];
    const auto [padding, shape] = Slide(x, channels, kernel, stride, same);
    return Add("conv",
               {x, Weights({channels, kernel, kernel, inputs}, inputs * kernel * kernel),
                Constant("bias", {channels}, 0.0F)},
               ir::Conv2D{.stride = {.h = stride, .w = stride},
                          .dilation = {},
                          .padding = padding,
                          .activation = activation},
               shape);
  }
  TensorId Depthwise(TensorId x, std::int32_t stride, Activation activation) {
    constexpr std::int32_t kWindow = 3;
    const std::int64_t channels = ShapeOf(x)[3];
    const auto [padding, shape] = Slide(x, channels, kWindow, stride, true);
    return Add("depthwise",
               {x, Weights({1, kWindow, kWindow, channels}, kWindow * kWindow),
                Constant("bias", {channels}, 0.0F)},
               ir::DepthwiseConv2D{.stride = {.h = stride, .w = stride},
                                   .dilation = {},
                                   .padding = padding,
                                   .activation = activation},
               shape);
  }
  TensorId MaxPool(TensorId x, std::int32_t size) {
    const auto [padding, shape] = Slide(x, ShapeOf(x)[3], size, size, false);
    return Add("pool", {x},
               ir::Pool2D{.kind = ir::PoolKind::kMax,
                          .filter = {.h = size, .w = size},
                          .stride = {.h = size, .w = size},
                          .padding = padding},
               shape);
  }
  TensorId Layer(TensorId x, std::int64_t outputs, Activation activation) {
    Shape shape = ShapeOf(x);
    const std::int64_t inputs = shape.back();
    shape.back() = outputs;
    return Add("layer", {x, Weights({outputs, inputs}, inputs), Constant("bias", {outputs}, 0.0F)},
               ir::FullyConnected{.activation = activation}, shape);
  }
  TensorId Mean(TensorId x) {
    const Shape shape = ShapeOf(x);
    return Add("mean", {x}, ir::Reduce{.kind = ir::ReduceKind::kMean, .axes = {1, 2}},
               {shape[0], shape[3]});
  }
  TensorId Sum(TensorId a, TensorId b, Activation activation = Activation::kNone) {
    return Add("sum", {a, b}, ir::Binary{.kind = ir::BinaryKind::kAdd, .activation = activation},
               ShapeOf(a));
  }
  TensorId Reshaped(TensorId x, Shape shape) {
    return Add("reshape", {x}, ir::Reshape{}, std::move(shape));
  }
  TensorId Transposed(TensorId x, std::vector<std::int64_t> permutation) {
    Shape shape;
    for (const std::int64_t d : permutation)
      shape.push_back(ShapeOf(x)[static_cast<std::size_t>(d)]);
    return Add("transpose", {x}, ir::Transpose{.permutation = std::move(permutation)}, shape);
  }
  // Mean 0 and variance 1 of each pixel, then a factor and a summand for each channel.
  TensorId Normalised(TensorId x) {
    const Shape shape = ShapeOf(x);
    const auto last = static_cast<std::int64_t>(shape.size()) - 1;
    Shape one = shape;
    one.back() = 1;
    const auto mean = [&](TensorId of) {
      return Add("mean", {of}, ir::Reduce{.kind = ir::ReduceKind::kMean, .axes = {last}}, one);
    };
    const TensorId centred =
        Add("centred", {x, mean(x)}, ir::Binary{.kind = ir::BinaryKind::kSub}, shape);
    const TensorId square =
        Add("square", {centred, centred}, ir::Binary{.kind = ir::BinaryKind::kMul}, shape);
    const TensorId variance = Add("variance", {mean(square), Constant("epsilon", {1}, 1e-3F)},
                                  ir::Binary{.kind = ir::BinaryKind::kAdd}, one);
    const TensorId factor =
        Add("factor", {variance}, ir::Function{.kind = ir::FunctionKind::kRsqrt}, one);
    const TensorId normal =
        Add("normal", {centred, factor}, ir::Binary{.kind = ir::BinaryKind::kMul}, shape);
    const TensorId scaled = Add("scaled", {normal, Constant("scale", {shape.back()}, 1.0F)},
                                ir::Binary{.kind = ir::BinaryKind::kMul}, shape);
    return Sum(scaled, Constant("shift", {shape.back()}, 0.0F));
  }
  // Each of the tokens looks at itself and at those before.
  TensorId Attention(TensorId x, std::int64_t heads) {
    const Shape shape = ShapeOf(x);
    const std::int64_t tokens = shape[1];
    const std::int64_t size = shape[2] / heads;
    const auto cut = [&](TensorId of) {
      return Transposed(Reshaped(of, {shape[0], tokens, heads, size}), {0, 2, 1, 3});
    };
    const TensorId queries = cut(Layer(x, shape[2], Activation::kNone));
    const TensorId keys = cut(Layer(x, shape[2], Activation::kNone));
    const TensorId values = cut(Layer(x, shape[2], Activation::kNone));
    const Shape scores = {shape[0], heads, tokens, tokens};
    const TensorId products =
        Add("scores", {queries, keys}, ir::BatchMatMul{.transposed = {false, true}}, scores);
    const TensorId scaled =
        Add("scaled scores",
            {products, Constant("size", {1}, 1.0F / std::sqrt(static_cast<float>(size)))},
            ir::Binary{.kind = ir::BinaryKind::kMul}, scores);
    const TensorId masked = Sum(scaled, Mask(tokens));
    const TensorId shares = Add("shares", {masked}, ir::Softmax{}, scores);
    const TensorId sums =
        Add("sums", {shares, values}, ir::BatchMatMul{}, {shape[0], heads, tokens, size});
    return Layer(Reshaped(Transposed(sums, {0, 2, 1, 3}), shape), shape[2], Activation::kNone);
  }
  // An embedding of each place.
  TensorId Places(TensorId x) {
    const Shape shape = ShapeOf(x);
    const TensorId places = Tensor(Name("places"), {1, shape[1], shape[2]});
    graph_.tensors[places].data = Random(shape[1] * shape[2], 0.1);
    return Sum(x, places);
  }

 private:
  struct Sliding {
    ir::Padding padding;
    Shape shape;
  };
  [[nodiscard]] Sliding Slide(TensorId x, std::int64_t channels, std::int32_t kernel,
                              std::int32_t stride, bool same) const {
    const Shape& shape = ShapeOf(x);
    const ir::Extent image = {.h = static_cast<std::int32_t>(shape[1]),
                              .w = static_cast<std::int32_t>(shape[2])};
    const ir::Extent window = {.h = kernel, .w = kernel};
    const ir::Extent step = {.h = stride, .w = stride};
    const ir::Padding padding = same ? ir::SamePadding(image, window, step) : ir::Padding{};
    const ir::Extent out = ir::WindowOutput(image, window, step, {}, padding);
    return {.padding = padding, .shape = {shape[0], out.h, out.w, channels}};
  }
  std::string Name(const std::string& what) { return what + std::to_string(names_++); }
  TensorId Tensor(std::string name, Shape shape) {
    ir::Tensor tensor = {.name = std::move(name), .type = ElementType::kFloat32};
    tensor.shape = std::move(shape);
    return graph_.AddTensor(std::move(tensor));
  }
  // Uniform, with this standard deviation. The same on every platform.
  std::vector<float> Random(std::int64_t count, double deviation) {
    std::vector<float> values(static_cast<std::size_t>(count));
    const double width = std::sqrt(12.0) * deviation;
    for (float& value : values) {
      const double uniform = static_cast<double>(rng_() >> 11U) * 0x1p-53;
      value = static_cast<float>((uniform - 0.5) * width);
    }
    return values;
  }
  // Of He et al., arXiv:1502.01852.
  TensorId Weights(Shape shape, std::int64_t inputs) {
    const TensorId id = Tensor(Name("weights"), std::move(shape));
    graph_.tensors[id].data =
        Random(graph_.tensors[id].Elements(), std::sqrt(2.0 / static_cast<double>(inputs)));
    return id;
  }
  TensorId Constant(const std::string& what, Shape shape, float value) {
    const TensorId id = Tensor(Name(what), std::move(shape));
    graph_.tensors[id].data =
        std::vector<float>(static_cast<std::size_t>(graph_.tensors[id].Elements()), value);
    return id;
  }
  TensorId Mask(std::int64_t tokens) {
    constexpr float kNever = -1e4F;
    const TensorId id = Tensor(Name("mask"), {tokens, tokens});
    std::vector<float> values;
    for (std::int64_t to = 0; to < tokens; ++to) {
      for (std::int64_t from = 0; from < tokens; ++from)
        values.push_back(from > to ? kNever : 0.0F);
    }
    graph_.tensors[id].data = std::move(values);
    return id;
  }
  TensorId Add(const std::string& what, std::vector<TensorId> inputs, ir::Attributes attributes,
               Shape shape) {
    const std::string name = Name(what);
    const TensorId output = Tensor(name, std::move(shape));
    graph_.operators.push_back({.name = name,
                                .inputs = std::move(inputs),
                                .outputs = {output},
                                .attributes = std::move(attributes)});
    return output;
  }

  ir::Graph graph_;
  std::mt19937_64 rng_;
  int names_ = 0;
};

constexpr std::int64_t kTenClasses = 10;

std::int64_t Size(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

}  // namespace

ir::Graph Mlp(const std::vector<std::int64_t>& widths, std::uint64_t seed) {
  FloatNetwork network(seed);
  TensorId x = network.Input("x", {1, widths.front()});
  for (std::size_t i = 1; i < widths.size(); ++i) {
    x = network.Layer(x, widths[i], i + 1 < widths.size() ? Activation::kRelu : Activation::kNone);
  }
  return network.Finish(x);
}

ir::Graph LeNet(std::int64_t side, std::uint64_t seed) {
  FloatNetwork network(seed);
  TensorId x = network.Input("image", {1, side, side, 1});
  x = network.MaxPool(network.Conv(x, 8, 5, 1, true, Activation::kRelu), 2);
  x = network.MaxPool(network.Conv(x, 16, 5, 1, true, Activation::kRelu), 2);
  x = network.Reshaped(x, {1, Size(network.ShapeOf(x))});
  x = network.Layer(x, 64, Activation::kRelu);
  return network.Finish(network.Layer(x, kTenClasses, Activation::kNone));
}

ir::Graph ResNet8(std::uint64_t seed) {
  FloatNetwork network(seed);
  TensorId x = network.Input("image", {1, 32, 32, 3});
  x = network.Conv(x, 16, 3, 1, true, Activation::kRelu);
  for (const std::int64_t channels : {16, 32, 64}) {
    const std::int32_t stride = channels == 16 ? 1 : 2;
    TensorId y = network.Conv(x, channels, 3, stride, true, Activation::kRelu);
    y = network.Conv(y, channels, 3, 1, true, Activation::kNone);
    if (stride > 1) x = network.Conv(x, channels, 1, stride, true, Activation::kNone);
    x = network.Sum(x, y, Activation::kRelu);
  }
  return network.Finish(network.Layer(network.Mean(x), kTenClasses, Activation::kNone));
}

ir::Graph MobileNetBlocks(std::int64_t side, std::uint64_t seed) {
  FloatNetwork network(seed);
  TensorId x = network.Input("image", {1, side, side, 3});
  x = network.Conv(x, 8, 3, 2, true, Activation::kRelu);
  for (const std::int64_t channels : {16, 32, 32}) {
    const std::int32_t stride = channels == network.ShapeOf(x)[3] ? 1 : 2;
    x = network.Depthwise(x, stride, Activation::kRelu);
    x = network.Conv(x, channels, 1, 1, true, Activation::kRelu);
  }
  return network.Finish(network.Layer(network.Mean(x), kTenClasses, Activation::kNone));
}

ir::Graph Transformer(const TransformerShape& shape, std::uint64_t seed) {
  FloatNetwork network(seed);
  TensorId x = network.Input("tokens", {1, shape.tokens, shape.vocabulary});
  x = network.Places(network.Layer(x, shape.channels, Activation::kNone));
  for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
    x = network.Sum(x, network.Attention(network.Normalised(x), shape.heads));
    const TensorId inner =
        network.Layer(network.Normalised(x), 4 * shape.channels, Activation::kRelu);
    x = network.Sum(x, network.Layer(inner, shape.channels, Activation::kNone));
  }
  return network.Finish(network.Layer(network.Normalised(x), shape.vocabulary, Activation::kNone));
}

}  // namespace tpu::workloads
