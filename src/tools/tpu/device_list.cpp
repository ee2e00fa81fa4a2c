// SPDX-License-Identifier: Apache-2.0
// The devices of `tpu`: the RTL as the default machine, and as the small ones of the tests.
#include <array>

#include "devices/rtl/machines.h"
#include "tools/devices.h"

namespace tpu::tools {

void RegisterDevices() {
  static constexpr std::array kMachines = {
      devices::Machine{devices::kN16.name, devices::kN16.config, devices::MakeN16,
                       devices::MakeN16Trace},
      devices::kN16Bf16,
      devices::kSmallN4,
      devices::kSmallN8,
      devices::kSmallN32,
  };
  RegisterDevice(devices::RtlKind(kMachines));
}

}  // namespace tpu::tools
