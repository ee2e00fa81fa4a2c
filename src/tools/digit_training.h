// SPDX-License-Identifier: Apache-2.0
// A network that learns to read handwritten digits on a device.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/compile_training.h"
#include "isa/hardware_config.h"
#include "runtime/device.h"
#include "tensor/from_tflite/from_tflite.h"
#include "tensor/train_step.h"
#include "training/examples.h"
#include "training/history.h"
#include "training/settings.h"
#include "workloads/digits.h"

namespace tpu::tools {

/// How to learn. The defaults read 95 % of new images.
struct DigitTrainingOptions {
  std::string directory;  ///< With trainset.json and testset.json.
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> steps;  ///< Fewer or more than the usual ones.
};

/// What a device made of it.
struct DigitTrainingRun {
  training::History history;
  std::string divergence;              ///< Empty: all numbers were finite.
  std::vector<training::Bytes> state;  ///< At the end: weights, and what the optimiser keeps.
  std::vector<float> scores;           ///< Of the first test images, ten each.
  double seconds = 0.0;
};

/// A multilayer perceptron with random weights, compiled, and the images.
class DigitTraining {
 public:
  using Progress = std::function<void(const training::History& history, std::uint64_t cycles)>;

  /// Throws tpu::Error when a file is wrong or the machine cannot train.
  DigitTraining(const DigitTrainingOptions& options, const isa::HardwareConfig& config);

  /// All steps, with a test after each epoch. `progress` hears of the cycles in the run at hand.
  [[nodiscard]] DigitTrainingRun Run(runtime::Device& device, const Progress& progress) const;

  /// As training/report.h has it.
  [[nodiscard]] nlohmann::ordered_json Report(const std::string& backend,
                                              const DigitTrainingRun& run) const;

  [[nodiscard]] const training::Settings& settings() const { return settings_; }
  [[nodiscard]] std::uint64_t steps_per_epoch() const { return steps_per_epoch_; }
  /// Images that are not learnt from, those of DigitTrainingRun::scores first.
  [[nodiscard]] std::span<const workloads::Digit> tests() const { return tests_; }

 private:
  isa::HardwareConfig config_;
  training::Settings settings_;
  tensor::FromTfliteResult network_;
  tensor::TrainStep step_;
  compiler::TrainingExecutables executables_;
  std::vector<workloads::Digit> tests_;
  std::optional<training::Examples> examples_;
  std::optional<training::Examples> test_examples_;
  std::uint64_t steps_per_epoch_ = 1;
};

/// The first thing in which two runs differ: a loss, weights after a step, an accuracy, the state
/// or the scores at the end. Bits count.
std::optional<std::string> TrainingFault(const DigitTrainingRun& expected,
                                         const DigitTrainingRun& actual);

/// The digit that each row of ten scores names.
std::vector<int> DigitsOf(std::span<const float> scores);

/// The losses as a curve, with the accuracy after each epoch below.
std::string DrawTraining(const DigitTraining& training, const DigitTrainingRun& run);

}  // namespace tpu::tools
