// SPDX-License-Identifier: Apache-2.0
#include "tests/tensor/networks.h"

#include <cmath>
#include <cstddef>
#include <random>
#include <utility>

#include "base/error.h"
#include "tensor/losses.h"
#include "tests/tensor/names.h"

namespace tpu::tensor {
namespace {

class NetworkBuilder {
 public:
  NetworkBuilder(std::string name, std::uint32_t seed) : random_(seed) {
    network_.name = std::move(name);
  }

  Builder b;

  ValueId Data(Shape shape) {
    const ValueId id =
        b.Input(fmt::format("data{}", network_.data.size()), {kF32, std::move(shape)});
    network_.data.push_back(Numbers(id, 1));
    return id;
  }
  // As large as keeps sums of `fan_in` products of the size of one.
  ValueId Weights(Shape shape, double fan_in) {
    const ValueId id =
        b.Input(fmt::format("w{}", network_.model.parameters.size()), {kF32, std::move(shape)});
    const Values<double> numbers = Numbers(id, std::sqrt(3 / fan_in));
    network_.model.parameters.push_back({id, {numbers.begin(), numbers.end()}});
    return id;
  }
  // x [.., in] times weights [out, in], with a bias.
  ValueId Dense(ValueId x, std::int64_t out) {
    const TensorType type = b.TypeOf(x);
    const std::int64_t in = type.shape.back();
    const ValueId sum = b.DotGeneral(x, Weights({out, in}, static_cast<double>(in)),
                                     {.lhs_batching_dimensions = {},
                                      .rhs_batching_dimensions = {},
                                      .lhs_contracting_dimensions = {type.Rank() - 1},
                                      .rhs_contracting_dimensions = {1}});
    return b.Add(sum, b.BroadcastTo(Weights({out}, 3), b.ShapeOf(sum)));
  }
  // Images [n, h, w, c]; weights [out, k, k, c / groups] as in TensorFlow Lite.
  ValueId Conv(ValueId x, std::int64_t out, std::int64_t kernel, std::int64_t stride,
               std::int64_t padding, std::int64_t groups = 1) {
    const std::int64_t in = b.ShapeOf(x)[3] / groups;
    const ValueId weights =
        Weights({out, kernel, kernel, in}, static_cast<double>(kernel * kernel * in));
    Convolution op = {.window_strides = {stride, stride},
                      .padding = {{padding, padding}, {padding, padding}}};
    op.input_batch_dimension = op.output_batch_dimension = 0;
    op.input_feature_dimension = op.output_feature_dimension = 3;
    op.input_spatial_dimensions = op.output_spatial_dimensions = {1, 2};
    op.kernel_input_feature_dimension = 3;
    op.kernel_output_feature_dimension = 0;
    op.kernel_spatial_dimensions = {1, 2};
    op.feature_group_count = groups;
    const ValueId sum = b.Convolution(x, weights, op);
    return b.Add(sum, b.BroadcastTo(Weights({out}, 3), b.ShapeOf(sum)));
  }
  ValueId Relu(ValueId x) { return b.Maximum(x, b.SplatLike(x, 0)); }
  ValueId Pool(ValueId x, Reduction body, std::int64_t size, std::int64_t stride) {
    return b.ReduceWindow(x, {.body = body,
                              .window_dimensions = {1, size, size, 1},
                              .window_strides = {1, stride, stride, 1}});
  }
  ValueId Flatten(ValueId x) {
    const Shape shape = b.ShapeOf(x);
    return b.Reshape(x, {shape[0], b.TypeOf(x).Elements() / shape[0]});
  }

  // The labels are numbers of the last dimension's classes.
  Network Classify(ValueId logits, std::int64_t classes) {
    network_.loss = Loss::kCrossEntropy;
    Values<double>& labels = network_.labels.emplace_back();
    for (std::int64_t i = b.TypeOf(logits).Elements() / classes; i > 0; --i) {
      labels.push_back(static_cast<double>(
          std::uniform_int_distribution<std::int64_t>(0, classes - 1)(random_)));
    }
    return Finish(logits);
  }
  Network Regress(ValueId prediction) {
    network_.loss = Loss::kMeanSquaredError;
    network_.labels.push_back(Numbers(prediction, 1));
    return Finish(prediction);
  }

 private:
  Values<double> Numbers(ValueId id, double most) {
    Values<double> numbers(static_cast<std::size_t>(b.TypeOf(id).Elements()));
    // What f32 holds exactly.
    for (double& n : numbers) {
      n = static_cast<double>(
          static_cast<float>(std::uniform_real_distribution<double>(-most, most)(random_)));
    }
    return numbers;
  }
  Network Finish(ValueId prediction) {
    b.Output("prediction", prediction);
    network_.model.prediction = prediction;
    network_.model.graph = b.Take();
    return std::move(network_);
  }

