// SPDX-License-Identifier: Apache-2.0
// Types of tensor elements, which the public headers define.
#pragma once

#include "tpu/tensor.h"

namespace tpu::isa {

using tpu::ElementBytes;
using tpu::ElementType;
using tpu::ElementTypeName;

}  // namespace tpu::isa
