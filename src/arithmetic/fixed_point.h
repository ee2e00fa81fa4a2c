// SPDX-License-Identifier: Apache-2.0
// Exponential, logarithm, reciprocal and inverse square root in fixed point, to the bit as
// TensorFlow Lite's integer kernels compute them. Qa.b: a integer bits and b fraction bits besides
// the sign.
#pragma once

#include <cstdint>

#include "arithmetic/multiplier.h"

namespace tpu::arithmetic {

/// exp(x) as Q0.31 of x <= 0 in Q`integer_bits`.(31 - integer_bits); `integer_bits` in [0, 5].
std::int32_t ExpOfNegative(std::int32_t x, int integer_bits);

/// The natural logarithm as Q5.26 of x >= 1 in Q12.19.
std::int32_t LogOfAtLeastOne(std::int32_t x);

/// 1 / (1 + x) as Q0.31 of x in Q0.31, 0 <= x.
std::int32_t OneOverOnePlus(std::int32_t x);

/// (1 - x) / (1 + x) as Q0.31 of x in Q0.31, 0 <= x.
std::int32_t OneMinusOverOnePlus(std::int32_t x);

/// 1 / sqrt(x) of a whole number x >= 0; that of 0 is taken for that of 1.
Multiplier InverseSquareRoot(std::int32_t x);

}  // namespace tpu::arithmetic
