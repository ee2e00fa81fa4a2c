// SPDX-License-Identifier: Apache-2.0
#include "workloads/maker.h"

#include <cmath>

namespace tpu::workloads {
namespace {

ir::Tensor Describe(const std::string& name, ResultOf described) {
  ir::Tensor tensor;
  tensor.name = name;
  tensor.shape = std::move(described.shape);
  tensor.scale = described.scale;
  tensor.zero_point = described.zero_point;
  return tensor;
}

}  // namespace

double AccumulatorDeviation(std::int64_t taps) {
  return std::sqrt(static_cast<double>(taps)) * kUniformDeviation * kUniformDeviation;
}

ir::TensorId Maker::Input(const std::string& name, ResultOf described) {
  ir::Tensor tensor = Describe(name, std::move(described));
  workload_.inputs.push_back(Int8(tensor.Elements(), -128));
  const ir::TensorId id = workload_.graph.AddTensor(std::move(tensor));
  workload_.graph.inputs.push_back(id);
  return id;
}

ir::TensorId Maker::Weights(std::vector<std::int64_t> shape, std::size_t channel_axis,
                            float scale) {
  ir::Tensor tensor;
  tensor.name = "weights";
  tensor.shape = std::move(shape);
  std::uniform_real_distribution<float> factor(0.6F, 1.4F);
  for (std::int64_t c = 0; c < tensor.shape[channel_axis]; ++c) {
    tensor.channel_scales.push_back(scale * factor(rng_));
  }
  tensor.data = Int8(tensor.Elements(), -127);
  return workload_.graph.AddTensor(std::move(tensor));
}

ir::TensorId Maker::Bias(std::int64_t channels, std::int64_t taps, float weight_scale) {
  const auto limit = static_cast<std::int32_t>(AccumulatorDeviation(taps) / 2);
  std::uniform_int_distribution<std::int32_t> value(-limit, limit);
  std::vector<std::int32_t> values(static_cast<std::size_t>(channels));
  for (std::int32_t& v : values) v = value(rng_);
  ir::Tensor tensor;
  tensor.name = "bias";
  tensor.type = ElementType::kInt32;
  tensor.shape = {channels};
  tensor.scale = kInputScale * weight_scale;
  tensor.data = std::move(values);
  return workload_.graph.AddTensor(std::move(tensor));
}

ir::TensorId Maker::Constant(ResultOf described, std::optional<std::int8_t> value) {
  ir::Tensor tensor = Describe("constant", std::move(described));
  const std::int64_t count = tensor.Elements();
  tensor.data =
      value ? std::vector<std::int8_t>(static_cast<std::size_t>(count), *value) : Int8(count, -128);
  return workload_.graph.AddTensor(std::move(tensor));
}

ir::TensorId Maker::Add(const std::string& name, std::vector<ir::TensorId> inputs,
                        ir::Attributes attributes, ResultOf described) {
  const ir::TensorId id = workload_.graph.AddTensor(Describe(name, std::move(described)));
  workload_.graph.operators.push_back({name, std::move(inputs), {id}, std::move(attributes)});
  return id;
}

Workload Maker::Finish(ir::TensorId output) {
  workload_.graph.outputs = {output};
  return std::move(workload_);
}

std::vector<std::int8_t> Maker::Int8(std::int64_t count, int least) {
  std::uniform_int_distribution<int> value(least, 127);
  std::vector<std::int8_t> values(static_cast<std::size_t>(count));
  for (std::int8_t& v : values) v = static_cast<std::int8_t>(value(rng_));
  return values;
}

}  // namespace tpu::workloads
