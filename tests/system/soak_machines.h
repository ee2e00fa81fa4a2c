// SPDX-License-Identifier: Apache-2.0
// The machines on which a soak runs: those of the tests without bf16, those with it, and N = 64,
// which takes minutes to build. Each of the three is a program of its own.
#pragma once

#include <span>

#include "devices/rtl/machines.h"

namespace tpu::system_test {

std::span<const devices::Machine> SoakMachines();

}  // namespace tpu::system_test
