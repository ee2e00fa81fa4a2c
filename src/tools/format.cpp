// SPDX-License-Identifier: Apache-2.0
#include "tools/format.h"

#include <fmt/format.h>

namespace tpu::tools {

std::string Grouped(std::uint64_t value) {
  if (value == 0) return "";
  std::string text = fmt::format("{}", value);
  for (std::size_t i = text.size(); i > 3;) {
    i -= 3;
    text.insert(i, ",");
  }
  return text;
}

std::string Percent(double share) {
  return share == 0.0 ? "" : fmt::format("{:.1f} %", 100.0 * share);
}

std::string ShapeText(std::span<const std::int64_t> shape) {
  return shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, "x"));
}

}  // namespace tpu::tools
