// SPDX-License-Identifier: Apache-2.0
#include "tools/devices.h"

#include <fmt/ranges.h>

#include <optional>
#include <string_view>

#include "base/error.h"

namespace tpu::tools {
namespace {

constexpr std::string_view kWithBf16 = "-bf16";

// The machine called `name`, with bf16 when "-bf16" follows.
std::optional<HardwareConfig> Named(const NamedMachine& machine, const std::string& name) {
  if (machine.name == name) return machine.config;
  if (machine.name + std::string(kWithBf16) != name) return {};
  HardwareConfig config = machine.config;
  config.bf16 = 1;
  return config;
}

}  // namespace

std::vector<std::string> DeviceNames() {
  std::vector<std::string> names;
  for (const DeviceKind& kind : DeviceKinds()) names.push_back(kind.name);
  return names;
}

std::vector<NamedMachine> Machines() {
  std::vector<NamedMachine> machines;
  for (const DeviceKind& kind : DeviceKinds()) {
    machines.insert(machines.end(), kind.machines.begin(), kind.machines.end());
  }
  return machines;
}

HardwareConfig FindMachine(const std::string& name) {
  std::vector<std::string> names;
  for (const DeviceKind& kind : DeviceKinds()) {
    for (const NamedMachine& machine : kind.machines) {
      if (const auto config = Named(machine, name)) return *config;
      names.push_back(machine.name);
    }
  }
  throw Error::Format("--config {}: no such machine; there are {}, and each of them with {}", name,
                      fmt::join(names, ", "), kWithBf16);
}

void RequireAbility(const char* option, const std::string& device, bool DeviceAbilities::*ability,
                    const char* what) {
  if (FindDevice(device).abilities.*ability) return;
  std::vector<std::string> able;
  for (const DeviceKind& kind : DeviceKinds()) {
    if (kind.abilities.*ability) able.push_back(kind.name);
  }
  throw Error::Format("{}: the device {} has no {}; these have: {}", option, device, what,
                      fmt::join(able, ", "));
}

}  // namespace tpu::tools
