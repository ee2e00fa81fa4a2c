// SPDX-License-Identifier: Apache-2.0
// The devices of `tpu_scaling`: the RTL as one design in four sizes.
#include <array>

#include "devices/rtl/machines.h"
#include "tools/devices.h"

namespace tpu::tools {

void RegisterDevices() {
  static constexpr std::array kMachines = {devices::kN8, devices::kN16, devices::kN32,
                                           devices::kN64};
  RegisterDevice(devices::RtlKind(kMachines));
}

}  // namespace tpu::tools
