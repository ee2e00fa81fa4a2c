// SPDX-License-Identifier: Apache-2.0
// The parameters of a machine, which the public headers define.
#pragma once

#include "tpu/hardware_config.h"

namespace tpu::isa {

using tpu::HardwareConfig;

}  // namespace tpu::isa
