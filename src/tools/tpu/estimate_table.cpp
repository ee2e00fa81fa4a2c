// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/estimate_table.h"

#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "tools/format.h"
#include "tools/tpu/estimated_cycles.h"

namespace tpu::tools {
namespace {

constexpr std::string_view kEstimateColumns = "{:<58}{:>10}{:>10}{:>9}{:>10}  {}\n";

// One estimate is so short that other work on the host may slow all of it down, or none of it. So
// the estimate is repeated for this share of the measured run's time: then other work weighs alike
// in both.
constexpr double kShareOfRun = 0.25;

std::string SignedPercent(double share) { return fmt::format("{:+.2f} %", 100.0 * share); }

std::string Line(const std::string& name, const EstimateResult& result, const std::string& layer) {
  return fmt::format(kEstimateColumns, name, Grouped(result.run.measured),
                     Grouped(result.run.estimate), SignedPercent(result.run.Error()),
                     fmt::format("{:.0f} x", result.measured_seconds / result.seconds), layer);
}

}  // namespace

double EstimatedCycles::Error() const {
  if (estimate == measured) return 0.0;
  if (measured == 0) return 1.0;
  return (static_cast<double>(estimate) - static_cast<double>(measured)) /
         static_cast<double>(measured);
}

EstimateResult CompareEstimate(const executable::Executable& executable,
                               const Measurement& measurement) {
  EstimateResult result;
  result.measured_seconds = measurement.report.seconds;
  result.run.measured = measurement.report.cycles;
  CycleEstimate estimate;
  const auto start = std::chrono::steady_clock::now();
  std::chrono::duration<double> elapsed{};
  int repetitions = 0;
  do {
    estimate = EstimateCycles(executable, measurement.report.course);
    elapsed = std::chrono::steady_clock::now() - start;
    ++repetitions;
  } while (elapsed.count() < kShareOfRun * measurement.report.seconds);
  result.seconds = elapsed.count() / repetitions;
  result.run.estimate = estimate.cycles;
  for (std::size_t i = 0; i < estimate.layers.size(); ++i) {
    const EstimatedCycles cycles = {
        estimate.layers[i],
        runtime::Count(measurement.layers.at(i).counters, isa::Counter::kCycles)};
    if (i != 0 && std::abs(cycles.Error()) <= std::abs(result.layer_cycles.Error())) continue;
    result.layer_cycles = cycles;
    result.layer = executable.layers[i].name;
  }
  return result;
}

std::string EstimateHeading() {
  return "estimated by the performance model, and the layer with the largest error\n" +
         fmt::format(kEstimateColumns, "workload", "cycles", "estimate", "error", "faster",
                     "layer");
}

std::string EstimateLine(const std::string& name, const EstimateResult& result) {
  const EstimatedCycles& layer = result.layer_cycles;
  return Line(name, result,
              fmt::format("{}: {} instead of {}, {}", result.layer, layer.estimate, layer.measured,
                          SignedPercent(layer.Error())));
}

std::string EstimateTotalLine(const std::string& name, const std::vector<EstimateResult>& results) {
  EstimateResult total;
  for (const EstimateResult& result : results) {
    total.run.measured += result.run.measured;
    total.run.estimate += result.run.estimate;
    total.measured_seconds += result.measured_seconds;
    total.seconds += result.seconds;
  }
  return Line(name + ", together", total, "") + "\n";
}

nlohmann::ordered_json ToJson(const EstimateResult& result) {
  const EstimatedCycles& layer = result.layer_cycles;
  return {{"cycles", result.run.estimate},
          {"error", result.run.Error()},
          {"seconds", result.seconds},
          {"times_faster", result.measured_seconds / result.seconds},
          {"worst_layer",
           {{"name", result.layer},
            {"estimate", layer.estimate},
            {"cycles", layer.measured},
            {"error", layer.Error()}}}};
}

}  // namespace tpu::tools
