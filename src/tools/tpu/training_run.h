// SPDX-License-Identifier: Apache-2.0
// A run of training, from the model's file to the trained one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/devices.h"
#include "training/history.h"
#include "training/settings.h"

namespace tpu::tools {

/// The options of `tpu train`. Names of files that are empty were not given.
struct TrainFlags {
  std::string model;
  std::string inputs;
  std::string labels;
  std::string test_inputs;
  std::string test_labels;
  std::string loss = "cross-entropy";
  std::string optimizer = "sgd";
  std::string schedule = "constant";
  std::optional<double> learning_rate;
  std::optional<double> momentum;
  std::optional<double> weight_decay;
  std::int64_t batch = 32;
  std::int64_t accumulate = 1;
  std::optional<std::uint64_t> epochs;
  std::optional<std::uint64_t> steps;
  std::uint64_t seed = 1;
  bool initialise = false;
  std::vector<std::string> also_trained;
  std::string backend = kDefaultDevice;
  std::string config = "N16-bf16";
  std::string output;
  std::string checkpoint;
  std::uint64_t checkpoint_every = 0;
  std::string resume;
  std::string report;
  std::string html;
};

/// What a run is going to do.
struct TrainPlan {
  training::Settings settings;
  std::uint64_t steps_per_epoch = 1;
  bool tested = false;  ///< Whether there are examples to test with.
};

/// How long this process took for steps, without tests and checkpoints.
struct StepTime {
  double seconds = 0;
  std::uint64_t steps = 0;
};

/// Is told how a run goes on, and asked whether it may.
class TrainWatcher {
 public:
  TrainWatcher() = default;
  TrainWatcher(const TrainWatcher&) = delete;
  TrainWatcher& operator=(const TrainWatcher&) = delete;
  virtual ~TrainWatcher() = default;

  /// Before the first step.
  virtual void Begin(const TrainPlan& plan) = 0;
  /// After each step.
  virtual void Step(const training::History& history, const StepTime& time) = 0;
  /// After each test.
  virtual void Test(const training::History& history) = 0;
  /// In the middle of a run of `history`'s next step, which may be the last one.
  virtual void Cycles(const training::History& history, std::uint64_t cycles) = 0;
  /// Whether to stop after the step at hand.
  virtual bool Interrupted() = 0;
  /// After the last step.
  virtual void End() = 0;
};

/// How a run came to its end.
struct TrainOutcome {
  bool interrupted = false;
  std::string summary;  ///< A line about it.
};

/// Trains and writes the files that the flags name. Throws Failure when the training diverges, and
/// tpu::Error for what is wrong with the options and the files; as far as that can be known before
/// the first step.
TrainOutcome Train(const TrainFlags& flags, TrainWatcher& watcher);

}  // namespace tpu::tools
