// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "devices/golden/golden_device.h"
#include "tpu/device.h"

namespace tpu {
namespace {

std::vector<DeviceKind>& Kinds() {
  static std::vector<DeviceKind> kinds = {devices::GoldenKind()};
  return kinds;
}

/// "rtl, golden": the names of all things in `list` that `wanted` says yes to.
template <typename List, typename Wanted>
std::string Names(const List& list, const Wanted& wanted) {
  std::string names;
  for (const auto& thing : list) {
    if (wanted(thing)) names += (names.empty() ? "" : ", ") + thing.name;
  }
  return names;
}

}  // namespace

void RegisterDevice(DeviceKind kind) {
  if (std::ranges::find(Kinds(), kind.name, &DeviceKind::name) != Kinds().end()) {
    throw Error::Format("there is a device {} already", kind.name);
  }
  Kinds().push_back(std::move(kind));
}

const std::vector<DeviceKind>& DeviceKinds() { return Kinds(); }

const DeviceKind& FindDevice(const std::string& name) {
  const auto found = std::ranges::find(Kinds(), name, &DeviceKind::name);
  if (found != Kinds().end()) return *found;
  throw Error::Format("there is no device {}; there are: {}", name,
                      Names(Kinds(), [](const DeviceKind&) { return true; }));
}

std::unique_ptr<Device> MakeDevice(const std::string& name, const HardwareConfig& config,
                                   const DeviceOptions& options) {
  const DeviceKind& kind = FindDevice(name);
  if (!options.wave_file.empty() && !kind.abilities.waves) {
    throw Error::Format("{}: the device {} records no signals", options.wave_file, name);
  }
  if (!kind.machines.empty() &&
      std::ranges::find(kind.machines, config, &NamedMachine::config) == kind.machines.end()) {
    throw Error::Format(
        "no device {} has the parameters N = {}, UB_ROWS = {}, ...; its machines are {}; devices "
        "with any parameters are: {}",
        name, config.n, config.ub_rows,
        Names(kind.machines, [](const NamedMachine&) { return true; }),
        Names(Kinds(), [](const DeviceKind& k) { return k.machines.empty(); }));
  }
  return kind.make(config, options);
}

}  // namespace tpu
