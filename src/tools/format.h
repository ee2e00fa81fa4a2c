// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tpu::tools {

/// 1234567 as "1,234,567"; nothing for 0.
std::string Grouped(std::uint64_t value);

/// 0.123 as "12.3 %"; nothing for 0.
std::string Percent(double share);

/// "1x49x10x1"; "scalar" without dimensions.
std::string ShapeText(std::span<const std::int64_t> shape);

}  // namespace tpu::tools
