// SPDX-License-Identifier: Apache-2.0
// Products as the array computes them.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "tensor/graph.h"

namespace tpu::tensor {

/// Converts the operands of dot_generals and convolutions from f32 to bf16. Results and all other
/// operations stay f32. Of a graph with gradients this makes the parameters copies for the array,
/// while sums, gradients and the parameters themselves stay f32.
Graph UseBfloat16(const Graph& graph);

/// The name of a tensor's copy for the array.
std::string CopyName(std::string_view name);

/// Where an input of f32 that is a `parameter` is converted to bf16, an input of bf16 with the
/// copy's name takes its place. Where there is an output with the parameter's name, there is one
/// with the copy's, too: the copies are a part of the state.
Graph KeepCopies(const Graph& graph, const std::set<std::string, std::less<>>& parameters);

}  // namespace tpu::tensor
