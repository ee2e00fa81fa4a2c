// SPDX-License-Identifier: Apache-2.0
// The same executable on two devices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "executable/executable.h"
#include "runtime/device.h"
#include "runtime/session.h"

namespace tpu::system_test {

/// Runs the executable on both and compares the bytes of all its memory. `inputs` in the order of
/// executable.inputs. Returns the first difference in words, empty if there is none; `report` is
/// the device's. Throws what the session throws.
std::string FindDifference(runtime::Device& golden, runtime::Device& device,
                           const executable::Executable& executable,
                           const std::vector<std::vector<std::int8_t>>& inputs,
                           runtime::RunReport& report);

}  // namespace tpu::system_test
