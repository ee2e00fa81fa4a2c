// SPDX-License-Identifier: Apache-2.0
// Depthwise convolutions on the array in pairs of pixels (docs/depthwise.md): a row of activations
// holds two neighbouring pixels of half a channel block and makes two neighbouring outputs of it.
#pragma once

#include <cstdint>

#include "ir/range.h"

namespace tpu::compiler {

/// Pixels that share the lanes of a row, and pieces that a channel block is cut into.
inline constexpr std::int64_t kPair = 2;

/// Weight tiles of one kernel row of one piece: the pairs of columns that two outputs need.
inline std::int64_t PairColumnTiles(const ir::Window& x) {
  const ir::Range columns = x.Reach({.begin = 0, .end = kPair}, x.AllTaps());
  return ir::CeilDiv(columns.Size(), kPair);
}

}  // namespace tpu::compiler
