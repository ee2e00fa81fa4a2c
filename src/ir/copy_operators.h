// SPDX-License-Identifier: Apache-2.0
// Operators that repeat, mirror or replace elements.
#pragma once

#include <cstdint>
#include <vector>

namespace tpu::ir {

/// Edges that repeat the image: element -i of an axis is element i (or, with `offset` 0, i - 1),
/// and so on at its end. `before` and `after` elements are put before and after each axis.
struct MirrorPad {
  std::vector<std::int64_t> before;
  std::vector<std::int64_t> after;
  std::int64_t offset = 1;
};

/// The input repeated to the output's shape, by numpy's broadcasting.
struct BroadcastTo {};

/// Inputs: a tensor, and what replaces a part of it that begins at `begin`.
struct UpdateSlice {
  std::vector<std::int64_t> begin;
};

}  // namespace tpu::ir
