// SPDX-License-Identifier: Apache-2.0
// A TPU as software sees it, which the public headers define.
#pragma once

#include "tpu/device.h"

namespace tpu::runtime {

using tpu::Device;

}  // namespace tpu::runtime
