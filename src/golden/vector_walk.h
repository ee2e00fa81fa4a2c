// SPDX-License-Identifier: Apache-2.0
// The loop nest that VECTOR, FVECTOR and IVECTOR share (docs/isa.md, 7).
#pragma once

#include <cstdint>

#include "golden/state.h"

namespace tpu::golden {

/// A position in the loop nest: channel block, output pixel, tap of its window.
struct VectorStep {
  std::int64_t cb, oh, ow, kh, kw;
};

/// Whether the tap lies inside the window's bounds.
template <typename V>
bool IsInside(const V& v, const VectorStep& at) {
  const std::int64_t y = Coordinate(v.y0 + at.oh * v.ys_oh + at.kh * v.ys_kh);
  const std::int64_t x = Coordinate(v.x0 + at.ow * v.xs_ow + at.kw * v.xs_kw);
  return 0 <= y && y < v.y_bound && 0 <= x && x < v.x_bound;
}

template <typename V>
std::int64_t RowOfA(const V& v, const VectorStep& at) {
  return v.a_row + at.cb * v.a_cb + at.oh * v.a_oh + at.ow * v.a_ow + at.kh * v.a_kh +
         at.kw * v.a_kw;
}
template <typename V>
std::int64_t RowOfB(const V& v, const VectorStep& at) {
  return v.b_row + at.cb * v.b_cb + at.oh * v.b_oh + at.ow * v.b_ow + at.kh * v.b_kh +
         at.kw * v.b_kw;
}
template <typename V>
std::int64_t ParameterEntry(const V& v, const VectorStep& at) {
  return std::int64_t{v.param_row} + at.cb * std::int64_t{v.param_stride};
}
template <typename V>
std::int64_t RowOfOutput(const V& v, const VectorStep& at) {
  return std::int64_t{v.o_row} + at.cb * v.o_cb + at.oh * v.o_oh + at.ow * v.o_ow;
}

/// Calls visit(step) for each tap of the window at `at` that lies inside the bounds.
template <typename V, typename Visit>
void ForEachTap(const V& v, VectorStep at, Visit visit) {
  for (at.kh = 0; at.kh < v.n_kh; ++at.kh) {
    for (at.kw = 0; at.kw < v.n_kw; ++at.kw) {
      if (IsInside(v, at)) visit(at);
    }
  }
}

/// Calls visit(step) for each output row.
template <typename V, typename Visit>
void ForEachOutput(const V& v, Visit visit) {
  for (std::int64_t cb = 0; cb < v.n_cb; ++cb) {
    for (std::int64_t oh = 0; oh < v.n_oh; ++oh) {
      for (std::int64_t ow = 0; ow < v.n_ow; ++ow) {
        visit(VectorStep{.cb = cb, .oh = oh, .ow = ow, .kh = 0, .kw = 0});
      }
    }
  }
}

}  // namespace tpu::golden
