// SPDX-License-Identifier: Apache-2.0
// The devices of the Python module and of the LiteRT delegate: the RTL as the machines of `tpu`,
// without waveforms, which take longest to compile.
#include <array>

#include "devices/rtl/machines.h"
#include "tools/devices.h"

namespace tpu::tools {

void RegisterDevices() {
  static constexpr std::array kMachines = {devices::kN16, devices::kN16Bf16, devices::kSmallN4,
                                           devices::kSmallN8, devices::kSmallN32};
  RegisterDevice(devices::RtlKind(kMachines));
}

}  // namespace tpu::tools
