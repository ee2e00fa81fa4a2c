// SPDX-License-Identifier: Apache-2.0
// From float32 to the format in which machines with bf16 compute.
#pragma once

#include "ir/graph.h"
#include "isa/hardware_config.h"

namespace tpu::compiler {

/// Float32 tensors that the device computes with become bfloat16, and so do their constants, except
/// biases. Inputs and outputs of the graph stay float32, and what the host reads and writes:
/// conversions are put in between. Without bf16 in the machine nothing changes.
void UseBfloat16(ir::Graph& graph, const isa::HardwareConfig& config);

}  // namespace tpu::compiler
