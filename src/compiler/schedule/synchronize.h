// SPDX-License-Identifier: Apache-2.0
// From a sequential list of instructions to a program whose units run freely: finds the conflicts
// between instructions and orders them with semaphores.
#pragma once

#include "compiler/program/sequential.h"

namespace tpu::compiler {

/// Sets the wait and post masks so that every pair of conflicting instructions is ordered
/// (docs/isa.md, 2 and 8), with no wait that others already imply. Keeps the order of the list.
void Synchronize(SequentialProgram& program);

}  // namespace tpu::compiler
