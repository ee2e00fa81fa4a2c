// SPDX-License-Identifier: Apache-2.0
// The machines that `--config` names, and devices for them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "isa/hardware_config.h"
#include "runtime/device.h"
#include "sim/machines.h"

namespace tpu::tools {

/// Those that the program is linked with.
std::span<const sim::Machine> Machines();

/// Throws tpu::Error listing the names there are.
const sim::Machine& FindMachine(const std::string& name);

/// A device, and the same as RTL when it is one.
struct Backend {
  std::unique_ptr<runtime::Device> device;
  sim::RtlDevice* rtl = nullptr;
};

/// `name` is "rtl" or "golden". Throws tpu::Error when waveforms (`wave_file` not empty) cannot
/// be had.
Backend MakeBackend(const std::string& name, const isa::HardwareConfig& config,
                    const std::string& wave_file = {});

}  // namespace tpu::tools
