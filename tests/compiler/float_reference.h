// SPDX-License-Identifier: Apache-2.0
// Networks of float32 by plain loops in double precision, written from TensorFlow Lite's
// definitions, together with the most by which a machine may differ that rounds to bfloat16 between
// operators (docs/arithmetic.md, Floating point).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "float_number.h"
#include "ir/graph.h"

namespace tpu::reference {

/// Runs the graph. `inputs` in the order of graph.inputs, codes where they are integers; returns
/// the graph's outputs. Operators from int8 to int8 must not follow those on float32.
/// `beyond_int32` says whether QUANTIZE met a number of steps that int32 does not hold: C leaves
/// undefined what TensorFlow Lite makes of such.
std::vector<Numbers> EvaluateFloats(const ir::Graph& graph,
                                    const std::vector<std::vector<float>>& inputs,
                                    bool* beyond_int32 = nullptr);

/// The first of the values that lies outside its bound, if any.
std::optional<std::size_t> FirstOutside(const std::vector<float>& got, const Numbers& expected);

}  // namespace tpu::reference
