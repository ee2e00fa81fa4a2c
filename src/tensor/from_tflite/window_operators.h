// SPDX-License-Identifier: Apache-2.0
// Convolutions and pooling of images [n, h, w, c], without bias and activation.
#pragma once

#include "ir/graph.h"
#include "tensor/builder.h"

namespace tpu::tensor {

ValueId ConvolutionOf(Builder& builder, const ir::Conv2D& op, ValueId x, ValueId weights);
ValueId ConvolutionOf(Builder& builder, const ir::DepthwiseConv2D& op, ValueId x, ValueId weights);
/// `output` is the height and width of the result.
ValueId ConvolutionOf(Builder& builder, const ir::TransposeConv& op, ValueId x, ValueId weights,
                      ir::Extent output);
ValueId PoolOf(Builder& builder, const ir::Pool2D& op, ValueId x);

}  // namespace tpu::tensor
