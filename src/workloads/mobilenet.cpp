// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "workloads/maker.h"

namespace tpu::workloads {
namespace {

using ir::Activation;
using ir::Extent;
using ir::TensorId;

constexpr std::int32_t kClasses = 1001;
constexpr std::int32_t kKernel = 3;

// A row of the table that defines the network: blocks of `channels` output channels, the first of
// them with this stride.
struct Stage {
  std::int32_t expansion;
  std::int32_t channels;
  int blocks;
  std::int32_t stride;
};

constexpr Stage kStages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                             {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
constexpr std::int32_t kStemChannels = 32;
constexpr std::int32_t kLastChannels = 1280;

// A share of the channels: a multiple of 8, at least nine tenths of what was asked for.
std::int32_t ShareOf(std::int32_t channels, std::int32_t percent) {
  const std::int32_t wanted = channels * percent;
  const std::int32_t nearest = std::max(8, (wanted + 400) / 800 * 8);
  return nearest * 1000 < wanted * 9 ? nearest + 8 : nearest;
}

// Grows the network. All activations have one scale, and weights such that activations neither grow
// nor fade from layer to layer.
class Network {
 public:
  explicit Network(std::uint64_t seed) : maker_(seed) {}

  TensorId Input(Extent image) { return maker_.Input("image", {{1, image.h, image.w, 3}}); }

  TensorId Conv(TensorId x, std::int32_t channels, std::int32_t kernel, std::int32_t stride,
                Activation activation) {
    const std::int64_t inputs = maker_.At(x).shape[3];
    const std::int64_t taps = inputs * kernel * kernel;
    const TensorId w = Weights({channels, kernel, kernel, inputs}, 0, taps);
    const auto [padding, shape] = Slide(x, channels, kernel, stride);
    const ir::Conv2D conv = {{stride, stride}, {}, padding, activation};
    return Add({x, w, Bias(channels, taps)}, conv, shape, activation);
  }

  TensorId Depthwise(TensorId x, std::int32_t stride) {
    const auto channels = static_cast<std::int32_t>(maker_.At(x).shape[3]);
    constexpr std::int64_t kTaps = std::int64_t{kKernel} * kKernel;
    const TensorId w = Weights({1, kKernel, kKernel, channels}, 3, kTaps);
    const auto [padding, shape] = Slide(x, channels, kKernel, stride);
    const ir::DepthwiseConv2D conv = {{stride, stride}, {}, padding, Activation::kRelu6};
    return Add({x, w, Bias(channels, kTaps)}, conv, shape, Activation::kRelu6);
  }

  TensorId Block(TensorId x, const Stage& stage, std::int32_t channels, std::int32_t stride) {
    const auto inputs = static_cast<std::int32_t>(maker_.At(x).shape[3]);
    TensorId y = x;
    if (stage.expansion > 1) y = Conv(y, stage.expansion * inputs, 1, 1, Activation::kRelu6);
    y = Conv(Depthwise(y, stride), channels, 1, 1, Activation::kNone);
    if (stride > 1 || channels != inputs) return y;
    return Add({x, y}, ir::Binary{}, maker_.At(x).shape, Activation::kNone);
  }

  // Mean of each channel, then one output for each class.
  Workload Classify(TensorId x) {
    const std::int64_t channels = maker_.At(x).shape[3];
    const TensorId mean = Add({x}, ir::Reduce{.axes = {1, 2}}, {1, channels}, Activation::kRelu6);
    const TensorId w = Weights({kClasses, channels}, 0, channels);
    return maker_.Finish(Add({mean, w, Bias(kClasses, channels)}, ir::FullyConnected{},
                             {1, kClasses}, Activation::kNone));
  }

 private:
  struct Sliding {
    ir::Padding padding;
    std::vector<std::int64_t> shape;
  };
  [[nodiscard]] Sliding Slide(TensorId x, std::int32_t channels, std::int32_t kernel,
                              std::int32_t stride) const {
    const auto& shape = maker_.At(x).shape;
    const Extent image = {static_cast<std::int32_t>(shape[1]), static_cast<std::int32_t>(shape[2])};
    const ir::Padding padding = ir::SamePadding(image, {kernel, kernel}, {stride, stride}, {});
    const Extent out = ir::WindowOutput(image, {kernel, kernel}, {stride, stride}, {}, padding);
    return {padding, {1, out.h, out.w, channels}};
  }

  // After RELU6, half of the activations are zero: their mean square is half of what it was.
  static float WeightScale(std::int64_t taps) {
    return static_cast<float>(std::sqrt(2.0 / static_cast<double>(taps)) / kUniformDeviation);
  }
  TensorId Weights(std::vector<std::int64_t> shape, std::size_t channel_axis, std::int64_t taps) {
    return maker_.Weights(std::move(shape), channel_axis, WeightScale(taps));
  }
  TensorId Bias(std::int64_t channels, std::int64_t taps) {
    return maker_.Bias(channels, taps, WeightScale(taps));
  }
  TensorId Add(std::vector<TensorId> inputs, ir::Attributes attributes,
               std::vector<std::int64_t> shape, Activation activation) {
    const std::int32_t zero_point = activation == Activation::kNone ? 0 : -128;
    const std::string name = "layer" + std::to_string(layers_++);
    return maker_.Add(name, std::move(inputs), std::move(attributes),
                      {std::move(shape), kInputScale, zero_point});
  }

  Maker maker_;
  int layers_ = 0;
};

}  // namespace

Workload MobileNetV2(Extent image, std::int32_t percent, std::uint64_t seed) {
  Network network(seed);
  TensorId x = network.Input(image);
  x = network.Conv(x, ShareOf(kStemChannels, percent), kKernel, 2, Activation::kRelu6);
  for (const Stage& stage : kStages) {
    const std::int32_t channels = ShareOf(stage.channels, percent);
    for (int block = 0; block < stage.blocks; ++block) {
      x = network.Block(x, stage, channels, block == 0 ? stage.stride : 1);
    }
  }
  const std::int32_t last = std::max(kLastChannels, ShareOf(kLastChannels, percent));
  return network.Classify(network.Conv(x, last, 1, 1, Activation::kRelu6));
}

}  // namespace tpu::workloads
