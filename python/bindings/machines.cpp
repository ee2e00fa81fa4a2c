// SPDX-License-Identifier: Apache-2.0
// Backends and machines.
#include <nanobind/stl/string.h>

#include <nlohmann/json.hpp>
#include <string>

#include "bindings/bindings.h"
#include "bindings/json.h"
#include "devices/board/board_device.h"
#include "profile/report.h"
#include "tools/devices.h"

namespace tpu::python {
namespace {

namespace nb = nanobind;

nb::dict Backends() {
  nb::dict backends;
  for (const DeviceKind& kind : DeviceKinds()) {
    nb::dict facts;
    facts["description"] = kind.description;
    facts["time"] = kind.abilities.time;
    facts["trace"] = kind.abilities.trace;
    nb::list machines;
    for (const NamedMachine& machine : kind.machines) machines.append(machine.name);
    facts["machines"] = machines;
    backends[kind.name.c_str()] = facts;
  }
  return backends;
}

nb::object Machine(const std::string& name) {
  return FromJson(profile::ToJson(tools::FindMachine(name)));
}

// As a backend, whose one machine has the same name. The board at that line may be another one than
// before.
void UseBoard(const std::string& name) {
  const nb::gil_scoped_release unlocked;
  ReplaceDevice(devices::BoardKind(name, {}));
}

}  // namespace

void BindMachines(nb::module_& module) {
  module.def("use_board", &UseBoard, nb::arg("name"));
  module.def("backends", &Backends);
  module.def("machine", &Machine, nb::arg("name"));
  module.def("machine_names", [] {
    nb::list names;
    for (const NamedMachine& machine : tools::Machines()) names.append(machine.name);
    return names;
  });
}

}  // namespace tpu::python
