// SPDX-License-Identifier: Apache-2.0
// The devices of a `tpu` without Verilated machines, which is built sooner and runs faster: the
// golden model also stands for the default device.
#include <memory>

#include "tools/devices.h"
#include "tpu/device.h"

namespace tpu::tools {

void RegisterDevices() {
  HardwareConfig small = {.n = 4, .ub_rows = 512, .acc_rows = 64, .param_rows = 16};
  HardwareConfig bf16;
  bf16.bf16 = 1;
  RegisterDevice({.name = kDefaultDevice,
                  .description = "the golden model by another name",
                  .abilities = {},
                  .machines = {{"N16", {}}, {"N16-bf16", bf16}, {"N4-small", small}},
                  .make = [](const HardwareConfig& config, const DeviceOptions&) {
                    return MakeDevice(kReferenceDevice, config);
                  }});
}

}  // namespace tpu::tools
