// SPDX-License-Identifier: Apache-2.0
#include "tools/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

namespace tpu::tools {
namespace {

constexpr std::size_t kMostColumns = 84;
constexpr int kRows = 8;
constexpr int kParts = 8;  // Of a character.

// The mean of each column's values; all but the last have equally many.
std::vector<double> Columns(std::span<const float> values) {
  const std::size_t share = (values.size() + kMostColumns - 1) / kMostColumns;
  std::vector<double> columns;
  for (std::size_t first = 0; first < values.size(); first += share) {
    const std::size_t count = std::min(share, values.size() - first);
    double sum = 0;
    for (const float value : values.subspan(first, count)) {
      sum += std::isfinite(value) ? std::max(0.0, static_cast<double>(value)) : 0.0;
    }
    columns.push_back(sum / static_cast<double>(count));
  }
  return columns;
}

// So many parts of a character, from below.
std::string_view Bar(int parts) {
  constexpr std::array<std::string_view, kParts + 1> kBars = {" ", "▁", "▂", "▃", "▄",
                                                              "▅", "▆", "▇", "█"};
  return kBars.at(static_cast<std::size_t>(std::clamp(parts, 0, kParts)));
}

}  // namespace

std::string DrawCurve(std::span<const float> values) {
  if (values.empty()) return "";
  const std::vector<double> columns = Columns(values);
  const double top = std::ranges::max(columns);
  std::string text;
  for (int row = kRows - 1; row >= 0; --row) {
    std::string line;
    for (const double column : columns) {
      const double height = top > 0 ? column / top * kRows * kParts : 0;
      line += Bar(static_cast<int>(std::lround(height)) - row * kParts);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += fmt::format("{:>7.3f} │{}\n", top * (row + 1) / kRows, line);
  }
  std::string numbers = "1";
  if (values.size() > 1) {
    const std::string last = fmt::format("{}", values.size());
    numbers += fmt::format(" {:>{}}", last, std::max(columns.size(), last.size() + 2) - 2);
  }
  std::string axis;
  for (std::size_t c = 0; c < columns.size(); ++c) axis += "─";
  text += fmt::format("{:>7.3f} └{}\n", 0.0, axis);
  text += fmt::format("{:>9}{}\n", "", numbers);
  return text;
}

}  // namespace tpu::tools
