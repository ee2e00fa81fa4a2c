// SPDX-License-Identifier: Apache-2.0
// Constants from the bytes that files and callers give.
#pragma once

#include <cstdint>
#include <span>

#include "ir/graph.h"

namespace tpu::ir {

/// Makes the tensor a constant of its type. `bytes` are little-endian elements, without padding.
void SetData(Tensor& tensor, std::span<const std::uint8_t> bytes);

}  // namespace tpu::ir
