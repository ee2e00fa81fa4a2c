// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/machines.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "tpu/device.h"

namespace tpu::tools {
namespace {

std::unique_ptr<sim::RtlDevice> MakeRtl(const sim::Machine& machine, const std::string& wave_file) {
  if (wave_file.empty()) return machine.make({});
  if (machine.make_traced == nullptr) {
    throw Error::Format("--wave: machine {} is not built with waveforms", machine.name);
  }
  sim::RtlOptions options;
  options.wave_file = wave_file;
  return machine.make_traced(options);
}

}  // namespace

const sim::Machine& FindMachine(const std::string& name) {
  const std::span<const sim::Machine> machines = Machines();
  const auto found = std::ranges::find(machines, name, &sim::Machine::name);
  if (found != machines.end()) return *found;
  std::string names;
  for (const sim::Machine& machine : machines) {
    names += names.empty() ? "" : ", ";
    names += machine.name;
  }
  throw Error::Format("--config {}: no such machine; there are {}", name, names);
}

Backend MakeBackend(const std::string& name, const isa::HardwareConfig& config,
                    const std::string& wave_file) {
  if (name == "golden") {
    if (!wave_file.empty()) throw Error("--wave: the golden model has no signals; use the RTL");
    return {MakeDevice(name, config), nullptr};
  }
  const std::span<const sim::Machine> machines = Machines();
  const auto machine = std::ranges::find(machines, config, &sim::Machine::config);
  if (machine == machines.end()) {
    throw Error::Format(
        "no simulated machine has the parameters (N = {}, UB_ROWS = {}, ...) that the program was "
        "compiled for; use --backend golden",
        config.n, config.ub_rows);
  }
  std::unique_ptr<sim::RtlDevice> rtl = MakeRtl(*machine, wave_file);
  sim::RtlDevice* const pointer = rtl.get();
  return {std::move(rtl), pointer};
}

}  // namespace tpu::tools
