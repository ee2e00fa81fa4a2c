// SPDX-License-Identifier: Apache-2.0
// From ONNX models to graphs.
#pragma once

#include "frontends/onnx/model.h"
#include "ir/graph.h"

namespace tpu::onnx {

/// The network of a quantised model, with QuantizeLinear and DequantizeLinear around its operators
/// or with operators of integers. Inputs and outputs have the names, types and shapes that the
/// model says; dimensions without a number are 1. Scales stay the floats of the model. Throws
/// tpu::Error naming the node, the operator and the reason for what is not supported.
ir::Graph Import(const Model& model);

}  // namespace tpu::onnx
