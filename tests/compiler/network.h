// SPDX-License-Identifier: Apache-2.0
// Builds random networks and runs them: compiled on the golden model, and by plain loops.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compile.h"
#include "reference.h"
#include "run_on_golden.h"

namespace tpu::compiler {

/// A graph grown operator by operator. Methods return the new tensor, whose scale is such that most
/// values do not saturate.
class Network {
 public:
  explicit Network(std::uint32_t seed) : random_(seed) {}

  std::int64_t Uniform(std::int64_t lo, std::int64_t hi) {
    return std::uniform_int_distribution<std::int64_t>(lo, hi)(random_);
  }
  float Real(float lo, float hi) { return std::uniform_real_distribution<float>(lo, hi)(random_); }
  ir::Activation AnyActivation() { return static_cast<ir::Activation>(Uniform(0, 3)); }

  ir::TensorId Input(std::vector<std::int64_t> shape) {
    const ir::TensorId id = Add(std::move(shape), Real(0.01F, 0.1F));
    graph_.inputs.push_back(id);
    return id;
  }
  ir::TensorId Constant(std::vector<std::int64_t> shape) {
    const ir::TensorId id = Add(std::move(shape), Real(0.01F, 0.1F));
    graph_.tensors[id].data = Values(graph_.tensors[id].Elements());
    return id;
  }

  ir::TensorId Conv(ir::TensorId input, std::int64_t oc, ir::Extent kernel, ir::Conv2D op) {
    const std::int64_t ic = graph_.tensors[input].shape[3];
    const ir::TensorId weights = Weights({oc, kernel.h, kernel.w, ic}, oc);
    return Windowed(input, weights, oc, kernel, op, ic * kernel.h * kernel.w);
  }
  ir::TensorId Depthwise(ir::TensorId input, std::int64_t multiplier, ir::Extent kernel,
                         ir::DepthwiseConv2D op) {
    const std::int64_t oc = graph_.tensors[input].shape[3] * multiplier;
    const ir::TensorId weights = Weights({1, kernel.h, kernel.w, oc}, oc);
    return Windowed(input, weights, oc, kernel, op, kernel.h * kernel.w);
  }
  ir::TensorId FullyConnect(ir::TensorId input, std::int64_t in, std::int64_t out,
                            bool per_channel) {
    const ir::TensorId weights = Weights({out, in}, per_channel ? out : 1);
    const ir::TensorId bias = Bias(out);
    const std::int64_t rows = graph_.tensors[input].Elements() / in;
    const ir::TensorId output = Add({rows, out}, SumScale(input, in));
    return Append({input, weights, bias}, output,
                  ir::FullyConnected{.activation = AnyActivation()});
  }
  ir::TensorId Combine(ir::TensorId a, ir::TensorId b, ir::BinaryKind kind) {
    const float sa = graph_.tensors[a].scale;
    const float sb = graph_.tensors[b].scale;
    const float scale = kind == ir::BinaryKind::kMul ? sa * sb * 60 : (sa + sb) * Real(0.4F, 1.0F);
    const ir::TensorId output = Add(graph_.tensors[a].shape, scale);
    if (kind == ir::BinaryKind::kMaximum || kind == ir::BinaryKind::kMinimum) {
      for (const ir::TensorId id : {b, output}) CopyQuantization(a, id);
    }
    return Append({a, b}, output, ir::Binary{.kind = kind, .activation = AnyActivation()});
  }
  /// Any two matrices, whose dimensions before the last two broadcast to `batch`.
  ir::TensorId Multiply(ir::TensorId a, ir::TensorId b, std::array<bool, 2> transposed,
                        std::vector<std::int64_t> batch) {
    const auto& sa = graph_.tensors[a].shape;
    const auto& sb = graph_.tensors[b].shape;
    const std::int64_t terms = sa[sa.size() - (transposed[0] ? 2 : 1)];
    batch.push_back(sa[sa.size() - (transposed[0] ? 1 : 2)]);
    batch.push_back(sb[sb.size() - (transposed[1] ? 2 : 1)]);
    const float scale = graph_.tensors[a].scale * graph_.tensors[b].scale * 74.0F * 1.5F *
                        std::sqrt(static_cast<float>(terms));
    return Append({a, b}, Add(std::move(batch), scale), ir::BatchMatMul{.transposed = transposed});
  }
  ir::TensorId Pool(ir::TensorId input, ir::Pool2D op) {
    const auto shape = graph_.tensors[input].shape;
    const ir::Extent out = ir::WindowOutput(ExtentOf(shape), op.filter, op.stride, {}, op.padding);
    const ir::TensorId output = Add({shape[0], out.h, out.w, shape[3]}, 1.0F);
    CopyQuantization(input, output);
    return Append({input}, output, op);
  }
  ir::TensorId Apply(ir::TensorId input) {
    ir::Lookup op;
    for (std::int8_t& value : op.table) value = Byte();
    return Append({input}, Add(graph_.tensors[input].shape, 0.02F), op);
  }
  /// A last dimension of -1 is what remains.
  ir::TensorId Shape(ir::TensorId input, std::vector<std::int64_t> shape) {
    if (shape.back() < 0) {
      shape.back() = graph_.tensors[input].Elements();
      for (std::size_t i = 0; i + 1 < shape.size(); ++i) shape.back() /= shape[i];
    }
    const ir::TensorId output = Add(std::move(shape), 1.0F);
    CopyQuantization(input, output);
    return Append({input}, output, ir::Reshape{});
  }

