// SPDX-License-Identifier: Apache-2.0
// The devices of `tpu_scaling`: the RTL as one design in four sizes.
#include <array>

#include "devices/rtl/machines.h"
#include "tools/devices.h"

namespace tpu::tools {

void RegisterDevices() {
  static constexpr std::array kMachines = {sim::kN8, sim::kN16, sim::kN32, sim::kN64};
  RegisterDevice(sim::RtlKind(kMachines));
}

}  // namespace tpu::tools
