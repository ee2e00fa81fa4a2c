// SPDX-License-Identifier: Apache-2.0
// Code that several operators' lowering shares.
#pragma once

#include "compiler/lower/lower_operator.h"

namespace tpu::compiler {

struct WindowPair {
  ir::Window y;
  ir::Window x;
};

/// Windows of a convolution or pooling from input 0 to the output; checks the output's height and
/// width.
WindowPair MakeWindows(const OperatorContext& context, ir::Extent filter, ir::Extent stride,
                       ir::Extent dilation, const ir::Padding& padding);
/// The windows of a convolution whose weights are input 1, with height and width in dimensions 1
/// and 2.
template <typename Convolution>
WindowPair MakeWindows(const OperatorContext& context, const Convolution& op) {
  const std::vector<std::int64_t>& shape = context.Input(1).shape;
  const ir::Extent size = {.h = static_cast<std::int32_t>(shape[1]),
                           .w = static_cast<std::int32_t>(shape[2])};
  return MakeWindows(context, op.taps.Count(size), op.stride, op.dilation, op.padding);
}

/// DEPTHWISE_CONV_2D on the array, with mostly zero weights: those of diagonal tiles or, with
/// several outputs per channel, of a dense convolution.
void LowerDepthwiseOnArray(const OperatorContext& context, const ir::DepthwiseConv2D& op,
                           Emitter& emitter);

}  // namespace tpu::compiler
