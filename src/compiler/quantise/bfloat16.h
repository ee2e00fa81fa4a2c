// SPDX-License-Identifier: Apache-2.0
// Weights and other constants as bfloat16: what docs/float.md says of conversions.
#pragma once

#include "ir/graph.h"

namespace tpu::compiler {

inline constexpr Bfloat16 kBfloat16One = {0x3F80};

/// To the nearest, halves to even. Subnormal numbers become zero, and all NaN the one NaN.
Bfloat16 ToBfloat16(float value);

/// Exact.
float ToFloat(Bfloat16 value);

}  // namespace tpu::compiler
