// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tests/system/soak_machines.h"

namespace tpu::system_test {

std::span<const sim::Machine> SoakMachines() {
  static constexpr std::array<sim::Machine, 1> kMachines = {sim::kN64};
  return kMachines;
}

}  // namespace tpu::system_test
