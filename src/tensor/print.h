// SPDX-License-Identifier: Apache-2.0
// Graphs as text: a function of MLIR's dialect StableHLO, which its tools read.
#pragma once

#include <string>
#include <string_view>

#include "tensor/graph.h"

namespace tpu::tensor {

/// As in "f32"; MLIR's names, thus "i1" and "i32".
std::string_view ElementName(ElementType element);

/// As in "tensor<2x3xf32>".
std::string TypeText(const TensorType& type);

/// One line for each operation, windows' bodies aside. A stop_gradient, which StableHLO does not
/// have, is its optimization_barrier: the same value, too.
std::string Print(const Graph& graph);

}  // namespace tpu::tensor
