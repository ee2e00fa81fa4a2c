// SPDX-License-Identifier: Apache-2.0
// Builds random networks of float32 and runs them on a machine with bf16.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compile.h"
#include "float_reference.h"
#include "run_on_golden.h"

namespace tpu::compiler {

using Ids = std::vector<ir::TensorId>;

/// Contents of tensors: small whole numbers, or any between -2 and 2.
enum class Values : std::uint8_t { kIntegers, kReals };

/// A window's operator and its kernel.
template <typename Op>
struct OfWindow {
  Op op;
  ir::Extent kernel;
};

/// A graph grown operator by operator. Methods return the new tensor.
class FloatNetwork {
 public:
  FloatNetwork(std::uint32_t seed, Values values) : random_(seed), values_(values) {}

  std::int64_t Uniform(std::int64_t lo, std::int64_t hi) {
    return std::uniform_int_distribution<std::int64_t>(lo, hi)(random_);
  }
  ir::TensorId Input(ir::Shape shape) {
    graph_.inputs.push_back(Add(std::move(shape)));
    return graph_.inputs.back();
  }
  ir::TensorId Constant(ir::Shape shape) {
    const ir::TensorId id = Add(std::move(shape));
    graph_.tensors[id].data = Contents(id);
    return id;
  }
  /// A constant of one element.
  ir::TensorId Scalar(float value) {
    const ir::TensorId id = Add({1});
    graph_.tensors[id].data = std::vector<float>{value};
    return id;
  }
  ir::TensorId Make(ir::Attributes attributes, Ids inputs, ir::Shape shape) {
    const ir::TensorId output = Add(std::move(shape));
    graph_.operators.push_back({.name = "op" + std::to_string(graph_.operators.size()),
                                .inputs = std::move(inputs),
                                .outputs = {output},
                                .attributes = std::move(attributes)});
    return output;
  }

  ir::TensorId FullyConnect(ir::TensorId x, std::int64_t out) {
    const ir::Shape shape = graph_.tensors[x].shape;
    const Ids inputs = WithBias({x, Constant({out, shape[1]})}, out);
    return Make(ir::FullyConnected{.activation = AnyActivation()}, inputs, {shape[0], out});
  }
  ir::TensorId Conv(ir::TensorId x, std::int64_t out, const OfWindow<ir::Conv2D>& window,
                    std::int64_t groups = 1) {
    const std::int64_t in = graph_.tensors[x].shape[3] / groups;
    const ir::TensorId weights = Constant({out, window.kernel.h, window.kernel.w, in});
    return Windowed(x, weights, out, window);
  }
  ir::TensorId Depthwise(ir::TensorId x, std::int64_t multiplier,
                         const OfWindow<ir::DepthwiseConv2D>& window) {
    const std::int64_t out = graph_.tensors[x].shape[3] * multiplier;
    const ir::TensorId weights = Constant({1, window.kernel.h, window.kernel.w, out});
    return Windowed(x, weights, out, window);
  }
  ir::TensorId Pool(ir::TensorId x, ir::PoolKind kind, std::int32_t filter) {
    ir::Pool2D op = {.kind = kind, .filter = {.h = filter, .w = 2}};
    op.stride = {.h = static_cast<std::int32_t>(Uniform(1, 2)), .w = 1};
    op.padding = {.top = 1, .left = 1, .bottom = 1, .right = 0};
    op.activation = AnyActivation();
    const ir::Shape shape = graph_.tensors[x].shape;
    const ir::Extent out = ir::WindowOutput(ImageOf(x), op.filter, op.stride, {}, op.padding);
    return Make(op, {x}, {shape[0], out.h, out.w, shape[3]});
  }
  ir::TensorId Combine(ir::TensorId a, ir::TensorId b, ir::BinaryKind kind, ir::Shape shape) {
    return Make(ir::Binary{.kind = kind, .activation = AnyActivation()}, {a, b}, std::move(shape));
  }

