// SPDX-License-Identifier: Apache-2.0
// The exponentials of SOFTMAX on int8, to the bit as TensorFlow Lite's integer kernel has them.
#pragma once

#include <array>
#include <cstdint>

#include "arithmetic/multiplier.h"

namespace tpu::arithmetic {

/// The sum of a row's exponentials is Q12.19; the exponentials are Q0.31.
inline constexpr int kExponentialSumIntegerBits = 12;

/// exp(-i * beta * scale) as Q0.31 of the difference i to a row's largest value; 0 where TensorFlow
/// Lite takes the exponential for zero.
std::array<std::int32_t, 256> ExponentialTable(float beta, float scale, Rounding rounding);

}  // namespace tpu::arithmetic
