// SPDX-License-Identifier: Apache-2.0
// Where a run's cycles went, layer by layer, as text and as JSON.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "executable/executable.h"
#include "profile/measure.h"

namespace tpu::tools {

/// Columns that names of layers take, with a space behind them; at least so many.
std::size_t NameWidth(const std::vector<executable::Layer>& layers, std::size_t least);

/// A line per layer and one for the whole run, with what bounds it and the two largest causes for
/// which the array did nothing useful. Cycles are left out where they are not known.
std::string LayerTable(const executable::Executable& executable,
                       const profile::Measurement& measurement);

/// The run's report (profile/report.h) with "ideal_cycles", "bound", "array" (cycles by
/// runtime::ArrayTime), "layers", "sim_seconds", "sim_cycles_per_second" and "passed". On a device
/// without time cycles and counters are 0.
nlohmann::ordered_json RunJson(const executable::Executable& executable,
                               const profile::Measurement& measurement,
                               const std::optional<std::string>& fault);

}  // namespace tpu::tools
