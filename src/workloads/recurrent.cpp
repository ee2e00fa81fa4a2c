// SPDX-License-Identifier: Apache-2.0
#include <array>
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
  // A gate's weights have one scale.
  for (ir::Tensor& tensor : graph.tensors) {
    if (!tensor.channel_scales.empty()) {
      tensor.scale = tensor.channel_scales.front();
      tensor.channel_scales.clear();
    }
  }
  const ir::Tensor hidden = {
      .name = "hidden", .shape = {1, shape.cells}, .scale = kHiddenScale, .zero_point = 0};
  const ir::Tensor cell = {.name = "cell",
                           .type = ElementType::kInt16,
                           .shape = {1, shape.cells},
                           .scale = kCellScale,
                           .zero_point = 0};
  for (const ir::Tensor& state : {hidden, cell}) {
    const auto bytes = static_cast<std::size_t>(shape.cells * ElementBytes(state.type));
    const TensorId before = graph.AddTensor(state);
    const TensorId after = graph.AddTensor(state);
    graph.operators.front().inputs.push_back(before);
    graph.operators.front().outputs.push_back(after);
    graph.states.push_back(
        {.before = before, .after = after, .initial = std::vector<std::uint8_t>(bytes)});
  }
  return workload;
}

}  // namespace tpu::workloads
