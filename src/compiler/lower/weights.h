// SPDX-License-Identifier: Apache-2.0
// Weights in the order in which the array takes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <variant>
#include <vector>

#include "compiler/tile/conv_tiling.h"
#include "isa/element_format.h"

namespace tpu::compiler {

/// Where a weight stands in a tensor that operators make, counted from 1; 0: it is zero.
using WeightIndex = std::int32_t;

/// Weights in one of the array's formats, or places of weights of bfloat16.
using WeightValues = std::variant<std::span<const isa::Weight>, std::span<const Bfloat16>,
                                  std::span<const WeightIndex>>;

isa::ElementFormat FormatOf(const WeightValues& values);

/// Dense weights [oc][kh][kw][ic].
struct DenseWeights {
  WeightValues values;
  std::int64_t oc = 0;
  std::int64_t kh = 0;
  std::int64_t kw = 0;
  std::int64_t ic = 0;

  /// Where a weight stands among the values.
  [[nodiscard]] std::int64_t Index(std::int64_t o, std::int64_t y, std::int64_t x,
                                   std::int64_t i) const {
    return ((o * kh + y) * kw + x) * ic + i;
  }
};

/// N x N tiles, input lane first, in the order of MATMUL's loops within each group and of the
/// tiling's loops (output blocks, input blocks, kernel rows) between groups. Lanes without a
/// channel are zero.
std::vector<std::uint8_t> PackWeights(const DenseWeights& weights, const ConvTiling& tiling,
                                      bool thin, std::int64_t lanes);

/// The window of a depthwise convolution, and the pixels whose outputs a row of the array makes.
struct BlockWindow {
  PixelBlock block;
  ir::Window y;
  ir::Window x;
};

/// The same for a depthwise convolution in blocks of pixels, from weights with N input channels. Of
/// each tile the input lanes are a block of pixels of a piece of the channel block, where those
/// below each other lie side by side. The output lanes are a block of outputs of that piece, those
/// of one row side by side. For each channel block, one piece after the other.
std::vector<std::uint8_t> PackBlockWeights(const DenseWeights& weights, const BlockWindow& window,
                                           const ConvTiling& tiling, std::int64_t lanes);

/// The sum of each output channel's int8 weights.
std::vector<std::int64_t> SumsOf(const DenseWeights& weights);

/// bias - zero_point * sum of the channel's int8 weights (mod 2^32); an empty bias counts as zeros.
std::vector<std::int32_t> FoldZeroPoint(const DenseWeights& weights,
                                        std::span<const std::int32_t> bias,
                                        std::int32_t zero_point);

/// Depthwise weights [taps][oc] as dense ones [oc][taps][ic]: output o depends on input
/// `input_of(o)` alone.
template <typename Values, typename InputOf>
auto ExpandDepthwise(const Values& weights, std::int64_t taps, std::int64_t oc, std::int64_t ic,
                     InputOf input_of) {
  std::vector<std::ranges::range_value_t<Values>> dense(static_cast<std::size_t>(oc * taps * ic));
  for (std::int64_t o = 0; o < oc; ++o) {
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      dense[static_cast<std::size_t>((o * taps + tap) * ic + input_of(o))] =
          weights[static_cast<std::size_t>(tap * oc + o)];
    }
  }
  return dense;
}

}  // namespace tpu::compiler
