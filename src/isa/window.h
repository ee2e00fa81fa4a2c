// SPDX-License-Identifier: Apache-2.0
// The rule which windows the vector unit takes column by column instead of tap by tap, on a machine
// that has the hardware for it (docs/depthwise.md). The timing model and the compiler use this
// rule.
#pragma once

#include <cstdint>

#include "isa/hardware_config.h"

namespace tpu::isa {

/// Rows and columns of these windows.
inline constexpr std::uint32_t kWindowSide = 3;

/// Whether windows of `rows` x `columns` taps go column by column, of which one starts `stride`
/// columns after another.
constexpr bool GoesByColumn(const HardwareConfig& config, std::uint64_t rows, std::uint64_t columns,
                            std::uint64_t stride) {
  return config.window != 0 && rows == kWindowSide && columns == kWindowSide &&
         (stride == 1 || stride == 2);
}

/// Columns of a line of `windows` such windows.
constexpr std::uint64_t ColumnsOf(std::uint64_t windows, std::uint64_t stride) {
  return (windows - 1) * stride + kWindowSide;
}

}  // namespace tpu::isa
