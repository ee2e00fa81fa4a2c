// SPDX-License-Identifier: Apache-2.0
// How good a model is on examples that it did not learn from.
#pragma once

#include <cstdint>

#include "training/examples.h"
#include "training/step_machine.h"

namespace tpu::training {

struct EvaluateOptions {
  std::int64_t batch = 1;
  /// Whether the model ends in a softmax, which `prediction` leaves out and the targets of a mean
  /// squared error mean.
  bool softmax = false;
};

/// The share of labels that are the class with the largest prediction, the first of several. A row
/// with a number that is not finite is wrong.
double Accuracy(std::span<const float> prediction, std::span<const std::int32_t> labels,
                std::int64_t classes);

/// Softmax of each row.
void ApplySoftmax(std::vector<float>& rows, std::int64_t classes);

struct Quality {
  double value = 0;  ///< The accuracy, or the mean squared error of examples with targets.
  runtime::RunReport cost;
};

/// Runs whole batches; examples that are missing from the last one are the last example again, and
/// do not count.
Quality Evaluate(StepMachine& machine, const Examples& examples, const EvaluateOptions& options);

}  // namespace tpu::training
