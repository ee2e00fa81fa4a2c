// SPDX-License-Identifier: Apache-2.0
// Fused activations of plain numbers.
#pragma once

#include <algorithm>

#include "tpu/operators.h"

namespace tpu::host_kernels {

template <typename T>
T Activate(T value, Activation activation) {
  switch (activation) {
    case Activation::kNone:
      break;
    case Activation::kRelu:
      return std::max(value, T{0});
    case Activation::kRelu6:
      return std::clamp(value, T{0}, T{6});
    case Activation::kReluN1To1:
      return std::clamp(value, T{-1}, T{1});
  }
  return value;
}

}  // namespace tpu::host_kernels
