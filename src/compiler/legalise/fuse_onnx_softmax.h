// SPDX-License-Identifier: Apache-2.0
// Softmax as ONNX Runtime's QLinearSoftmax.
#pragma once

#include "ir/graph.h"

namespace tpu::compiler {

/// Makes each Softmax from int8 to int8 one operator of the host with the scale of its result: with
/// the table behind it that only brings TensorFlow Lite's scale to that one, or with DEQUANTIZE
/// before and QUANTIZE behind it. For the rounding of ONNX Runtime.
void FuseOnnxSoftmax(ir::Graph& graph);

}  // namespace tpu::compiler
