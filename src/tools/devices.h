// SPDX-License-Identifier: Apache-2.0
// The devices that `--backend` names, and the machines that `--config` names.
#pragma once

#include <string>
#include <vector>

#include "tpu/device.h"

namespace tpu::tools {

/// The kind of device that runs programs unless the command line says otherwise.
inline constexpr const char* kDefaultDevice = "rtl";
/// The kind of device that defines what a program means: results of others are compared with its
/// own.
inline constexpr const char* kReferenceDevice = "golden";

/// Registers the devices that the program is linked with. Each program has its own, and calls it
/// first.
void RegisterDevices();

/// Of all devices.
std::vector<std::string> DeviceNames();
/// Of all devices, in the order in which they were registered.
std::vector<NamedMachine> Machines();

/// The machine that `--config` calls `name`; "N16-bf16" is the machine N16 with bf16. Throws
/// tpu::Error listing the names there are.
HardwareConfig FindMachine(const std::string& name);

/// Throws tpu::Error naming `option`, which needs `ability` of a device, for a device without it.
/// `what` is what the device lacks.
void RequireAbility(const char* option, const std::string& device, bool DeviceAbilities::*ability,
                    const char* what);

}  // namespace tpu::tools
