// SPDX-License-Identifier: Apache-2.0
// A run of training as a page for a browser.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tpu::tools {

/// The page shows the report of `tpu train` and loads nothing else.
std::string TrainPage(const nlohmann::ordered_json& report);

}  // namespace tpu::tools
