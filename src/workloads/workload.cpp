// SPDX-License-Identifier: Apache-2.0
#include "workloads/workload.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <utility>

namespace tpu::workloads {
namespace {

using ir::Activation;
using ir::Extent;
using ir::Graph;
using ir::Operator;
using ir::Tensor;
using ir::TensorId;

constexpr float kInputScale = 0.05F;
constexpr float kWeightScale = 0.01F;
constexpr std::int32_t kInputZero = -3;
constexpr std::int32_t kOutputZero = 5;
/// Standard deviation of a uniformly distributed int8, and the one wished for in an output.
constexpr double kUniformDeviation = 73.9;
constexpr double kOutputDeviation = 40.0;

/// Builds a network of one operator, drawing its data from one random stream.
class Maker {
 public:
  explicit Maker(std::uint64_t seed) : rng_(seed) {}

  TensorId Input(const std::string& name, std::vector<std::int64_t> shape,
                 float scale = kInputScale, std::int32_t zero_point = kInputZero) {
    Tensor tensor;
    tensor.name = name;
    tensor.shape = std::move(shape);
    tensor.scale = scale;
    tensor.zero_point = zero_point;
    workload_.inputs.push_back(Int8(tensor.Elements(), -128));
    const TensorId id = workload_.graph.AddTensor(std::move(tensor));
    workload_.graph.inputs.push_back(id);
    return id;
  }

  /// Weights whose `channel_axis` counts output channels, each with its own scale.
  TensorId WeightTensor(std::vector<std::int64_t> shape, std::size_t channel_axis) {
    Tensor tensor;
    tensor.name = "weights";
    tensor.shape = std::move(shape);
    std::uniform_real_distribution<float> factor(0.6F, 1.4F);
    for (std::int64_t c = 0; c < tensor.shape[channel_axis]; ++c) {
      tensor.channel_scales.push_back(kWeightScale * factor(rng_));
    }
    tensor.data = Int8(tensor.Elements(), -127);
    return workload_.graph.AddTensor(std::move(tensor));
  }

  /// Biases of about the size of a sum of `taps` products.
  TensorId Bias(std::int64_t channels, std::int64_t taps) {
    const auto limit = static_cast<std::int32_t>(AccumulatorDeviation(taps) / 2);
    std::uniform_int_distribution<std::int32_t> value(-limit, limit);
    std::vector<std::int32_t> values(static_cast<std::size_t>(channels));
    for (std::int32_t& v : values) v = value(rng_);
    Tensor tensor;
    tensor.name = "bias";
    tensor.type = ElementType::kInt32;
    tensor.shape = {channels};
    tensor.data = std::move(values);
    return workload_.graph.AddTensor(std::move(tensor));
  }

  Workload Finish(const std::string& name, std::vector<TensorId> inputs, ir::Attributes attributes,
                  std::vector<std::int64_t> shape, float scale, std::int32_t zero_point) {
    Tensor output;
    output.name = "output";
    output.shape = std::move(shape);
    output.scale = scale;
    output.zero_point = zero_point;
    const TensorId id = workload_.graph.AddTensor(std::move(output));
    workload_.graph.outputs = {id};
    workload_.graph.operators.push_back({name, std::move(inputs), {id}, std::move(attributes)});
    return std::move(workload_);
  }

  /// Scale that makes the sum of `taps` products spread as wished.
  static float OutputScale(std::int64_t taps) {
    const double real = AccumulatorDeviation(taps) * kInputScale * kWeightScale;
    return static_cast<float>(real / kOutputDeviation);
  }

 private:
  static double AccumulatorDeviation(std::int64_t taps) {
    return std::sqrt(static_cast<double>(taps)) * kUniformDeviation * kUniformDeviation;
  }

  std::vector<std::int8_t> Int8(std::int64_t count, int least) {
    std::uniform_int_distribution<int> value(least, 127);
    std::vector<std::int8_t> values(static_cast<std::size_t>(count));
    for (std::int8_t& v : values) v = static_cast<std::int8_t>(value(rng_));
    return values;
  }