  std::mt19937 random_;
  Network network_;
};

// (x - mean) / sqrt(variance + epsilon), with a scale and an offset for each feature.
ValueId LayerNorm(NetworkBuilder& n, ValueId x) {
  Builder& b = n.b;
  const Shape shape = b.ShapeOf(x);
  const auto last = static_cast<std::int64_t>(shape.size()) - 1;
  const auto mean = [&](ValueId y) {
    const ValueId sum = b.Reduce(y, Reduction::kAdd, {last});
    return b.BroadcastBack(b.Scale(sum, 1 / static_cast<double>(shape.back())), shape, {last});
  };
  const ValueId centred = b.Subtract(x, mean(x));
  const ValueId variance = mean(b.Multiply(centred, centred));
  const ValueId scale = b.Rsqrt(b.Add(variance, b.SplatLike(variance, 1e-3)));
  const ValueId normal = b.Multiply(centred, scale);
  const ValueId scaled = b.Multiply(normal, b.BroadcastTo(n.Weights({shape.back()}, 3), shape));
  return b.Add(scaled, b.BroadcastTo(n.Weights({shape.back()}, 3), shape));
}

// x [tokens, features], as many for each head.
ValueId Attention(NetworkBuilder& n, ValueId x, std::int64_t heads) {
  Builder& b = n.b;
  const Shape shape = b.ShapeOf(x);
  const std::int64_t size = shape[1] / heads;
  // [heads, tokens, size].
  const auto split = [&](ValueId y) {
    return b.Transpose(b.Reshape(y, {shape[0], heads, size}), {1, 0, 2});
  };
  const ValueId query = split(n.Dense(x, shape[1]));
  const ValueId key = split(n.Dense(x, shape[1]));
  const ValueId value = split(n.Dense(x, shape[1]));
  const ValueId scores = b.DotGeneral(query, key,
                                      {.lhs_batching_dimensions = {0},
                                       .rhs_batching_dimensions = {0},
                                       .lhs_contracting_dimensions = {2},
                                       .rhs_contracting_dimensions = {2}});
  const ValueId weights = Softmax(b, b.Scale(scores, 1 / std::sqrt(static_cast<double>(size))));
  const ValueId mixed = b.DotGeneral(weights, value,
                                     {.lhs_batching_dimensions = {0},
                                      .rhs_batching_dimensions = {0},
                                      .lhs_contracting_dimensions = {2},
                                      .rhs_contracting_dimensions = {1}});
  return n.Dense(b.Reshape(b.Transpose(mixed, {1, 0, 2}), shape), shape[1]);
}

}  // namespace

Network Mlp(std::uint32_t seed, std::int64_t batch) {
  NetworkBuilder n("mlp", seed);
  const ValueId hidden = n.Relu(n.Dense(n.Data({batch, 6}), 5));
  return n.Classify(n.Dense(hidden, 3), 3);
}

Network LeNet(std::uint32_t seed) {
  NetworkBuilder n("lenet", seed);
  const ValueId first = n.Relu(n.Conv(n.Data({2, 9, 9, 1}), 2, 3, 1, 1));
  const ValueId pooled = n.Pool(first, Reduction::kMaximum, 3, 2);
  const ValueId second = n.b.Tanh(n.Conv(pooled, 3, 3, 2, 1));
  const ValueId mean = n.b.Scale(n.Pool(second, Reduction::kAdd, 2, 1), 0.25);
  return n.Classify(n.Dense(n.Flatten(mean), 4), 4);
}

Network DepthwiseBlock(std::uint32_t seed) {
  NetworkBuilder n("depthwise block", seed);
  const ValueId x = n.Data({2, 5, 5, 2});
  const ValueId wide = n.Relu(n.Conv(x, 4, 1, 1, 0));
  const ValueId filtered = n.b.Logistic(n.Conv(wide, 4, 3, 1, 1, 4));
  return n.Regress(n.b.Add(x, n.Conv(filtered, 2, 1, 1, 0)));
}

Network TransformerBlock(std::uint32_t seed) {
  NetworkBuilder n("transformer block", seed);
  const ValueId x = n.Data({3, 4});
  const ValueId mixed = n.b.Add(x, Attention(n, LayerNorm(n, x), 2));
  const ValueId hidden = n.Relu(n.Dense(LayerNorm(n, mixed), 6));
  return n.Classify(n.b.Add(mixed, n.Dense(hidden, 4)), 4);
}

Network PlacedLayers(std::uint32_t seed) {
  NetworkBuilder n("placed layers", seed);
  const ValueId x = n.Dense(n.Data({4, 3, 5}), 6);
  const ValueId placed = n.b.Add(x, n.b.BroadcastTo(n.Weights({1, 3, 6}, 3), n.b.ShapeOf(x)));
  return n.Classify(n.Dense(n.Relu(placed), 4), 4);
}

std::vector<Network> AllNetworks(std::uint32_t seed) {
  return {Mlp(seed), LeNet(seed), DepthwiseBlock(seed), TransformerBlock(seed), PlacedLayers(seed)};
}

}  // namespace tpu::tensor