  /// Kernels up to `most`, with any stride, dilation and padding that fit.
  template <typename Op>
  OfWindow<Op> AnyWindow(ir::TensorId x, std::int64_t most) {
    const auto any = [&](std::int64_t lo, std::int64_t hi) {
      return static_cast<std::int32_t>(Uniform(lo, hi));
    };
    OfWindow<Op> window = {.op = {}, .kernel = {.h = any(1, most), .w = any(1, most)}};
    window.op.stride = {.h = any(1, 2), .w = any(1, 2)};
    window.op.dilation = {.h = any(1, 2), .w = any(1, 2)};
    window.op.activation = AnyActivation();
    const ir::Extent reach = {.h = (window.kernel.h - 1) * window.op.dilation.h + 1,
                              .w = (window.kernel.w - 1) * window.op.dilation.w + 1};
    window.op.padding = {.top = any(0, reach.h - 1),
                         .left = any(0, reach.w - 1),
                         .bottom = std::max(any(0, reach.h - 1), reach.h - ImageOf(x).h),
                         .right = std::max(any(0, reach.w - 1), reach.w - ImageOf(x).w)};
    return window;
  }

  ir::Graph& graph() { return graph_; }

  /// Random contents for every input.
  std::vector<std::vector<float>> InputValues() {
    std::vector<std::vector<float>> inputs;
    for (const ir::TensorId id : graph_.inputs) inputs.push_back(Contents(id));
    return inputs;
  }

 private:
  ir::Activation AnyActivation() {
    return Uniform(0, 1) == 0 ? ir::Activation::kNone : static_cast<ir::Activation>(Uniform(1, 3));
  }
  ir::Extent ImageOf(ir::TensorId x) const {
    const ir::Shape& shape = graph_.tensors[x].shape;
    return {.h = static_cast<std::int32_t>(shape[1]), .w = static_cast<std::int32_t>(shape[2])};
  }
  ir::TensorId Add(ir::Shape shape) {
    ir::Tensor tensor = {.name = "t" + std::to_string(graph_.tensors.size()),
                         .type = ElementType::kFloat32};
    tensor.shape = std::move(shape);
    return graph_.AddTensor(std::move(tensor));
  }
  std::vector<float> Contents(ir::TensorId id) {
    std::vector<float> contents(static_cast<std::size_t>(graph_.tensors[id].Elements()));
    for (float& value : contents) {
      value = values_ == Values::kIntegers ? static_cast<float>(Uniform(-16, 16))
                                           : std::uniform_real_distribution<float>(-2, 2)(random_);
    }
    return contents;
  }
  // Half of the operators have one.
  Ids WithBias(Ids inputs, std::int64_t channels) {
    if (Uniform(0, 1) == 0) inputs.push_back(Constant({channels}));
    return inputs;
  }
  template <typename Op>
  ir::TensorId Windowed(ir::TensorId x, ir::TensorId weights, std::int64_t out,
                        const OfWindow<Op>& window) {
    const ir::Extent size = ir::WindowOutput(ImageOf(x), window.kernel, window.op.stride,
                                             window.op.dilation, window.op.padding);
    const std::int64_t images = graph_.tensors[x].shape[0];
    return Make(window.op, WithBias({x, weights}, out), {images, size.h, size.w, out});
  }

  std::mt19937 random_;
  Values values_;
  ir::Graph graph_;
};

/// The numbers are those of double precision: when all before is `exact`, rounded to bfloat16 or at
/// most twice to fp32, else within the bound.
inline void ExpectNear(const std::vector<float>& got, const reference::Numbers& expected,
                       bool exact) {
  ASSERT_EQ(got.size(), expected.size());
  if (!exact) {
    const auto outside = reference::FirstOutside(got, expected);
    ASSERT_FALSE(outside) << "element " << *outside << ": " << got[*outside] << ", not "
                          << expected[*outside].value;
    // Then nothing would have been compared.
    ASSERT_FALSE(std::all_of(expected.begin(), expected.end(), reference::IsOpen));
    return;
  }
  for (std::size_t e = 0; e < got.size(); ++e) {
    const double value = expected[e].value;
    ASSERT_THAT(static_cast<double>(got[e]),
                testing::AnyOf(reference::RoundToBfloat16(value),
                               testing::DoubleNear(value, std::abs(value) * 0x1p-23)))
        << "element " << e;
  }
}

/// Compiles the network, runs it on the golden model and expects the outputs of plain loops.
inline void ExpectFloats(FloatNetwork& network, const isa::HardwareConfig& config, bool exact) {
  const ir::Graph& graph = network.graph();
  const auto inputs = network.InputValues();
  const auto outputs = RunOnGolden(Compile(graph, config), inputs);
  const auto expected = reference::EvaluateFloats(graph, inputs);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    SCOPED_TRACE("output " + std::to_string(i));
    ExpectNear(ValuesOf<float>(outputs[i]), expected[i], exact);
  }
}

}  // namespace tpu::compiler
