// SPDX-License-Identifier: Apache-2.0
// How long a program takes, semaphores and all: what schedules and tried tilings are chosen by.
#pragma once

#include "compiler/program/sequential.h"
#include "isa/hardware_config.h"
#include "timing/cycle.h"

namespace tpu::compiler {

/// What the timing model says of a program with semaphores.
timing::Cycle EstimateCycles(const SequentialProgram& program, const isa::HardwareConfig& config);

}  // namespace tpu::compiler
