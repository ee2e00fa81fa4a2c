// SPDX-License-Identifier: Apache-2.0
// The passes behind legalisation, which all front doors have in common.
#pragma once

#include <cstdint>

#include "compiler/place/place_tensors.h"
#include "compiler/quantise/quantization.h"
#include "executable/executable.h"
#include "ir/graph.h"
#include "isa/hardware_config.h"
#include "timing/cycle.h"

namespace tpu::compiler {

/// What others have of the device's memory.
struct MemoryPlan {
  std::uint64_t begin = 0;  ///< The executable uses none of the bytes before.
  FixedInputs fixed = {};   ///< But of these inputs.
};

/// The fastest executable by the timing model of some ways to compile a legal graph.
executable::Executable CompileLegal(const ir::Graph& legal, const isa::HardwareConfig& config,
                                    Rounding rounding, const MemoryPlan& memory = {});

/// How long the executable of the first of these ways takes, by the timing model: for tries.
timing::Cycle TryLegal(const ir::Graph& legal, const isa::HardwareConfig& config, Rounding rounding,
                       const MemoryPlan& memory = {});

}  // namespace tpu::compiler
