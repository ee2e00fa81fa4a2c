// SPDX-License-Identifier: Apache-2.0
// The functions of SOFTMAX on int16, to the bit as TensorFlow Lite's integer kernel has them.
#pragma once

#include <cmath>

#include "arithmetic/int16_table.h"
#include "arithmetic/multiplier.h"

namespace tpu::arithmetic {

/// e^x, whose arguments go from -10 to 0.
inline Int16Table ExponentialOfInt16() {
  return {-10.0F, 0.0F, [](float x) { return std::exp(x); }};
}

/// 1 / (1 + x), whose arguments go from 0 to 1.
inline Int16Table ReciprocalOfInt16() {
  return {0.0F, 1.0F, [](float x) { return 1.0F / (1.0F + x); }};
}

/// Turns differences to a row's largest value into steps of the exponential's argument, of which
/// 65535 make its 10. Exponentials of what lies below count as that of -10.
inline Multiplier Int16SoftmaxFactor(float beta, float scale, Rounding rounding) {
  constexpr double kRange = 10.0;
  constexpr double kSteps = 65535.0;
  return QuantizeMultiplier(
      static_cast<double>(scale) * static_cast<double>(beta) / (kRange / kSteps), rounding);
}

}  // namespace tpu::arithmetic
