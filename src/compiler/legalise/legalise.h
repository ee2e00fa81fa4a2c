// SPDX-License-Identifier: Apache-2.0
// From TensorFlow Lite's operators to the few that are lowered.
#pragma once

#include "compiler/quantise/quantization.h"
#include "ir/graph.h"
#include "isa/hardware_config.h"

namespace tpu::compiler {

/// An equal graph of these operators: Conv2D without groups, DepthwiseConv2D, FullyConnected,
/// Pool2D, Binary of two tensors of the output's shape, Lookup, Move, Reshape, Reduce of [n,h,w,c]
/// over h and w or of [n,c] over c, all on 8-bit tensors (Move and Reshape on any), and operators
/// that RunsOnHost names, whose graphs stay as they are. While takes tensors that nobody else uses,
/// and its outputs are to take their places. Tensors keep their ids; new ones are appended. Throws
/// tpu::Error naming the operator where there is no such graph.
ir::Graph Legalise(const ir::Graph& graph, const isa::HardwareConfig& config, Rounding rounding);

/// Whether a legal operator is left to the host.
bool RunsOnHost(const ir::Operator& op);

}  // namespace tpu::compiler
