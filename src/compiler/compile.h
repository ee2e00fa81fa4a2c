// SPDX-License-Identifier: Apache-2.0
// The compiler's front door.
#pragma once

#include <cstdint>

#include "compiler/quantise/quantization.h"
#include "executable/executable.h"
#include "ir/graph.h"
#include "isa/hardware_config.h"

namespace tpu::compiler {

struct CompileOptions {
  Rounding rounding = Rounding::kDouble;
  /// Refuses operators that would run on the host.
  bool strict = false;
  /// Makes the outputs of all operators outputs of the executable, after the graph's own, in the
  /// operators' order. Nothing is fused and nothing stays on chip then.
  bool keep_intermediates = false;
};

/// Compiles a network for one machine: what the device cannot do becomes host calls between device
/// programs. Throws tpu::Error naming the operator and the tensor for
/// anything that is malformed or that the machine cannot run.
executable::Executable Compile(const ir::Graph& graph, const isa::HardwareConfig& config,
                               const CompileOptions& options = {});

}  // namespace tpu::compiler
