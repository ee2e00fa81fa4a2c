// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "devices/golden/golden_device.h"
#include "tpu/device.h"

namespace tpu {
namespace {

std::vector<DeviceKind>& Kinds() {
  static std::vector<DeviceKind> kinds = {
      {.name = "golden",
       .description = "the model of the machine, without time",
       .abilities = {},
       .make = [](const HardwareConfig& config) -> std::unique_ptr<Device> {
         return std::make_unique<golden_backend::GoldenDevice>(config);
       }}};
  return kinds;
}

}  // namespace

void RegisterDevice(DeviceKind kind) {
  if (std::ranges::find(Kinds(), kind.name, &DeviceKind::name) != Kinds().end()) {
    throw Error::Format("there is a device {} already", kind.name);
  }
  Kinds().push_back(std::move(kind));
}

const std::vector<DeviceKind>& DeviceKinds() { return Kinds(); }

std::unique_ptr<Device> MakeDevice(const std::string& name, const HardwareConfig& config) {
  const auto found = std::ranges::find(Kinds(), name, &DeviceKind::name);
  if (found != Kinds().end()) return found->make(config);
  std::string names;
  for (const DeviceKind& kind : Kinds()) names += (names.empty() ? "" : ", ") + kind.name;
  throw Error::Format("there is no device {}; there are: {}", name, names);
}

}  // namespace tpu
