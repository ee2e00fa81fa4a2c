// SPDX-License-Identifier: Apache-2.0
// The machines that system tests run on: every configuration as golden model and as
// RTL.
#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "devices/rtl/rtl_device.h"
#include "executable/executable.h"
#include "isa/hardware_config.h"
#include "runtime/device.h"

namespace tpu::system_test {

struct Machine {
  std::string name;  ///< E.g. "n4_rtl".
  isa::HardwareConfig config;
  devices::RtlFactory* make_rtl = nullptr;  ///< Null: the golden model.
};

inline std::ostream& operator<<(std::ostream& out, const Machine& machine) {
  return out << machine.name;
}

/// All machines, only the golden ones, only the simulated ones.
std::vector<Machine> AllMachines();
std::vector<Machine> GoldenMachines();
std::vector<Machine> RtlMachines();

/// A machine after power-on, its memory empty.
std::unique_ptr<runtime::Device> MakeDevice(const Machine& machine);

/// The same without the bus checker and with little memory latency, for long programs.
std::unique_ptr<runtime::Device> MakeFastDevice(const Machine& machine);

/// A simulated machine with the bus checker on. With `stall_seed` the memory pauses at random.
std::unique_ptr<devices::RtlDevice> MakeRtl(const Machine& machine,
                                            std::optional<std::uint64_t> stall_seed = {});

/// Loads an executable of one program and fills the registers, without starting.
void Prepare(runtime::Device& device, const executable::Executable& executable);

}  // namespace tpu::system_test
