// SPDX-License-Identifier: Apache-2.0
#include "training/evaluate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/error.h"
#include "training/byte_values.h"

namespace tpu::training {
namespace {

double SquaredError(std::span<const float> prediction, std::span<const float> targets) {
  double sum = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double difference = static_cast<double>(prediction[i]) - static_cast<double>(targets[i]);
    sum += difference * difference;
  }
  return sum / static_cast<double>(targets.size());
}

}  // namespace

double Accuracy(std::span<const float> prediction, std::span<const std::int32_t> labels,
                std::int64_t classes) {
  const auto size = static_cast<std::size_t>(classes);
  std::size_t right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto row = prediction.subspan(i * size, size);
    const bool finite = std::ranges::all_of(row, [](float x) { return std::isfinite(x); });
    const auto largest = std::ranges::max_element(row) - row.begin();
    right += finite && largest == labels[i] ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(labels.size());
}

void ApplySoftmax(std::vector<float>& rows, std::int64_t classes) {
  const auto size = static_cast<std::size_t>(classes);
  for (std::size_t first = 0; first + size <= rows.size(); first += size) {
    const std::span<float> row = std::span(rows).subspan(first, size);
    const float largest = *std::ranges::max_element(row);
    double sum = 0;
    for (float& x : row) sum += static_cast<double>(x = std::exp(x - largest));
    for (float& x : row) x = static_cast<float>(static_cast<double>(x) / sum);
  }
}

Quality Evaluate(StepMachine& machine, const Examples& examples, const EvaluateOptions& options) {
  if (examples.count() == 0) throw InternalError("an evaluation without examples");
  Quality quality;
  const bool classes = examples.type().classes > 0;
  for (std::int64_t first = 0; first < examples.count(); first += options.batch) {
    const std::int64_t real = std::min(options.batch, examples.count() - first);
    std::vector<std::int64_t> which;
    for (std::int64_t i = 0; i < options.batch; ++i) which.push_back(first + std::min(i, real - 1));
    PredictRun run = machine.Predict(examples.Inputs(which));
    Add(quality.cost, run.report);
    which.resize(static_cast<std::size_t>(real));
    const Bytes labels = examples.Labels(which);
    double part = 0;
    if (classes) {
      part = Accuracy(run.prediction, ValuesOf<std::int32_t>(labels), examples.type().classes);
    } else {
      if (options.softmax) ApplySoftmax(run.prediction, examples.type().label.back());
      part = SquaredError(run.prediction, ValuesOf<float>(labels));
    }
    quality.value += part * static_cast<double>(real);
  }
  quality.value /= static_cast<double>(examples.count());
  return quality;
}

}  // namespace tpu::training
