// SPDX-License-Identifier: Apache-2.0
// The parameters of a machine, which the public headers define.
#pragma once

#include "isa/instruction.h"
#include "tpu/hardware_config.h"

namespace tpu::isa {

using tpu::HardwareConfig;

/// What a machine has besides int8 and int32.
constexpr Formats FormatsOf(const HardwareConfig& config) {
  return {.bf16 = config.bf16 != 0,
          .int16 = config.int16 != 0,
          .float_rounding = config.float_rounding != 0};
}

}  // namespace tpu::isa
