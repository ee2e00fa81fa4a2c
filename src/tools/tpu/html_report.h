// SPDX-License-Identifier: Apache-2.0
// A run's report as one page for a browser.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "executable/executable.h"
#include "tools/tpu/timeline.h"

namespace tpu::tools {

/// The page report.html with its data. `report` is what `tpu run --report` writes. The page needs
/// nothing but itself; names from the model can hold anything.
std::string HtmlReport(const nlohmann::ordered_json& report,
                       const executable::Executable& executable, std::span<const Track> tracks);

}  // namespace tpu::tools