  /// Any operator, with outputs of these shapes and the first input's scale and zero point.
  std::vector<ir::TensorId> MakeAll(ir::Attributes attributes, std::vector<ir::TensorId> inputs,
                                    const std::vector<std::vector<std::int64_t>>& shapes) {
    std::vector<ir::TensorId> outputs;
    for (const auto& shape : shapes) {
      outputs.push_back(Add(shape, 1.0F));
      CopyQuantization(inputs[0], outputs.back());
    }
    Append(std::move(inputs), outputs[0], std::move(attributes));
    graph_.operators.back().outputs = outputs;
    return outputs;
  }
  ir::TensorId Make(ir::Attributes attributes, std::vector<ir::TensorId> inputs,
                    std::vector<std::int64_t> shape) {
    return MakeAll(std::move(attributes), std::move(inputs), {std::move(shape)})[0];
  }
  /// The same with a scale of its own.
  ir::TensorId MakeScaled(ir::Attributes attributes, std::vector<ir::TensorId> inputs,
                          std::vector<std::int64_t> shape, float scale) {
    const ir::TensorId output = Add(std::move(shape), scale);
    return Append(std::move(inputs), output, std::move(attributes));
  }
  /// Constant int8 weights with one scale or, of several `scales`, one per channel.
  ir::TensorId Weights(std::vector<std::int64_t> shape, std::int64_t scales) {
    const ir::TensorId id = Constant(std::move(shape));
    ir::Tensor& tensor = graph_.tensors[id];
    tensor.zero_point = 0;
    tensor.scale = 0.01F;
    for (std::int64_t i = 0; i < (scales > 1 ? scales : 0); ++i) {
      tensor.channel_scales.push_back(Real(0.002F, 0.02F));
    }
    return id;
  }
  float Scale(ir::TensorId id) { return graph_.tensors[id].scale; }
  std::int32_t ZeroPoint(ir::TensorId id) { return graph_.tensors[id].zero_point; }

  ir::Graph& graph() { return graph_; }
  static ir::Extent ExtentOf(const std::vector<std::int64_t>& shape) {
    return {.h = static_cast<std::int32_t>(shape[1]), .w = static_cast<std::int32_t>(shape[2])};
  }

  /// Random contents for every input.
  std::vector<std::vector<std::int8_t>> InputValues() {
    std::vector<std::vector<std::int8_t>> inputs;
    for (const ir::TensorId id : graph_.inputs)
      inputs.push_back(Values(graph_.tensors[id].Elements()));
    return inputs;
  }

