// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/page.h"

namespace tpu::tools {

std::string FillPage(std::string_view page, const nlohmann::ordered_json& data) {
  const std::size_t place = page.find(kDataPlaceholder);
  std::string filled(page.substr(0, place));
  // In JSON '<' occurs in strings only. Escaped, no name can end the script element.
  for (const char c : data.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace)) {
    if (c == '<') {
      filled += "\\u003c";
    } else {
      filled += c;
    }
  }
  filled += page.substr(place + kDataPlaceholder.size());
  return filled;
}

}  // namespace tpu::tools
