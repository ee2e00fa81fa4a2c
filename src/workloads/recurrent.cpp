// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <utility>

#include "workloads/maker.h"

namespace tpu::workloads {
namespace {

using ir::TensorId;

// The cells' states, 16 bits with the range that TensorFlow Lite's converter gives them.
constexpr float kCellScale = 1.0F / 2048;
constexpr float kHiddenScale = 1.0F / 128;
// Weights so small that most gates are between open and shut.
constexpr float kGateWeightScale = 0.002F;

// All weights have one scale each.
void UseOneScale(ir::Graph& graph) {
  for (ir::Tensor& tensor : graph.tensors) {
    if (tensor.channel_scales.empty()) continue;
    tensor.scale = tensor.channel_scales.front();
    tensor.channel_scales.clear();
  }
}

ir::Tensor StateOf(const char* name, std::vector<std::int64_t> shape, float scale) {
  return {.name = name,
          .type = ElementType::kInt16,
          .shape = std::move(shape),
          .scale = scale,
          .zero_point = 0};
}

// A state, zero at first, as the next input and output of the graph's operator.
void AddState(ir::Graph& graph, const ir::Tensor& state) {
  const std::int64_t bytes = state.Elements() * ElementBytes(state.type);
  const TensorId before = graph.AddTensor(state);
  const TensorId after = graph.AddTensor(state);
  graph.operators.front().inputs.push_back(before);
  graph.operators.front().outputs.push_back(after);
  graph.states.push_back({.before = before,
                          .after = after,
                          .initial = std::vector<std::uint8_t>(static_cast<std::size_t>(bytes))});
}

}  // namespace

Workload Lstm(const LstmShape& shape, std::uint64_t seed) {
  constexpr std::size_t kGates = ir::Lstm::kGates;
  Maker maker(seed);
  std::vector<TensorId> operands = {maker.Input("input", {{1, shape.steps, shape.inputs}})};
  for (std::size_t gate = 0; gate < kGates; ++gate) {
    operands.push_back(maker.Weights({shape.cells, shape.inputs}, 0, kGateWeightScale));
  }
  for (std::size_t gate = 0; gate < kGates; ++gate) {
    operands.push_back(maker.Weights({shape.cells, shape.cells}, 0, kGateWeightScale));
  }
  for (std::size_t gate = 0; gate < kGates; ++gate) {
    operands.push_back(maker.Bias(shape.cells, shape.inputs, kGateWeightScale));
  }
  const TensorId output =
      maker.Add("lstm", std::move(operands), ir::Lstm{},
                {.shape = {1, shape.steps, shape.cells}, .scale = kHiddenScale, .zero_point = 0});
  Workload workload = maker.Finish(output);
  ir::Graph& graph = workload.graph;
  UseOneScale(graph);
  const ir::Tensor hidden = {
      .name = "hidden", .shape = {1, shape.cells}, .scale = kHiddenScale, .zero_point = 0};
  AddState(graph, hidden);
  AddState(graph, StateOf("cell", {1, shape.cells}, kCellScale));
  return workload;
}

Workload Svdf(const SvdfShape& shape, std::uint64_t seed) {
  Maker maker(seed);
  const TensorId x = maker.Input("input", {{1, shape.inputs}});
  const TensorId features = maker.Weights({shape.units, shape.inputs}, 0);
  const TensorId time = maker.Weights({shape.units, shape.memory}, 0);
  const TensorId bias = maker.Bias(shape.units, shape.memory);
  // Features that spread over most of int16, and sums of them over most of int8.
  const double feature = AccumulatorDeviation(shape.inputs) * kInputScale * kWeightScale;
  const auto state = static_cast<float>(feature / (256 * kOutputDeviation));
  const auto output =
      static_cast<float>(feature * kUniformDeviation * kWeightScale *
                         std::sqrt(static_cast<double>(shape.memory)) / kOutputDeviation);
  Workload workload = maker.Finish(maker.Add("svdf", {x, features, time, bias}, ir::Svdf{},
                                             {{1, shape.units}, output, kOutputZero}));
  UseOneScale(workload.graph);
  ir::Tensor& weights = workload.graph.tensors[time];
  const auto bytes = std::get<std::vector<std::int8_t>>(weights.data);
  weights.data = std::vector<std::int16_t>(bytes.begin(), bytes.end());
  weights.type = ElementType::kInt16;
  AddState(workload.graph, StateOf("state", {1, std::int64_t{shape.units} * shape.memory}, state));
  return workload;
}

}  // namespace tpu::workloads
