// SPDX-License-Identifier: Apache-2.0
#include "bindings/json.h"

#include <string>

namespace tpu::python {

namespace nb = nanobind;

nb::object FromJson(const nlohmann::ordered_json& json) {
  const std::string text =
      json.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
  return nb::module_::import_("json").attr("loads")(nb::str(text.data(), text.size()));
}

}  // namespace tpu::python
