// SPDX-License-Identifier: Apache-2.0
// Constant weights and biases, as TensorFlow Lite's products take them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontends/onnx/node_reader.h"

namespace tpu::onnx {

/// Weights with zero point 0: what the model has less its zero points.
struct Weights {
  std::string name;
  Shape shape;
  std::vector<std::int8_t> values;
  std::vector<float> scales;  ///< One, or one for each output channel.

  /// With the axes in another order.
  [[nodiscard]] Weights Transposed(const std::vector<std::int64_t>& permutation) const;
  /// The constant of the graph.
  [[nodiscard]] Graph::Tensor Add(Graph& graph) const;
  /// What one unit of a sum of products stands for: ONNX Runtime's product in float.
  [[nodiscard]] float Unit(float input_scale, std::size_t channel) const {
    return input_scale * scales[scales.size() == 1 ? 0 : channel];
  }
};

/// Input `i`, whose output channels are axis `channels`. Throws tpu::Error for what is not
/// constant, has scales along another axis, or values that are further than int8 reaches from the
/// zero point.
Weights ReadWeights(const NodeReader& op, std::size_t i, std::size_t channels);

/// Input `i`, if there is one: int32 in units of the sums, or floats, which are rounded to such
/// units. One number or one for each of `channels`, times `factor`.
Graph::Bias ReadBias(const NodeReader& op, std::size_t i, std::int64_t channels, float input_scale,
                     const Weights& weights, float factor = 1.0F);

}  // namespace tpu::onnx