 private:
  std::int8_t Byte() { return static_cast<std::int8_t>(Uniform(-128, 127)); }
  std::vector<std::int8_t> Values(std::int64_t count) {
    std::vector<std::int8_t> values(static_cast<std::size_t>(count));
    for (std::int8_t& value : values) value = Byte();
    return values;
  }
  ir::TensorId Add(std::vector<std::int64_t> shape, float scale) {
    ir::Tensor tensor;
    tensor.name = "t" + std::to_string(graph_.tensors.size());
    tensor.shape = std::move(shape);
    tensor.scale = scale;
    tensor.zero_point = static_cast<std::int32_t>(Uniform(-128, 127));
    return graph_.AddTensor(std::move(tensor));
  }
  ir::TensorId Bias(std::int64_t channels) {
    const ir::TensorId id = Add({channels}, 1.0F);
    std::vector<std::int32_t> values;
    for (std::int64_t c = 0; c < channels; ++c) {
      values.push_back(static_cast<std::int32_t>(Uniform(-20000, 20000)));
    }
    graph_.tensors[id].type = ElementType::kInt32;
    graph_.tensors[id].data = std::move(values);
    return id;
  }
  // Standard deviations: inputs and weights about 74 each.
  float SumScale(ir::TensorId input, std::int64_t terms) {
    return graph_.tensors[input].scale * 0.01F * 74.0F * 1.5F *
           std::sqrt(static_cast<float>(terms));
  }
  template <typename Op>
  ir::TensorId Windowed(ir::TensorId input, ir::TensorId weights, std::int64_t oc,
                        ir::Extent kernel, const Op& op, std::int64_t terms) {
    const auto shape = graph_.tensors[input].shape;
    const ir::Extent out =
        ir::WindowOutput(ExtentOf(shape), kernel, op.stride, op.dilation, op.padding);
    std::vector<ir::TensorId> inputs = {input, weights};
    if (Uniform(0, 3) != 0) inputs.push_back(Bias(oc));
    const ir::TensorId output = Add({shape[0], out.h, out.w, oc}, SumScale(input, terms));
    return Append(std::move(inputs), output, op);
  }
  void CopyQuantization(ir::TensorId from, ir::TensorId to) {
    graph_.tensors[to].scale = graph_.tensors[from].scale;
    graph_.tensors[to].zero_point = graph_.tensors[from].zero_point;
  }
  ir::TensorId Append(std::vector<ir::TensorId> inputs, ir::TensorId output,
                      ir::Attributes attributes) {
    graph_.operators.push_back({.name = "op" + std::to_string(graph_.operators.size()),
                                .inputs = std::move(inputs),
                                .outputs = {output},
                                .attributes = std::move(attributes)});
    return output;
  }

  std::mt19937 random_;
  ir::Graph graph_;
};

/// Compiles, runs on the golden model; expects the outputs of plain loops. The tensors named last
/// are the graph's outputs.
inline void ExpectCorrect(Network& network, std::vector<ir::TensorId> outputs,
                          const isa::HardwareConfig& config,
                          Rounding rounding = Rounding::kDouble) {
  ir::Graph& graph = network.graph();
  graph.outputs = std::move(outputs);
  const auto inputs = network.InputValues();
  const auto outcome = RunOnGolden(Compile(graph, config, {.rounding = rounding}), inputs);
  const auto expected = reference::Evaluate(graph, inputs, rounding);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto got = ValuesOf<std::int8_t>(outcome[i]);
    ASSERT_EQ(got.size(), expected[i].size());
    for (std::size_t e = 0; e < got.size(); ++e) {
      ASSERT_EQ(int{got[e]}, int{expected[i][e]})
          << "output " << graph.tensors[graph.outputs[i]].name << " element " << e;
    }
  }
}

}  // namespace tpu::compiler
