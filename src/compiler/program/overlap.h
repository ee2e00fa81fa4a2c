// SPDX-License-Identifier: Apache-2.0
// How far layers may overlap in time. What they share on the way is no use to layers that overlap.
#pragma once

#include <cstdint>

namespace tpu::compiler {

enum class Overlap : std::uint8_t {
  kEnds,            ///< A layer may have all of the buffer; neighbours meet at their ends.
  kTwoSideBySide,   ///< Two layers work at the same time, each in its own part of the buffer.
  kThreeSideBySide  ///< Three do.
};

constexpr bool AreSideBySide(Overlap overlap) { return overlap != Overlap::kEnds; }

/// Layers whose tiles lie in the buffer at the same time.
constexpr std::int64_t LayersAtOnce(Overlap overlap) {
  return 1 + static_cast<std::int64_t>(overlap);
}

}  // namespace tpu::compiler
