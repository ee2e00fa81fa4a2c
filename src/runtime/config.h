// SPDX-License-Identifier: Apache-2.0
// Asking a device what it is.
#pragma once

#include <cstdint>

#include "isa/hardware_config.h"
#include "isa/registers.h"
#include "runtime/device.h"

namespace tpu::runtime {

inline std::uint32_t ReadRegister(Device& device, isa::Register reg) {
  return device.ReadRegister(static_cast<std::uint32_t>(reg));
}
inline void WriteRegister(Device& device, isa::Register reg, std::uint32_t value) {
  device.WriteRegister(static_cast<std::uint32_t>(reg), value);
}

/// The parameters the machine was built with. Throws tpu::Error when the device is not a TPU or
/// has an interface version this software does not know, naming what was found.
isa::HardwareConfig ReadConfig(Device& device);

/// Throws tpu::Error naming the first parameter in which `wanted` (what a program was compiled for)
/// and `found` (what the device has) differ.
void RequireConfig(const isa::HardwareConfig& wanted, const isa::HardwareConfig& found);

/// Stops whatever runs, clears errors and waits until the machine is idle again. Throws
/// tpu::Error when it does not become idle.
void SoftReset(Device& device);

}  // namespace tpu::runtime
