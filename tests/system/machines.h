// The machines that system tests run on: every configuration as golden model and, where it was
// built, as RTL.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "isa/hardware_config.h"
#include "runtime/device.h"

namespace tpu::system_test {

struct Machine {
  std::string name;  ///< E.g. "n4_rtl".
  isa::HardwareConfig config;
  bool rtl = false;
};

inline std::ostream& operator<<(std::ostream& out, const Machine& machine) {
  return out << machine.name;
}

/// All of them.
std::vector<Machine> Machines();

/// A machine after power-on. `seed` chooses what registers and memories without reset start with,
/// and when not 0 makes the memory stall at random.
std::unique_ptr<runtime::Device> MakeDevice(const Machine& machine, std::uint64_t stall_seed = 0);

/// The golden model of the same configuration.
std::unique_ptr<runtime::Device> MakeGolden(const Machine& machine);

}  // namespace tpu::system_test
