// SPDX-License-Identifier: Apache-2.0
// What `tpu train` does, from the model's file to the trained one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/devices.h"

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

/// Returns the exit status. Throws Failure when the training diverges, and tpu::Error for what is
/// wrong with the options and the files; as far as that can be known before the first step.
int Train(const TrainFlags& flags);

}  // namespace tpu::tools
