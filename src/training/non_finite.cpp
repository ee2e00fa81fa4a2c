// SPDX-License-Identifier: Apache-2.0
#include "training/non_finite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <map>

#include "compiler/compile.h"
#include "runtime/session.h"
#include "runtime/values.h"

namespace tpu::training {
namespace {

bool AllFinite(const Bytes& floats) {
  for (std::size_t at = 0; at < floats.size(); at += sizeof(float)) {
    float value = 0;
    std::memcpy(&value, floats.data() + at, sizeof(float));
    if (!std::isfinite(value)) return false;
  }
  return true;
}

ir::Graph WithWeights(const WeightedModel& model) {
  ir::Graph graph = model.graph;
  for (std::size_t i = 0; i < model.tensors.size(); ++i) {
    auto& values = std::get<std::vector<float>>(graph.tensors[model.tensors[i]].data);
    std::memcpy(values.data(), model.weights[i].data(), model.weights[i].size());
  }
  return graph;
}

// Operators by the outputs of an executable that keeps all of them: the graph's own come first.
std::map<std::size_t, const ir::Operator*> OperatorsByOutput(const ir::Graph& graph) {
  std::map<ir::TensorId, std::size_t> places;
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) places.emplace(graph.outputs[i], i);
  std::size_t next = graph.outputs.size();
  for (const ir::Operator& op : graph.operators) {
    for (const ir::TensorId id : op.outputs) {
      if (places.emplace(id, next).second) ++next;
    }
  }
  std::map<std::size_t, const ir::Operator*> operators;
  for (const ir::Operator& op : graph.operators) {
    for (const ir::TensorId id : op.outputs) operators[places.at(id)] = &op;
  }
  return operators;
}

}  // namespace

std::optional<std::size_t> FirstNonFinite(std::span<const Bytes> tensors) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (!AllFinite(tensors[i])) return i;
  }
  return {};
}

std::optional<std::string> FirstNonFiniteOperator(const WeightedModel& model,
                                                  const Examples& examples,
                                                  std::span<const std::int64_t> which,
                                                  runtime::Device& device,
                                                  const isa::HardwareConfig& config) {
  const ir::Graph graph = WithWeights(model);
  const executable::Executable executable =
      compiler::Compile(graph, config, {.keep_intermediates = true});
  runtime::Session session(device, executable);
  const auto operators = OperatorsByOutput(graph);
  const auto batch = static_cast<std::size_t>(graph.tensors[graph.inputs.at(0)].shape.at(0));
  for (std::size_t at = 0; at < which.size(); at += batch) {
    std::vector<std::int64_t> run(batch, which[at]);
    std::copy_n(which.begin() + static_cast<std::ptrdiff_t>(at), std::min(batch, which.size() - at),
                run.begin());
    session.SetInputBytes(0, examples.Inputs(run));
    session.Run();
    const ir::Operator* first = nullptr;
    for (const auto& [place, op] : operators) {
      if (executable.outputs[place].type != ElementType::kFloat32) continue;
      if (AllFinite(session.OutputBytes(place))) continue;
      if (first == nullptr || op < first) first = op;
    }
    if (first != nullptr) {
      return fmt::format("{} ({})", first->name, ir::OperatorName(first->attributes));
    }
  }
  return {};
}

}  // namespace tpu::training
