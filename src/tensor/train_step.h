// SPDX-License-Identifier: Apache-2.0
// From a model to the graphs that train it. A graph's output with the name of an input is what that
// input is at the next run: the state, which stays on the device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tensor/graph.h"
#include "tensor/optimizers.h"

namespace tpu::tensor {

/// An input of a model's graph that training changes.
struct Parameter {
  ValueId value = 0;
  std::vector<float> initial;
};

/// A graph whose inputs are data and parameters, all of f32.
struct Model {
  Graph graph;
  std::vector<Parameter> parameters;
  ValueId prediction = 0;
  /// What a softmax makes the prediction of, when the model ends in one.
  std::optional<ValueId> logits;
};

enum class Loss : std::uint8_t { kCrossEntropy, kMeanSquaredError };

struct TrainingOptions {
  Loss loss = Loss::kCrossEntropy;
  Optimizer optimizer = Sgd{};
  /// A step's gradient is the mean over so many batches, which run one after the other.
  std::int64_t micro_batches = 1;
  /// Whether the array multiplies bf16 (bfloat16.h).
  bool bfloat16 = true;
};

struct StateTensor {
  std::string name;
  TensorType type;
  std::vector<float> initial;  ///< Empty: zeros.
};

/// Inputs of both graphs: the state, the model's data, and "labels" (classes as s32, for
/// cross-entropy; CheckLabels in losses.h tells wrong ones) or "targets". Outputs: "loss", the mean
/// over the batch, and the new state.
struct TrainStep {
  /// For the last batch of a step; has the inputs "learning_rate" (f32) and, when the optimiser
  /// wants it, "step" (s32, from 1).
  Graph update;
  /// For the batches before: adds up gradients. None with one batch a step.
  std::optional<Graph> accumulate;
  /// Parameters by their own names, then "NAME/gradient_sum" and "NAME/MOMENT".
  std::vector<StateTensor> state;
};

/// Throws TypeError when the model's output is nothing that the loss takes.
TrainStep MakeTrainStep(const Model& model, const TrainingOptions& options);

}  // namespace tpu::tensor
