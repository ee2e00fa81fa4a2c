// SPDX-License-Identifier: Apache-2.0
// The devices of `tpu`: the RTL as the default machine, and as the small ones of the tests.
#include <array>

#include "devices/rtl/machines.h"
#include "tools/devices.h"

namespace tpu::tools {

void RegisterDevices() {
  static constexpr std::array kMachines = {
      sim::Machine{sim::kN16.name, sim::kN16.config, sim::MakeN16, sim::MakeN16Trace},
      sim::kSmallN4,
      sim::kSmallN8,
      sim::kSmallN32,
  };
  RegisterDevice(sim::RtlKind(kMachines));
}

}  // namespace tpu::tools
