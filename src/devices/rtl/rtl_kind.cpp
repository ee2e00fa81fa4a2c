// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "devices/rtl/machines.h"

namespace tpu::devices {
namespace {

std::unique_ptr<RtlDevice> Make(const Machine& machine, const DeviceOptions& options) {
  if (options.wave_file.empty()) return machine.make({});
  if (machine.make_traced == nullptr) {
    throw Error::Format("{}: machine {} is not built with waveforms", options.wave_file,
                        machine.name);
  }
  RtlOptions traced;
  traced.wave_file = options.wave_file;
  return machine.make_traced(traced);
}

}  // namespace

DeviceKind RtlKind(std::span<const Machine> machines) {
  DeviceKind kind;
  kind.name = "rtl";
  kind.description =
      fmt::format("the RTL, simulated; memory latency {} cycles", RtlOptions{}.memory_latency);
  kind.abilities = {.time = true, .trace = true, .waves = true, .faults = true};
  for (const Machine& machine : machines) kind.machines.push_back({machine.name, machine.config});
  kind.make = [linked = std::vector(machines.begin(), machines.end())](
                  const HardwareConfig& config,
                  const DeviceOptions& options) -> std::unique_ptr<Device> {
    return Make(*std::ranges::find(linked, config, &Machine::config), options);
  };
  return kind;
}

}  // namespace tpu::devices
