// SPDX-License-Identifier: Apache-2.0
// Values of the forward pass that the backward pass computes again instead of keeping them.
#pragma once

#include <set>
#include <vector>

#include "tensor/graph.h"

namespace tpu::tensor {

/// Of a graph with an output "loss": values of the forward pass, which the loss is made of, that
/// the backward pass, all else, needs too, and that operations on elements make of inputs,
/// constants and other values that it needs. So computing them again keeps nothing else for longer.
std::vector<ValueId> Recomputable(const Graph& graph);

/// The same graph, whose backward pass computes these values, all of them Recomputable, for itself:
/// just before it needs them for the first time.
Graph Recompute(const Graph& graph, const std::set<ValueId>& values);

}  // namespace tpu::tensor
