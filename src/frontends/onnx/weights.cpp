// SPDX-License-Identifier: Apache-2.0
#include "frontends/onnx/weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tpu::onnx {
namespace {

// Scales of biases are products of floats, which exporters round in several ways.
constexpr double kSameScale = 1e-5;

// The integers of a bias with scales that are those of the sums.
bool CountsInUnits(const Value& bias, const std::vector<float>& units) {
  if (bias.constant->type != ElementType::kInt32) return false;
  if (!bias.quantisation) return true;
  const std::vector<float>& scales = bias.quantisation->scales;
  const std::vector<std::int64_t>& zeros = bias.quantisation->zero_points;
  if (std::ranges::any_of(zeros, [](std::int64_t zero) { return zero != 0; })) return false;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const double ratio =
        static_cast<double>(scales[scales.size() == 1 ? 0 : i]) / static_cast<double>(units[i]);
    if (std::abs(ratio - 1) > kSameScale) return false;
  }
  return true;
}

}  // namespace

Weights Weights::Transposed(const std::vector<std::int64_t>& permutation) const {
  Weights result = *this;
  result.values = onnx::Transposed(values, shape, permutation);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    result.shape[i] = shape[static_cast<std::size_t>(permutation[i])];
  }
  return result;
}

Graph::Tensor Weights::Add(Graph& graph) const {
  TensorOptions options = {.name = name, .scale = scales[0]};
  if (scales.size() > 1) options.channel_scales = scales;
  return graph.Constant<std::int8_t>(shape, values, options);
}

Weights ReadWeights(const NodeReader& op, std::size_t i, std::size_t channels) {
  const Value& value = op.Input(i);
  NodeReader::Require(value.constant != nullptr, "weights {} must be constant", value.name);
  NodeReader::Require(value.quantisation.has_value(),
                      "weights {} are float32; only quantised models are supported: quantise the "
                      "model",
                      value.name);
  const Quantisation& q = *value.quantisation;
  NodeReader::Require(q.scales.size() == 1 || q.axis == channels,
                      "weights {} have scales along axis {}; should be along {}", value.name,
                      q.axis, channels);
  std::size_t inner = 1;
  for (std::size_t axis = channels + 1; axis < value.shape.size(); ++axis) {
    inner *= static_cast<std::size_t>(value.shape[axis]);
  }
  Weights weights = {.name = value.name, .shape = value.shape, .values = {}, .scales = q.scales};
  const std::vector<std::int64_t> integers = value.constant->Integers();
  NodeReader::Require(!integers.empty(), "weights {} are empty", value.name);
  for (std::size_t k = 0; k < integers.size(); ++k) {
    const std::int64_t w = integers[k] - q.zero_points[k / inner % q.zero_points.size()];
    NodeReader::Require(w >= -128 && w <= 127,
                        "weights {} have a value {} from the zero point; quantise them as int8",
                        value.name, w);
    weights.values.push_back(static_cast<std::int8_t>(w));
  }
  return weights;
}

Graph::Bias ReadBias(const NodeReader& op, std::size_t i, std::int64_t channels, float input_scale,
                     const Weights& weights, float factor) {
  if (!op.HasInput(i)) return {};
  const Value& bias = op.Input(i);
  NodeReader::Require(bias.constant != nullptr, "bias {} must be constant", bias.name);
  const std::int64_t elements = bias.constant->Elements();
  NodeReader::Require(elements == channels || elements == 1,
                      "bias {} has {} values for {} channels", bias.name, elements, channels);
  std::vector<float> units;
  for (std::int64_t c = 0; c < channels; ++c) {
    units.push_back(weights.Unit(input_scale, static_cast<std::size_t>(c)));
  }
  const bool counts = factor == 1.0F && CountsInUnits(bias, units);
  const std::vector<std::int64_t> integers = bias.constant->Integers();
  const std::vector<float> floats = FloatsOf(bias);
  std::vector<std::int32_t> values;
  for (std::size_t c = 0; c < units.size(); ++c) {
    const std::size_t from = elements == 1 ? 0 : c;
    const double value = counts ? static_cast<double>(integers[from])
                                : std::nearbyint(static_cast<double>(floats[from] * factor) /
                                                 static_cast<double>(units[c]));
    NodeReader::Require(std::abs(value) <= std::numeric_limits<std::int32_t>::max(),
                        "bias {} has {}, which is {:.3g} steps of the sums, too many for int32",
                        bias.name, floats[from], value);
    values.push_back(static_cast<std::int32_t>(value));
  }
  return op.graph().Constant<std::int32_t>({channels}, values, {.name = bias.name});
}

}  // namespace tpu::onnx
