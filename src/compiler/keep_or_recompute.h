// SPDX-License-Identifier: Apache-2.0
// What of a training step's forward pass stays in memory for the backward pass.
#pragma once

#include "compiler/compile_tensor.h"
#include "isa/hardware_config.h"
#include "tensor/graph.h"

namespace tpu::compiler {

/// The step, an input of CompileTensor, or one that computes some of its activations again
/// (tensor/recompute.h): one value after the other, in the order of the forward pass, is computed
/// again where the timing model says that the step takes fewer cycles then.
tensor::Graph KeepOrRecompute(const tensor::Graph& step, const isa::HardwareConfig& config,
                              const TensorMemory& memory = {});

}  // namespace tpu::compiler
