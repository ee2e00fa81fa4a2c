// SPDX-License-Identifier: Apache-2.0
#include "training/initialise.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <variant>

#include "training/random.h"

namespace tpu::training {
namespace {

struct Fan {
  double in = 1;
  double out = 1;
};

// Of an operator whose weights are drawn.
std::optional<Fan> FanOf(const ir::Graph& graph, const ir::Operator& op) {
  if (op.inputs.size() < 2) return {};
  const ir::Shape& shape = graph.tensors[op.inputs[1]].shape;
  const auto size = [&](std::size_t d) { return static_cast<double>(shape.at(d)); };
  if (ir::HoldsAnyOf<ir::FullyConnected>(op.attributes)) return Fan{size(1), size(0)};
  if (ir::HoldsAnyOf<ir::Conv2D>(op.attributes)) {
    const double taps = size(1) * size(2);
    return Fan{taps * size(3), taps * size(0)};
  }
  if (ir::HoldsAnyOf<ir::DepthwiseConv2D>(op.attributes)) {
    const double taps = size(1) * size(2);
    const auto channels = static_cast<double>(graph.tensors[op.inputs[0]].shape.back());
    return Fan{taps, taps * size(3) / channels};
  }
  return {};
}

bool IsRelu(const ir::Operator& op) {
  const auto* unary = std::get_if<ir::Unary>(&op.attributes);
  return ir::HoldsAnyOf<ir::LeakyRelu, ir::Prelu>(op.attributes) ||
         (unary != nullptr &&
          (unary->kind == ir::UnaryKind::kRelu || unary->kind == ir::UnaryKind::kRelu6));
}

bool ReluFollows(const ir::Graph& graph, const ir::Operator& op) {
  const auto activation = [](const auto& attributes) {
    if constexpr (requires { attributes.activation; }) return attributes.activation;
    return ir::Activation::kNone;
  };
  const ir::Activation own = std::visit(activation, op.attributes);
  if (own == ir::Activation::kRelu || own == ir::Activation::kRelu6) return true;
  return std::ranges::any_of(graph.operators, [&](const ir::Operator& next) {
    return IsRelu(next) && std::ranges::count(next.inputs, op.outputs.at(0)) > 0;
  });
}

}  // namespace

void Initialise(const ir::Graph& graph, std::uint64_t seed, tensor::FromTfliteResult& result) {
  const auto values_of = [&](ir::TensorId id) -> std::vector<float>* {
    const auto found = std::ranges::find(result.tensors, id);
    if (found == result.tensors.end()) return nullptr;
    return &result.model.parameters[static_cast<std::size_t>(found - result.tensors.begin())]
                .initial;
  };
  for (const ir::Operator& op : graph.operators) {
    const std::optional<Fan> fan = FanOf(graph, op);
    if (!fan) continue;
    const double range = std::sqrt(6 / (ReluFollows(graph, op) ? fan->in : fan->in + fan->out));
    if (std::vector<float>* weights = values_of(op.inputs[1])) {
      SplitMix64 random = StreamOf(seed, Stream::kWeights, op.inputs[1]);
      for (float& weight : *weights) weight = static_cast<float>(range * random.Symmetric());
    }
    if (op.inputs.size() < 3) continue;
    if (std::vector<float>* bias = values_of(op.inputs[2])) std::ranges::fill(*bias, 0.0F);
  }
}

}  // namespace tpu::training
