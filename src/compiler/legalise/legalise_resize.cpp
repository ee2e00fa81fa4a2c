// SPDX-License-Identifier: Apache-2.0
// RESIZE_BILINEAR by whole factors: every output pixel of one phase (row and column modulo the
// factors) is the same weighted sum of two by two input pixels, a depthwise convolution. TensorFlow
// Lite's weights are multiples of 1/1024 of a pixel; those of a phase have a large common factor,
// without which they fit int8.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "compiler/legalise/legalise_rules.h"
#include "compiler/quantise/bfloat16.h"

namespace tpu::compiler {
namespace {

constexpr std::int64_t kOne = 1024;

// Output o = i*factor + phase is, along one axis, weights[0] * input[first + i] + weights[1] *
// input[first + i + 1] over the weights' sum, a power of two. Input -1 means input 0, and the input
// behind the last one means the last one.
struct Phase {
  std::int64_t first = 0;
  std::array<std::int64_t, 2> weights = {1, 0};

  [[nodiscard]] std::int64_t Sum() const { return weights[0] + weights[1]; }
};

Phase MakePhase(std::int64_t phase, std::int64_t factor, bool half_pixel_centers) {
  const std::int64_t scale = kOne / factor;
  const std::int64_t offset = phase * scale + (half_pixel_centers ? scale / 2 - kOne / 2 : 0);
  const std::int64_t first = offset < 0 ? -1 : 0;
  const std::int64_t fraction = offset - first * kOne;
  const std::int64_t common = std::gcd(fraction, kOne);
  return {.first = first, .weights = {(kOne - fraction) / common, fraction / common}};
}

std::vector<Phase> PhasesOf(std::int64_t in, std::int64_t out, const ir::Resize& op) {
  const std::int64_t factor = out / in;
  std::vector<Phase> phases;
  for (std::int64_t p = 0; p < factor; ++p) {
    phases.push_back(MakePhase(p, factor, op.half_pixel_centers));
  }
  return phases;
}

// Weights are doubled, and the multiplier is 1/2. The first of the two roundings then loses
// nothing.
std::int64_t LargestWeight(const std::vector<Phase>& ys, const std::vector<Phase>& xs) {
  const auto largest = [](const std::vector<Phase>& phases) {
    std::int64_t weight = 0;
    for (const Phase& phase : phases) {
      weight = std::max({weight, phase.weights[0], phase.weights[1]});
    }
    return weight;
  };
  return 2 * largest(ys) * largest(xs);
}

bool IsWholeFactor(std::int64_t in, std::int64_t out) {
  return out % in == 0 && kOne % (out / in) == 0;
}

// The input with its border pixels repeated, its raw values taken as they are.
ir::TensorId AddBorder(const OperatorView& view) {
  const ir::Shape in = view.Input(0).shape;
  const ir::Shape out = {in[0], in[1] + 2, in[2] + 2, in[3]};
  // Along an axis: the first pixel, all pixels, the last one.
  struct Part {
    std::int64_t from, to, size;
  };
  const auto parts = [](std::int64_t size) {
    return std::array{Part{0, 0, 1}, Part{0, 1, size}, Part{size - 1, size + 1, 1}};
  };
  ir::Move move;
  for (const Part& y : parts(in[1])) {
    for (const Part& x : parts(in[2])) {
      move.copies.push_back(ir::CopyBox(0, in, out,
                                        {.size = {in[0], y.size, x.size, in[3]},
                                         .from = {0, y.from, x.from, 0},
                                         .from_step = {},
                                         .to = {0, y.to, x.to, 0},
                                         .to_step = {}}));
    }
  }
  ir::Tensor raw = {.name = {}, .type = view.Input(0).type};
  raw.scale = 1.0F;
  const ir::TensorId bordered = view.Like(raw, out, "bordered");
  view.Add({view.op.inputs[0]}, bordered, move);
  return bordered;
}

// The products of the weights, each of them made a number by `number` and repeated for all
// channels.
template <typename Number>
auto Products(const Phase& y, const Phase& x, std::int64_t channels, Number number) {
  std::vector<decltype(number(std::int64_t{}))> values;
  for (const std::int64_t wy : y.weights) {
    for (const std::int64_t wx : x.weights) {
      values.insert(values.end(), static_cast<std::size_t>(channels), number(wy * wx));
    }
  }
  return values;
}

ir::TensorId AddWeights(const OperatorView& view, const Phase& y, const Phase& x,
                        std::int64_t channels) {
  ir::Tensor weights = {.name = view.op.name + "/weights", .type = view.Input(0).type};
  weights.shape = {1, 2, 2, channels};
  const auto sum = static_cast<float>(y.Sum() * x.Sum());
  if (view.ComputesFloats()) {  // Exact: a power of two, and few bits.
    weights.data = Products(y, x, channels, [&](std::int64_t product) {
      return ToBfloat16(static_cast<float>(product) / sum);
    });
  } else {
    // This scale times the sum of the doubled weights is 1.
    weights.scale = 1.0F / (2 * sum);
    weights.data = Products(
        y, x, channels, [](std::int64_t product) { return static_cast<std::int8_t>(2 * product); });
  }
  return view.graph.AddTensor(std::move(weights));
}

// The padding with which exactly the windows of one phase lie over the bordered image. Negative
// padding cuts pixels off.
ir::Padding CropOf(const Phase& y, const Phase& x) {
  ir::Padding padding;
  (y.first < 0 ? padding.bottom : padding.top) = -1;
  (x.first < 0 ? padding.right : padding.left) = -1;
  return padding;
}

}  // namespace

bool LegaliseBilinear(const OperatorView& view, const ir::Resize& op) {
  const ir::Shape in = view.Input(0).shape;
  const ir::Shape out = view.Output().shape;
  if (op.align_corners || !IsWholeFactor(in[1], out[1]) || !IsWholeFactor(in[2], out[2])) {
    return false;
  }
  const std::vector<Phase> ys = PhasesOf(in[1], out[1], op);
  const std::vector<Phase> xs = PhasesOf(in[2], out[2], op);
  if (LargestWeight(ys, xs) > 127) return false;

  const ir::TensorId bordered = AddBorder(view);
  ir::Move interleave;
  std::vector<ir::TensorId> phases;
  const auto factor_y = static_cast<std::int64_t>(ys.size());
  const auto factor_x = static_cast<std::int64_t>(xs.size());
  for (std::int64_t y = 0; y < factor_y; ++y) {
    for (std::int64_t x = 0; x < factor_x; ++x) {
      const Phase& py = ys[static_cast<std::size_t>(y)];
      const Phase& px = xs[static_cast<std::size_t>(x)];
      interleave.copies.push_back(ir::CopyBox(phases.size(), in, out,
                                              {.size = in,
                                               .from = ir::Shape(4, 0),
                                               .from_step = {},
                                               .to = {0, y, x, 0},
                                               .to_step = {1, factor_y, factor_x, 1}}));
      phases.push_back(view.Like(view.graph.At(bordered), in, fmt::format("phase{}_{}", y, x)));
      view.Add({bordered, AddWeights(view, py, px, in[3])}, phases.back(),
               ir::DepthwiseConv2D{.stride = {}, .dilation = {}, .padding = CropOf(py, px)});
    }
  }
  view.Add(phases, view.op.outputs[0], interleave);
  return true;
}

}  // namespace tpu::compiler
