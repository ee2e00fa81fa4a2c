// SPDX-License-Identifier: Apache-2.0
// Random weights to begin with.
#pragma once

#include <cstdint>

#include "ir/graph.h"
#include "tensor/from_tflite/from_tflite.h"

namespace tpu::training {

/// Gives the parameters of FULLY_CONNECTED, CONV_2D and DEPTHWISE_CONV_2D new values: biases are
/// zero; weights are uniform from -r to r. With a RELU behind the operator r is sqrt(6 / fan in)
/// (He et al., 2015), else sqrt(6 / (fan in + fan out)) (Glorot and Bengio, 2010). Fan in is how
/// many products an output sums up, fan out for how many sums an input counts. Other parameters
/// stay. `result` is what FromTflite made of `graph`.
void Initialise(const ir::Graph& graph, std::uint64_t seed, tensor::FromTfliteResult& result);

}  // namespace tpu::training
