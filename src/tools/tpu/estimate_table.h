// SPDX-License-Identifier: Apache-2.0
// How far the performance model's estimates are from measured cycles.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "executable/executable.h"
#include "tools/tpu/measure.h"

namespace tpu::tools {

/// An estimate and what was measured.
struct EstimatedCycles {
  std::uint64_t estimate = 0;
  std::uint64_t measured = 0;

  /// Difference as a share of what was measured; negative: the estimate is too low.
  [[nodiscard]] double Error() const;
};

struct EstimateResult {
  EstimatedCycles run;
  std::string layer;  ///< The one with the largest error.
  EstimatedCycles layer_cycles;
  double seconds = 0.0;           ///< Wall-clock time of the estimate, on average of many,
  double measured_seconds = 0.0;  ///< and of the measured run.
};

/// Estimates the executable's cycles and compares, for the run and for each layer.
EstimateResult CompareEstimate(const executable::Executable& executable,
                               const Measurement& measurement);

std::string EstimateHeading();
std::string EstimateLine(const std::string& name, const EstimateResult& result);
/// Sums over several runs: cycles, and the time that all runs and all estimates took.
std::string EstimateTotalLine(const std::string& name, const std::vector<EstimateResult>& results);

/// "cycles", "error", "seconds", "times_faster", and "worst_layer" with "name", "estimate",
/// "cycles" and "error".
nlohmann::ordered_json ToJson(const EstimateResult& result);

}  // namespace tpu::tools