  std::mt19937_64 rng_;
  Workload workload_;
};

Extent OutputOf(const WindowShape& s) {
  return ir::WindowOutput(s.image, s.kernel, s.stride, s.dilation, s.padding);
}

std::vector<std::int64_t> ImageShape(Extent image, std::int32_t channels) {
  return {1, image.h, image.w, channels};
}

}  // namespace

WindowShape Same(WindowShape shape) {
  shape.padding = ir::SamePadding(shape.image, shape.kernel, shape.stride, shape.dilation);
  return shape;
}

Workload Matmul(std::int32_t m, std::int32_t k, std::int32_t n, std::uint64_t seed) {
  Maker maker(seed);
  const TensorId x = maker.Input("input", {m, k});
  const TensorId w = maker.WeightTensor({n, k}, 0);
  const TensorId b = maker.Bias(n, k);
  return maker.Finish("matmul", {x, w, b}, ir::FullyConnected{}, {m, n}, Maker::OutputScale(k),
                      kOutputZero);
}

Workload Convolution(const WindowShape& shape, std::int32_t output_channels, Activation activation,
                     std::uint64_t seed) {
  Maker maker(seed);
  const std::int64_t taps = std::int64_t{shape.kernel.h} * shape.kernel.w * shape.channels;
  const TensorId x = maker.Input("input", ImageShape(shape.image, shape.channels));
  const TensorId w =
      maker.WeightTensor({output_channels, shape.kernel.h, shape.kernel.w, shape.channels}, 0);
  const TensorId b = maker.Bias(output_channels, taps);
  const ir::Conv2D conv{shape.stride, shape.dilation, shape.padding, activation};
  return maker.Finish("conv", {x, w, b}, conv, ImageShape(OutputOf(shape), output_channels),
                      Maker::OutputScale(taps), kOutputZero);
}

Workload Depthwise(const WindowShape& shape, Activation activation, std::uint64_t seed) {
  Maker maker(seed);
  const std::int64_t taps = std::int64_t{shape.kernel.h} * shape.kernel.w;
  const TensorId x = maker.Input("input", ImageShape(shape.image, shape.channels));
  const TensorId w = maker.WeightTensor({1, shape.kernel.h, shape.kernel.w, shape.channels}, 3);
  const TensorId b = maker.Bias(shape.channels, taps);
  const ir::DepthwiseConv2D conv{shape.stride, shape.dilation, shape.padding, activation};
  return maker.Finish("depthwise", {x, w, b}, conv, ImageShape(OutputOf(shape), shape.channels),
                      Maker::OutputScale(taps), kOutputZero);
}

Workload Pool(ir::PoolKind kind, const WindowShape& shape, std::uint64_t seed) {
  Maker maker(seed);
  const TensorId x = maker.Input("input", ImageShape(shape.image, shape.channels));
  const ir::Pool2D pool{kind, shape.kernel, shape.stride, shape.padding, Activation::kNone};
  return maker.Finish("pool", {x}, pool, ImageShape(OutputOf(shape), shape.channels), kInputScale,
                      kInputZero);
}

Workload Elementwise(ir::BinaryKind kind, Extent image, std::int32_t channels,
                     Activation activation, std::uint64_t seed) {
  using ir::BinaryKind;
  Maker maker(seed);
  const bool raw = kind == BinaryKind::kMaximum || kind == BinaryKind::kMinimum;
  const float second_scale = raw ? kInputScale : 0.7F * kInputScale;
  const std::int32_t second_zero = raw ? kInputZero : 11;
  const TensorId a = maker.Input("a", ImageShape(image, channels));
  const TensorId b = maker.Input("b", ImageShape(image, channels), second_scale, second_zero);
  const double deviation = kind == BinaryKind::kMul
                               ? kUniformDeviation * kInputScale * kUniformDeviation * second_scale
                               : kUniformDeviation * std::hypot(kInputScale, second_scale);
  const float scale = raw ? kInputScale : static_cast<float>(deviation / kOutputDeviation);
  return maker.Finish("elementwise", {a, b}, ir::Binary{kind, activation},
                      ImageShape(image, channels), scale, raw ? kInputZero : kOutputZero);
}

Spread SpreadOf(std::span<const std::int8_t> values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0.0;
  for (const std::int8_t v : values) squares += (v - mean) * (v - mean);
  const auto clamped =
      std::ranges::count_if(values, [](std::int8_t v) { return v == -128 || v == 127; });
  return {std::sqrt(squares / count), static_cast<double>(clamped) / count};
}

}  // namespace tpu::workloads
