// SPDX-License-Identifier: Apache-2.0
// Weights in the order in which the array takes them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/tile/conv_tiling.h"
#include "isa/element_format.h"

namespace tpu::compiler {

/// Dense weights [oc][kh][kw][ic].
struct DenseWeights {
  std::span<const isa::Weight> values;
  std::int64_t oc = 0;
  std::int64_t kh = 0;
  std::int64_t kw = 0;
  std::int64_t ic = 0;

  [[nodiscard]] isa::Weight At(std::int64_t o, std::int64_t y, std::int64_t x,
                               std::int64_t i) const {
    return values[static_cast<std::size_t>(((o * kh + y) * kw + x) * ic + i)];
  }
};

/// N x N tiles, input lane first, in the order of MATMUL's loops within each group and of the
/// tiling's loops (output blocks, input blocks, kernel rows) between groups. Lanes without a
/// channel are zero.
std::vector<std::uint8_t> PackWeights(const DenseWeights& weights, const ConvTiling& tiling,
                                      bool thin, std::int64_t lanes);

/// bias - zero_point * sum of the channel's weights (mod 2^32); an empty bias counts as zeros.
std::vector<std::int32_t> FoldZeroPoint(const DenseWeights& weights,
                                        std::span<const std::int32_t> bias,
                                        std::int32_t zero_point);

/// Depthwise weights [kh][kw][oc] of a convolution with a multiplier, as dense ones.
std::vector<isa::Weight> ExpandDepthwise(std::span<const isa::Weight> weights, std::int64_t kh,
                                         std::int64_t kw, std::int64_t oc, std::int64_t ic);

}  // namespace tpu::compiler
