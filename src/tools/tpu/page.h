// SPDX-License-Identifier: Apache-2.0
// Pages for a browser: text with data in it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace tpu::tools {

/// Stands in a page where the data belongs.
inline constexpr std::string_view kDataPlaceholder = "{{DATA}}";

/// The page with the data. Nothing that the data says can end the element that it stands in.
std::string FillPage(std::string_view page, const nlohmann::ordered_json& data);

}  // namespace tpu::tools
