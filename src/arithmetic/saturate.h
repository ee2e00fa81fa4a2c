// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace tpu::arithmetic {

/// The nearest int8.
constexpr std::int8_t SaturateToInt8(std::int64_t value) {
  return static_cast<std::int8_t>(std::clamp<std::int64_t>(
      value, std::numeric_limits<std::int8_t>::min(), std::numeric_limits<std::int8_t>::max()));
}

}  // namespace tpu::arithmetic
