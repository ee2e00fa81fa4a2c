// The machines that `--config` names, and devices for them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "isa/hardware_config.h"
#include "runtime/device.h"
#include "sim/rtl_device.h"

namespace tpu::tools {

struct Machine {
  const char* name;  ///< E.g. "N16".
  isa::HardwareConfig config;
  sim::RtlFactory* make_rtl;
  sim::RtlFactory* make_traced_rtl;  ///< With waveforms; null: not built.
};

/// Those of sim/CMakeLists.txt.
std::span<const Machine> Machines();

/// Throws tpu::Error listing the names there are.
const Machine& FindMachine(const std::string& name);

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
