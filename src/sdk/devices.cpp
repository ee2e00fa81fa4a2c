// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "devices/golden/golden_device.h"
#include "tpu/device.h"

namespace tpu {
namespace {

/// The kinds so far. A change makes another list; lists that were seen stay, so that threads may go
/// on with them.
class Registry {
 public:
  [[nodiscard]] const std::vector<DeviceKind>& Kinds() const { return *current_; }

  /// `replace`: also in place of one of that name.
  void Add(DeviceKind kind, bool replace) {
    const std::scoped_lock lock(mutex_);
    std::vector<DeviceKind> kinds = Kinds();
    const auto found = std::ranges::find(kinds, kind.name, &DeviceKind::name);
    if (found == kinds.end()) {
      kinds.push_back(std::move(kind));
    } else if (replace) {
      *found = std::move(kind);
    } else {
      throw Error::Format("there is a device {} already", kind.name);
    }
    current_ = &lists_.emplace_back(std::move(kinds));
  }

 private:
  std::mutex mutex_;
  std::deque<std::vector<DeviceKind>> lists_ = {{devices::GoldenKind()}};
  std::atomic<const std::vector<DeviceKind>*> current_ = &lists_.front();
};

Registry& Devices() {
  static Registry registry;
  return registry;
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

void RegisterDevice(DeviceKind kind) { Devices().Add(std::move(kind), false); }

void ReplaceDevice(DeviceKind kind) { Devices().Add(std::move(kind), true); }

const std::vector<DeviceKind>& DeviceKinds() { return Devices().Kinds(); }

const DeviceKind& FindDevice(const std::string& name) {
  const std::vector<DeviceKind>& kinds = DeviceKinds();
  const auto found = std::ranges::find(kinds, name, &DeviceKind::name);
  if (found != kinds.end()) return *found;
  throw Error::Format("there is no device {}; there are: {}", name,
                      Names(kinds, [](const DeviceKind&) { return true; }));
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
        Names(DeviceKinds(), [](const DeviceKind& k) { return k.machines.empty(); }));
  }
  return kind.make(config, options);
}

}  // namespace tpu
