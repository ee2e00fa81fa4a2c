// SPDX-License-Identifier: Apache-2.0
// What a run of training is told.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tensor/train_step.h"
#include "training/schedule.h"

namespace tpu::training {

struct Settings {
  tensor::Loss loss = tensor::Loss::kCrossEntropy;
  tensor::Optimizer optimizer = tensor::Sgd{};
  double learning_rate = 0.01;
  Schedule schedule = Schedule::kConstant;
  std::int64_t batch = 32;
  std::int64_t accumulate = 1;  ///< Batches a step.
  std::uint64_t seed = 1;
  std::vector<std::string> also_trained;  ///< Names of constants that are no weights by themselves.
  std::uint64_t steps = 1;                ///< From the very first one to the last.
  std::string config;                     ///< The machine's name.
};

/// As the command line calls them: "cross-entropy", "adam", "cosine".
std::string NameOf(tensor::Loss loss);
std::string NameOf(const tensor::Optimizer& optimizer);
std::string NameOf(Schedule schedule);

/// The optimiser of that name with its usual factors. Throws tpu::Error when there is none.
tensor::Optimizer OptimizerOf(const std::string& name);

/// The schedule of that name. Throws tpu::Error when there is none.
Schedule ScheduleOf(const std::string& name);

/// Options and their values, e.g. "--batch" and "32".
using OptionTexts = std::vector<std::pair<std::string, std::string>>;

/// Those that a run must share with the run that it continues, so that it is the same to the bit.
/// How many steps there are belongs to them only when the learning rate depends on it.
OptionTexts LastingOptions(const Settings& settings);

}  // namespace tpu::training
