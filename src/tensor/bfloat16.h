// SPDX-License-Identifier: Apache-2.0
// Products as the array computes them.
#pragma once

#include "tensor/graph.h"

namespace tpu::tensor {

/// Converts the operands of dot_generals and convolutions from f32 to bf16. Results and all other
/// operations stay f32. Of a graph with gradients this makes the parameters copies for the array,
/// while sums, gradients and the parameters themselves stay f32.
Graph UseBfloat16(const Graph& graph);

}  // namespace tpu::tensor
