// SPDX-License-Identifier: Apache-2.0
// The device of the `tpu` that counts what runs in the default machine with floating point.
#include <array>

#include "devices/rtl/machines.h"
#include "tools/devices.h"

namespace tpu::tools {

void RegisterDevices() {
  static constexpr std::array kMachines = {devices::kN16Bf16};
  RegisterDevice(devices::RtlKind(kMachines));
}

}  // namespace tpu::tools
