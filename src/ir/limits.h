// SPDX-License-Identifier: Apache-2.0
// What every front end refuses. Beyond these limits nothing real is lost, and nothing overflows.
#pragma once

#include <cstdint>

namespace tpu::ir {

/// Most elements of a tensor.
inline constexpr std::int64_t kMostElements = 0x7fff'ffff;
/// Most rows or columns of a window, its stride and its dilation.
inline constexpr std::int64_t kMostWindow = 32'767;
/// Most rows or columns of padding that a graph built in code has on one side.
inline constexpr std::int64_t kMostPadding = 255;
/// Most rows, columns or channels of an image that a window moves over.
inline constexpr std::int64_t kMostImage = 1 << 24;
/// The most pixels along one axis that move into the batch or into the channels.
inline constexpr std::int64_t kMostBlock = 255;
/// The most graphs of IF and WHILE inside each other.
inline constexpr int kMostNesting = 32;
/// An operator's scales make a smaller factor: multipliers are shifted left by at most 30.
inline constexpr double kMostFactor = 1 << 30;

}  // namespace tpu::ir
