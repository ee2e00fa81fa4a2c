// SPDX-License-Identifier: Apache-2.0
// How many cycles a program with semaphores takes. The compiler chooses among schedules, and among
// tilings that it tries, by this number.
#pragma once

#include "compiler/program/sequential.h"
#include "isa/hardware_config.h"
#include "timing/cycle.h"

namespace tpu::compiler {

/// The cycles that the timing model gives for a program with semaphores.
timing::Cycle EstimateCycles(const SequentialProgram& program, const isa::HardwareConfig& config);

}  // namespace tpu::compiler
