// SPDX-License-Identifier: Apache-2.0
#include "tests/system/run_case.h"
#include "tests/system/soak_machines.h"

namespace tpu::system_test {

std::span<const devices::Machine> SoakMachines() { return kBf16Machines; }

}  // namespace tpu::system_test
