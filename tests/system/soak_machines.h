// SPDX-License-Identifier: Apache-2.0
// The machines on which a soak runs: those of the tests, and N = 64 in a program of its own, as
// that machine takes minutes to build.
#pragma once

#include <span>

#include "devices/rtl/machines.h"

namespace tpu::system_test {

std::span<const devices::Machine> SoakMachines();

}  // namespace tpu::system_test
