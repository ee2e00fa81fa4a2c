// SPDX-License-Identifier: Apache-2.0
// The table that `make sim` prints, and the same as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "isa/hardware_config.h"
#include "runtime/session.h"

namespace tpu::tools {

/// One line of the table: a workload, all of its runs together.
struct Result {
  std::string name;
  runtime::RunReport report;
  std::optional<std::string> fault;  ///< What is wrong with the results.
};

/// The lines above the table: the machine, and the names of the columns.
std::string TableHeading(std::string_view backend, const isa::HardwareConfig& config);

/// Shares that a workload has no use for, and what a machine without time cannot tell, are left
/// out.
std::string TableLine(const isa::HardwareConfig& config, const Result& result);
/// A line with the time of a run on a device whose cycles take time; otherwise nothing.
std::string TimeLine(const runtime::RunReport& report);

/// The run's report (profile/report.h) with "name", "sim_seconds", "sim_cycles_per_second",
/// "passed".
nlohmann::ordered_json ToJson(const isa::HardwareConfig& config, const Result& result);

}  // namespace tpu::tools
