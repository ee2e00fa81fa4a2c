// SPDX-License-Identifier: Apache-2.0
// Which value a reduction begins with.
#pragma once

#include <limits>

#include "tensor/operations.h"

namespace tpu::tensor {

/// The value that changes no other when they are reduced.
constexpr double InitialOf(Reduction body, ElementType element) {
  if (body == Reduction::kAdd) return 0;
  const bool largest = body == Reduction::kMinimum;
  if (element == ElementType::kS32) {
    return largest ? std::numeric_limits<std::int32_t>::max()
                   : std::numeric_limits<std::int32_t>::min();
  }
  return largest ? std::numeric_limits<double>::infinity()
                 : -std::numeric_limits<double>::infinity();
}

}  // namespace tpu::tensor
