// SPDX-License-Identifier: Apache-2.0
// Functions on float32 between DEQUANTIZE and QUANTIZE.
#pragma once

#include "compiler/quantise/quantization.h"
#include "ir/graph.h"

namespace tpu::compiler {

/// Operators on float32 that take one tensor each, or one and a constant that is everywhere the
/// same, from DEQUANTIZE of a byte to QUANTIZE to a byte are a function of that byte: they become a
/// table of 256 bytes, on every machine.
void FoldFunctions(ir::Graph& graph, Rounding rounding = Rounding::kDouble);

}  // namespace tpu::compiler
