// SPDX-License-Identifier: Apache-2.0
// From TensorFlow Lite models to graphs.
#pragma once

#include "frontends/tflite/model.h"
#include "ir/graph.h"

namespace tpu::tflite {

/// Tensor i of the graph is tensor i of the model; tensors of states follow. Operator i of the
/// model is named "op<i>"; arithmetic on shapes (SHAPE and integer operators on constants) is
/// computed here and leaves no operator. Shapes are checked; those that the file does not know are
/// inferred. Throws tpu::Error naming the file, the operator and the tensor for operators, types
/// and quantisations that no lowering could ever accept, and for what is inconsistent.
ir::Graph Import(const Model& model);

}  // namespace tpu::tflite
