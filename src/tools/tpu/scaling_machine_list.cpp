// SPDX-License-Identifier: Apache-2.0
// The machines of `tpu_scaling`: one design in four sizes.
#include <array>

#include "tools/tpu/machines.h"

namespace tpu::tools {
namespace {

constexpr std::array kMachines = {sim::kN8, sim::kN16, sim::kN32, sim::kN64};

}  // namespace

std::span<const sim::Machine> Machines() { return kMachines; }

}  // namespace tpu::tools
