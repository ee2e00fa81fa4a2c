// SPDX-License-Identifier: Apache-2.0
// One dimension of a window that moves over a dilated and padded dimension of a tensor.
#pragma once

#include <array>
#include <cstdint>

namespace tpu::tensor {

/// From the first to the last of `size` elements with `dilation` - 1 others between neighbours.
constexpr std::int64_t Dilated(std::int64_t size, std::int64_t dilation) {
  return (size - 1) * dilation + 1;
}

struct WindowDimension {
  std::int64_t size = 1;  ///< Of the window.
  std::int64_t stride = 1;
  std::int64_t base_dilation = 1;
  std::int64_t window_dilation = 1;
  std::array<std::int64_t, 2> padding = {0, 0};

  /// How many places the window has; below 1 where it has none.
  [[nodiscard]] constexpr std::int64_t Places(std::int64_t base) const {
    const std::int64_t room =
        Dilated(base, base_dilation) + padding[0] + padding[1] - Dilated(size, window_dilation);
    return room < 0 ? 0 : room / stride + 1;
  }
};

}  // namespace tpu::tensor
