// SPDX-License-Identifier: Apache-2.0
// The window coordinates of MATMUL, VECTOR and FVECTOR (docs/isa.md, 3).
#pragma once

#include <algorithm>
#include <cstdint>

namespace tpu::assembly {

/// Coordinates, and row addresses, are taken modulo twice as much.
inline constexpr std::int64_t kHalfWindow = 1 << 19;
/// Bounds the time spent on one instruction; real ones stay far below.
inline constexpr double kMaxIterations = 1 << 28;

/// A window coordinate: modulo 2^20 in two's complement.
constexpr std::int64_t Coordinate(std::int64_t value) {
  return ((value + kHalfWindow) & (2 * kHalfWindow - 1)) - kHalfWindow;
}

/// Calls visit(first, count) for the runs of i < n in which low <= x + i*step < high, x + i*step
/// being a coordinate; step >= 0. Stops and returns false when visit does.
template <typename Visit>
bool ForEachInside(std::int64_t x, std::int64_t step, std::int64_t n, std::int64_t low,
                   std::int64_t high, Visit&& visit) {
  const auto steps_to = [step](std::int64_t from, std::int64_t to, std::int64_t end) {
    if (from >= to) return std::int64_t{0};
    return step == 0 ? end : std::min(end, (to - from + step - 1) / step);
  };
  for (std::int64_t i = 0; i < n;) {
    const std::int64_t here = Coordinate(x + i * step);
    const std::int64_t until_wrap = steps_to(here, kHalfWindow, n - i);
    const std::int64_t begin = steps_to(here, low, until_wrap);
    const std::int64_t end = steps_to(here, high, until_wrap);
    if (begin < end && !visit(i + begin, end - begin)) return false;
    i += until_wrap;
  }
  return true;
}

}  // namespace tpu::assembly
