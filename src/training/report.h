// SPDX-License-Identifier: Apache-2.0
// A run of training as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "isa/hardware_config.h"
#include "training/history.h"
#include "training/settings.h"

namespace tpu::training {

/// What the report says beside the history and the settings.
struct ReportFacts {
  std::string model;
  std::string backend;
  isa::HardwareConfig config;
  std::uint64_t parameters = 0;  ///< Numbers that training changes.
  std::int64_t examples = 0;
  std::int64_t test_examples = 0;  ///< 0: none.
  std::uint64_t steps_per_epoch = 1;
  std::string ending;      ///< "done", "interrupted", "diverged".
  std::string divergence;  ///< Which step, and where; empty: none.
  double seconds = 0;      ///< Of the steps of this process, without evaluations.
  std::uint64_t steps_here = 0;
};

/// "loss" and "weights_crc32" have one element for each step, "evaluations" one for each time that
/// the model was tested; "accuracy" (or "mean_squared_error") is the last one. "cycles", "macs",
/// "utilization" and "counters" are those of all steps, without tests; 0 on a device without time.
nlohmann::ordered_json Report(const ReportFacts& facts, const Settings& settings,
                              const History& history);

}  // namespace tpu::training
