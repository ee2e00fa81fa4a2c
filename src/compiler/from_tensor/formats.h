// SPDX-License-Identifier: Apache-2.0
// Which values of a graph in the tensor language the machine keeps in float32.
#pragma once

#include <vector>

#include "tensor/graph.h"

namespace tpu::compiler {

/// By value. The language's f32 says how exact a value may be; the machine keeps most of them in
/// bfloat16, so that they take half the room. In float32 are what becomes the outputs (the state
/// and the loss), back to the products and sums that it is made of; and what is computed from the
/// loss's values, up to the next product.
std::vector<bool> Float32Values(const tensor::Graph& graph);

/// Whether the operation makes other shapes of the same elements. Its result has the format of its
/// operands.
bool OnlyMoves(const tensor::Operation& operation);

}  // namespace tpu::compiler
