// SPDX-License-Identifier: Apache-2.0
#include "tests/system/soak_machines.h"

#include "tests/system/run_case.h"

namespace tpu::system_test {

std::span<const devices::Machine> SoakMachines() { return kTestMachines; }

}  // namespace tpu::system_test
