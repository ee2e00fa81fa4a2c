// SPDX-License-Identifier: Apache-2.0
// Grows a workload operator by operator, drawing its data from one random stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "workloads/workload.h"

namespace tpu::workloads {

inline constexpr float kInputScale = 0.05F;
inline constexpr float kWeightScale = 0.01F;
inline constexpr std::int32_t kInputZero = -3;
inline constexpr std::int32_t kOutputZero = 5;
/// Standard deviation of a uniformly distributed int8, and the one wished for in an output.
inline constexpr double kUniformDeviation = 73.9;
inline constexpr double kOutputDeviation = 40.0;

/// What an operator's result is, besides its name.
struct ResultOf {
  std::vector<std::int64_t> shape;
  float scale = kInputScale;
  std::int32_t zero_point = kInputZero;
};

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : rng_(seed) {}

  ir::TensorId Input(const std::string& name, ResultOf described);
  /// Weights whose `channel_axis` counts output channels, each with its own scale near `scale`.
  ir::TensorId Weights(std::vector<std::int64_t> shape, std::size_t channel_axis,
                       float scale = kWeightScale);
  /// Biases of about the size of a sum of `taps` products with weights of this scale.
  ir::TensorId Bias(std::int64_t channels, std::int64_t taps, float weight_scale = kWeightScale);
  /// Random numbers, of one scale, or `value` everywhere.
  ir::TensorId Constant(ResultOf described, std::optional<std::int8_t> value = {});
  ir::TensorId Add(const std::string& name, std::vector<ir::TensorId> inputs,
                   ir::Attributes attributes, ResultOf described);
  [[nodiscard]] const ir::Tensor& At(ir::TensorId id) const { return workload_.graph.tensors[id]; }

  /// The workload, with this output.
  Workload Finish(ir::TensorId output);

 private:
  std::vector<std::int8_t> Int8(std::int64_t count, int least);

  std::mt19937_64 rng_;
  Workload workload_;
};

/// Standard deviation of a sum of `taps` products of a uniformly distributed input and weight.
double AccumulatorDeviation(std::int64_t taps);

}  // namespace tpu::workloads
