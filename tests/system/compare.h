// SPDX-License-Identifier: Apache-2.0
// The same executable on a device and on the golden model.
#pragma once

#include <cstdint>
#include <vector>

#include "executable/executable.h"
#include "runtime/device.h"
#include "runtime/session.h"

namespace tpu::system_test {

/// Runs the executable on both and expects the same bytes in all of its memory, the array's
/// counters to sum to the cycles, and neither to report an error. `inputs` in the order of
/// executable.inputs. Returns the device's report.
runtime::RunReport ExpectSameMemory(runtime::Device& device,
                                    const executable::Executable& executable,
                                    const std::vector<std::vector<std::int8_t>>& inputs);

}  // namespace tpu::system_test
