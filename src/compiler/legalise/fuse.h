// SPDX-License-Identifier: Apache-2.0
// Operators that become part of their neighbours.
#pragma once

#include "ir/graph.h"

namespace tpu::compiler {

/// PAD before a convolution becomes the convolution's padding.
void FusePadding(ir::Graph& graph);

/// Tables that follow each other become one, and those behind another operator a part of it.
void FuseLookups(ir::Graph& graph);

/// Functions of floating-point numbers become part of the operators that make the numbers.
void FuseFunctions(ir::Graph& graph);

/// Float32 elements that an operation makes and that are an output of the graph in bfloat16, too,
/// are rounded where they are made.
void FuseRounding(ir::Graph& graph);

/// Results that are wanted in float32 alone are not rounded to bfloat16 before.
void FuseWidening(ir::Graph& graph);

}  // namespace tpu::compiler
