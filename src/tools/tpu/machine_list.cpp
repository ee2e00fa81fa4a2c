// SPDX-License-Identifier: Apache-2.0
// The machines of `tpu`: the default one, and the small ones of the tests.
#include <array>

#include "tools/tpu/machines.h"

namespace tpu::tools {
namespace {

constexpr std::array kMachines = {
    sim::Machine{sim::kN16.name, sim::kN16.config, sim::MakeN16, sim::MakeN16Trace},
    sim::kSmallN4,
    sim::kSmallN8,
    sim::kSmallN32,
};

}  // namespace

std::span<const sim::Machine> Machines() { return kMachines; }

}  // namespace tpu::tools
