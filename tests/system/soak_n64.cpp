// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tests/system/soak_machines.h"

namespace tpu::system_test {

std::span<const devices::Machine> SoakMachines() {
  static constexpr std::array<devices::Machine, 1> kMachines = {devices::kN64};
  return kMachines;
}

}  // namespace tpu::system_test
