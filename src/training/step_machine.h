// SPDX-License-Identifier: Apache-2.0
// What trains: a device with the state in its memory, or anything that acts like one.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/session.h"
#include "training/history.h"

namespace tpu::training {

/// A batch as it lies in memory: float32, then int32 or float32.
struct Batch {
  Bytes inputs;
  Bytes labels;
};

struct BatchRun {
  float loss = 0;  ///< The mean over the batch.
  runtime::RunReport report;
};

struct PredictRun {
  std::vector<float> prediction;  ///< Before a softmax at the model's end.
  runtime::RunReport report;
};

/// The state is a list of float32 tensors, in the order of tensor::TrainStep::state: first the
/// parameters.
class StepMachine {
 public:
  StepMachine() = default;
  StepMachine(const StepMachine&) = delete;
  StepMachine& operator=(const StepMachine&) = delete;
  virtual ~StepMachine() = default;

  virtual void SetState(const std::vector<Bytes>& state) = 0;
  [[nodiscard]] virtual std::vector<Bytes> State() const = 0;
  /// The beginning of State.
  [[nodiscard]] virtual std::vector<Bytes> Parameters() const = 0;

  /// All batches of a step but the last one. Adds up gradients.
  virtual BatchRun Accumulate(const Batch& batch) = 0;
  /// The last batch of a step. Steps count from 1 here.
  virtual BatchRun Update(const Batch& batch, float learning_rate, std::uint64_t step) = 0;
  virtual PredictRun Predict(const Bytes& inputs) = 0;
};

}  // namespace tpu::training
