// SPDX-License-Identifier: Apache-2.0
// The devices of `make sim`: the default machine, and the one with floating point, which trains.
#include <array>

#include "devices/rtl/machines.h"
#include "tools/devices.h"

namespace tpu::tools {

void RegisterDevices() {
  static constexpr std::array kMachines = {devices::kN16, devices::kN16Bf16};
  RegisterDevice(devices::RtlKind(kMachines));
}

}  // namespace tpu::tools
