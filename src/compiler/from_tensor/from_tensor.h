// SPDX-License-Identifier: Apache-2.0
// From the tensor language to the compiler's graph: operators of bfloat16 and float32, most of
// which legalisation leaves as they are.
#pragma once

#include "ir/graph.h"
#include "isa/hardware_config.h"
#include "tensor/graph.h"

namespace tpu::compiler {

/// Inputs and outputs keep their names and their order. A scalar has the shape [1]. An output with
/// the name of an input takes the input's place. Inputs that only the array takes are bfloat16.
/// Throws tpu::Error naming the operation that the machine has no way to compute.
ir::Graph FromTensor(const tensor::Graph& graph, const isa::HardwareConfig& config);

}  // namespace tpu::compiler
