// SPDX-License-Identifier: Apache-2.0
// Runs a network's training step by the names of its inputs and outputs.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tensor/train_step.h"
#include "tests/tensor/evaluate.h"
#include "tests/tensor/networks.h"

namespace tpu::tensor {

using NamedValues = std::map<std::string, Values<double>>;

/// The outputs by their names; inputs likewise. Computed in T.
template <typename T = double>
NamedValues RunNamed(const Graph& graph, const NamedValues& values) {
  std::vector<Values<T>> inputs;
  for (const ValueId id : graph.inputs) {
    const Values<double>& from = values.at(std::get<Input>(graph.nodes[id].operation).name);
    Values<T>& to = inputs.emplace_back();
    for (const double value : from) to.push_back(static_cast<T>(value));
  }
  const std::vector<Values<T>> outputs = Evaluate(graph, inputs);
  NamedValues named;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    named[graph.outputs[i].name] = {outputs[i].begin(), outputs[i].end()};
  }
  return named;
}

/// Data and labels of a network, and the state before the first step.
inline NamedValues FirstInputs(const Network& network, const TrainStep& step) {
  NamedValues values;
  for (std::size_t i = 0; i < network.data.size(); ++i) {
    values["data" + std::to_string(i)] = network.data[i];
  }
  const bool classes = network.loss == Loss::kCrossEntropy;
  values[classes ? "labels" : "targets"] = network.labels.at(0);
  for (const StateTensor& state : step.state) {
    values[state.name] = {state.initial.begin(), state.initial.end()};
    values[state.name].resize(static_cast<std::size_t>(state.type.Elements()));
  }
  return values;
}

}  // namespace tpu::tensor
