// SPDX-License-Identifier: Apache-2.0
#include "tools/digit_view.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace tpu::tools {
namespace {

constexpr std::string_view kGap = "   ";

/// 0 .. 16 as a shade.
std::string_view Shade(std::uint8_t pixel) {
  constexpr std::array<std::string_view, 5> kShades = {"  ", "░░", "▒▒", "▓▓", "██"};
  return kShades.at(static_cast<std::size_t>(pixel + 3) / 4);
}

std::string Row(const workloads::Digit& digit, int y) {
  std::string text;
  for (int x = 0; x < workloads::kDigitSize; ++x) {
    text += Shade(digit.pixels.at(static_cast<std::size_t>(y * workloads::kDigitSize + x)));
  }
  return text;
}

}  // namespace

std::string DrawDigits(std::span<const workloads::Digit> digits, std::span<const int> predicted) {
  std::string text;
  for (int y = 0; y < workloads::kDigitSize; ++y) {
    for (const workloads::Digit& digit : digits) text.append(Row(digit, y)).append(kGap);
    text += '\n';
  }
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::string caption = fmt::format("read {}, is {}", predicted[i], digits[i].label);
    text += fmt::format("{:<{}}{}", caption, 2 * workloads::kDigitSize, kGap);
  }
  return text + '\n';
}

}  // namespace tpu::tools
