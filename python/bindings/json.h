// SPDX-License-Identifier: Apache-2.0
// Reports as Python's own objects.
#pragma once

#include <nanobind/nanobind.h>

#include <nlohmann/json.hpp>

namespace tpu::python {

/// Objects become dictionaries in the same order.
nanobind::object FromJson(const nlohmann::ordered_json& json);

}  // namespace tpu::python
