// SPDX-License-Identifier: Apache-2.0
// Tensors of a model as tensors of a graph.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontends/tflite/model.h"
#include "ir/graph.h"

namespace tpu::tflite {

/// None for types that graphs do not have.
std::optional<ElementType> ElementTypeOf(TensorType type);

/// The tensor of the graph; of a type that graphs do not have only name and shape.
ir::Tensor ConvertTensor(const Tensor& source);

}  // namespace tpu::tflite
