// SPDX-License-Identifier: Apache-2.0
// Orders of instructions in which units do not wait for each other longer than the data needs.
#pragma once

#include <vector>

#include "compiler/program/overlap.h"
#include "compiler/program/sequential.h"
#include "isa/hardware_config.h"

namespace tpu::compiler {

/// The instructions in some promising orders, without semaphores; one order at least. Each order
/// keeps every conflicting pair as it is, and a WEIGHTS or UBWEIGHTS together with the
/// MATMUL behind it.
std::vector<SequentialProgram> Orders(const SequentialProgram& program,
                                      const isa::HardwareConfig& config,
                                      Overlap overlap = Overlap::kEnds);

/// One of these orders, which is seldom far from the best.
SequentialProgram TypicalOrder(const SequentialProgram& program, const isa::HardwareConfig& config,
                               Overlap overlap = Overlap::kEnds);

}  // namespace tpu::compiler
