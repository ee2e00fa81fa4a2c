// SPDX-License-Identifier: Apache-2.0
#include "workloads/workload.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "workloads/maker.h"

namespace tpu::workloads {
namespace {

using ir::Activation;
using ir::Extent;
using ir::Tensor;
using ir::TensorId;

/// Scale that makes the sum of `taps` products spread as wished.
float OutputScale(std::int64_t taps) {
  const double real = AccumulatorDeviation(taps) * kInputScale * kWeightScale;
  return static_cast<float>(real / kOutputDeviation);
}

// The numbers that a tensor's integers stand for. Channels with scales of their own are the first
// dimension, or the last one if that is theirs.
std::vector<float> RealValues(const Tensor& tensor) {
  std::vector<float> scales = tensor.channel_scales;
  if (scales.empty()) scales = {tensor.scale};
  const std::size_t count = tensor.DataElements();
  const bool channels_first = scales.size() > 1 && std::cmp_equal(scales.size(), tensor.shape[0]);
  const std::size_t block = channels_first ? count / scales.size() : 1;
  const auto* bytes = std::get_if<std::vector<std::int8_t>>(&tensor.data);
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t q =
        bytes != nullptr ? (*bytes)[i] : std::get<std::vector<std::int32_t>>(tensor.data)[i];
    values[i] = scales[i / block % scales.size()] * static_cast<float>(q - tensor.zero_point);
  }
  return values;
}

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
  const TensorId x = maker.Input("input", {{m, k}});
  const TensorId w = maker.Weights({n, k}, 0);
  const TensorId b = maker.Bias(n, k);
  return maker.Finish(
      maker.Add("matmul", {x, w, b}, ir::FullyConnected{}, {{m, n}, OutputScale(k), kOutputZero}));
}

Workload Convolution(const WindowShape& shape, std::int32_t output_channels, Activation activation,
                     std::uint64_t seed) {
  Maker maker(seed);
  const std::int64_t taps = std::int64_t{shape.kernel.h} * shape.kernel.w * shape.channels;
  const TensorId x = maker.Input("input", {ImageShape(shape.image, shape.channels)});
  const TensorId w =
      maker.Weights({output_channels, shape.kernel.h, shape.kernel.w, shape.channels}, 0);
  const TensorId b = maker.Bias(output_channels, taps);
  const ir::Conv2D conv{shape.stride, shape.dilation, shape.padding, activation};
  return maker.Finish(
      maker.Add("conv", {x, w, b}, conv,
                {ImageShape(OutputOf(shape), output_channels), OutputScale(taps), kOutputZero}));
}

Workload Depthwise(const WindowShape& shape, Activation activation, std::uint64_t seed) {
  Maker maker(seed);
  const std::int64_t taps = std::int64_t{shape.kernel.h} * shape.kernel.w;
  const TensorId x = maker.Input("input", {ImageShape(shape.image, shape.channels)});
  const TensorId w = maker.Weights({1, shape.kernel.h, shape.kernel.w, shape.channels}, 3);
  const TensorId b = maker.Bias(shape.channels, taps);
  const ir::DepthwiseConv2D conv{shape.stride, shape.dilation, shape.padding, activation};
  return maker.Finish(
      maker.Add("depthwise", {x, w, b}, conv,
                {ImageShape(OutputOf(shape), shape.channels), OutputScale(taps), kOutputZero}));
}

Workload Pool(ir::PoolKind kind, const WindowShape& shape, std::uint64_t seed) {
  Maker maker(seed);
  const TensorId x = maker.Input("input", {ImageShape(shape.image, shape.channels)});
  const ir::Pool2D pool{kind, shape.kernel, shape.stride, shape.padding, Activation::kNone};
  return maker.Finish(maker.Add("pool", {x}, pool, {ImageShape(OutputOf(shape), shape.channels)}));
}

Workload Elementwise(ir::BinaryKind kind, Extent image, std::int32_t channels,
                     Activation activation, std::uint64_t seed) {
  using ir::BinaryKind;
  Maker maker(seed);
  const bool raw = kind == BinaryKind::kMaximum || kind == BinaryKind::kMinimum;
  const float second_scale = raw ? kInputScale : 0.7F * kInputScale;
  const std::int32_t second_zero = raw ? kInputZero : 11;
  const TensorId a = maker.Input("a", {ImageShape(image, channels)});
  const TensorId b = maker.Input("b", {ImageShape(image, channels), second_scale, second_zero});
  const double deviation = kind == BinaryKind::kMul
                               ? kUniformDeviation * kInputScale * kUniformDeviation * second_scale
                               : kUniformDeviation * std::hypot(kInputScale, second_scale);
  const float scale = raw ? kInputScale : static_cast<float>(deviation / kOutputDeviation);
  return maker.Finish(
      maker.Add("elementwise", {a, b}, ir::Binary{kind, activation},
                {ImageShape(image, channels), scale, raw ? kInputZero : kOutputZero}));
}

ir::Graph InInt16(ir::Graph graph) {
  constexpr float kFiner = 1.0F / 256;
  const auto widen = [](Tensor& tensor) {
    tensor.type = ElementType::kInt16;
    tensor.scale *= kFiner;
    tensor.zero_point = 0;
  };
  for (Tensor& tensor : graph.tensors) {
    if (const auto* biases = std::get_if<std::vector<std::int32_t>>(&tensor.data)) {
      // As many times as large as the sums of the activations, which are.
      std::vector<std::int64_t> values(biases->begin(), biases->end());
      for (std::int64_t& value : values) value *= 256;
      tensor.data = std::move(values);
      tensor.type = ElementType::kInt64;
      tensor.scale *= kFiner;
    } else if (!tensor.IsConstant() && tensor.type == ElementType::kInt8) {
      widen(tensor);
    }
  }
  for (ir::State& state : graph.states) {
    const Tensor& before = graph.tensors[state.before];
    const std::int64_t bytes = before.Elements() * ElementBytes(before.type);
    state.initial.assign(static_cast<std::size_t>(bytes), 0);
  }
  return graph;
}

ir::Graph InFloats(ir::Graph graph, ElementType type) {
  for (Tensor& tensor : graph.tensors) {
    if (tensor.IsConstant()) tensor.data = RealValues(tensor);
    tensor.type = tensor.IsConstant() ? ElementType::kFloat32 : type;
    tensor.scale = Tensor{}.scale;
    tensor.zero_point = 0;
  }
  return graph;
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
