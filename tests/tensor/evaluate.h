// SPDX-License-Identifier: Apache-2.0
// What a graph computes, by plain loops written from StableHLO's specification.
#pragma once

#include <vector>

#include "tensor/graph.h"

namespace tpu::tensor {

/// A tensor's elements in row-major order; a pred is 0 or 1.
template <typename T>
using Values = std::vector<T>;

/// The graph's outputs. `inputs` in the order of graph.inputs. With T = double nothing is rounded
/// to the elements' type; with T = float f32 is exact, and bf16 is rounded to the nearest, ties to
/// even.
template <typename T>
std::vector<Values<T>> Evaluate(const Graph& graph, const std::vector<Values<T>>& inputs);

extern template std::vector<Values<double>> Evaluate(const Graph& graph,
                                                     const std::vector<Values<double>>& inputs);
extern template std::vector<Values<float>> Evaluate(const Graph& graph,
                                                    const std::vector<Values<float>>& inputs);

}  // namespace tpu::tensor
