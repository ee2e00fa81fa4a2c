// SPDX-License-Identifier: Apache-2.0
// The orders of a tensor's bytes that the operators around the tensor accept.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/program/placement.h"
#include "ir/graph.h"
#include "isa/hardware_config.h"

namespace tpu::compiler {

/// The tensor's own view: four dimensions as they are; fewer as one image row of pixels, channels
/// last.
Images ImagesOf(const ir::Tensor& tensor);

/// Whether channel blocks of the tensor may lie apart: every operator that makes or uses it,
/// under any shape, sees the same channels, pixel after pixel, and it is no input or output of the
/// graph.
bool MayBeBlocked(const ir::Graph& graph, ir::TensorId id);

/// Whether a convolution of `kernel_width` columns takes fewer weight tiles when the kernel's
/// columns share lanes.
bool ThinPays(std::int64_t channels, std::int64_t kernel_width, std::int64_t dilation,
              std::int64_t lanes);

/// The pixels of which a row of activations holds a piece of a channel block, so that the array
/// takes the fewest cycles for the operator (docs/depthwise.md). More than one: the operator is a
/// depthwise convolution whose input and output go through memory, where LOAD and STORE cut the
/// channel blocks. Some below each other: its input lies in row pairs.
PixelBlock BlockOf(const ir::Graph& graph, const ir::Operator& op,
                   const isa::HardwareConfig& config);

}  // namespace tpu::compiler
