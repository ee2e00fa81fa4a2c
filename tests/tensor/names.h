// SPDX-License-Identifier: Apache-2.0
// Types of elements, for tests.
#pragma once

#include "tensor/operations.h"

namespace tpu::tensor {

inline constexpr ElementType kF32 = ElementType::kF32;
inline constexpr ElementType kBf16 = ElementType::kBf16;
inline constexpr ElementType kS32 = ElementType::kS32;
inline constexpr ElementType kPred = ElementType::kPred;

}  // namespace tpu::tensor
