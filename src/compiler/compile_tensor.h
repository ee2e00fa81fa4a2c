// SPDX-License-Identifier: Apache-2.0
// From the tensor language to an executable.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "executable/executable.h"
#include "isa/hardware_config.h"
#include "tensor/graph.h"
#include "timing/cycle.h"

namespace tpu::compiler {

/// What other executables have of the device's memory.
struct TensorMemory {
  std::uint64_t begin = 0;                          ///< None of the bytes before is used,
  std::map<std::string, std::uint64_t> state = {};  ///< but by these inputs, at these addresses.
};

/// Inputs and outputs as FromTensor leaves them (from_tensor/from_tensor.h). Throws tpu::Error
/// naming the operation that the machine has no way to compute.
executable::Executable CompileTensor(const tensor::Graph& graph, const isa::HardwareConfig& config,
                                     const TensorMemory& memory = {});

/// How long about that executable takes, by the timing model: for tries. Throws likewise.
timing::Cycle TryTensor(const tensor::Graph& graph, const isa::HardwareConfig& config,
                        const TensorMemory& memory = {});

}  // namespace tpu::compiler
