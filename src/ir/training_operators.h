// SPDX-License-Identifier: Apache-2.0
// Operators that training needs and TensorFlow Lite does not have. They are of bfloat16 and float32
// alone, which may be mixed.
#pragma once

#include <cstdint>
#include <vector>

#include "tpu/operators.h"

namespace tpu::ir {

using Shape = std::vector<std::int64_t>;
using tpu::Extent;
using tpu::Padding;

/// Rows and columns of weights: each `step`-th one from `first` on.
struct Taps {
  Extent first = {.h = 0, .w = 0};
  Extent step;
  /// How many there are of so many rows and columns.
  [[nodiscard]] Extent Count(const Extent& size) const {
    return {.h = (size.h - first.h + step.h - 1) / step.h,
            .w = (size.w - first.w + step.w - 1) / step.w};
  }
};

enum class MapKind : std::uint8_t {
  kAdd,
  kSub,         ///< a - b
  kReverseSub,  ///< b - a
  kMul,
  kMaximum,
  kMinimum,
  kGreater,  ///< 1.0 where a > b, else 0.0
  kGreaterOrEqual,
  kEqual,
  kSelect,       ///< `constant` where a is 0, else b
  kMultiplyAdd,  ///< b + a * constant
  kAddSquare,    ///< a + b * b
};

/// Inputs: a and b, which broadcast to the output's shape; or a alone, `constant` being b. A second
/// output, the first one in bfloat16, is optional.
struct Map {
  MapKind kind = MapKind::kAdd;
  float constant = 0.0F;
};

/// Inputs: a tensor, and a float32 of one element that it is multiplied by.
struct Scale {};

/// A step of the optimiser Adam. Inputs, of float32: sum of squares c, gradient g, moment m and
/// weight w, which have equally many elements; of one element each, the slope and the base of what
/// divides, and optionally what w is multiplied by. Outputs: c, m and w, the last one on demand in
/// bfloat16, too.
///
///   c' = square_scale * (c + g * g)
///   m' = moment_scale * (g + moment_factor * m)
///   w' = w * factor + m' / (base + slope * sqrt(c'))
struct Adam {
  float square_scale = 0.0F;
  float moment_factor = 0.0F;
  float moment_scale = 0.0F;
};

/// The gradient of a convolution's weights. Inputs: what the convolution took, x [n,h,w,ic], and
/// the gradient of what it made, g [n,oh,ow,oc]. Output [oc,kh,kw,ic] or, of a kernel of one row
/// and column, those numbers in any shape: the sum over images i and pixels (y, x) of g[i,y,x,o] *
/// x[i, y*stride.h + ky*dilation.h - padding.top, ..., c]. With a third input, the weights in
/// float32, the output is the weights less that sum. Outputs behind it are optional: with `bias`,
/// [oc], the sums of g[i,y,x,o], and last the first output in bfloat16.
struct ConvWeightGradient {
  Extent stride;
  Extent dilation;
  Padding padding;
  bool depthwise = false;  ///< [1,kh,kw,c] of g[i,y,x,c] * x[..., c] alone.
  bool bias = false;
};

/// The shape of the weights whose gradient the operator makes of x and g, as `output`.
Shape WeightsOf(const ConvWeightGradient& op, const Shape& x, const Shape& g, const Shape& output);

}  // namespace tpu::ir
