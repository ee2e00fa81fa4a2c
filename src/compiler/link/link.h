// SPDX-License-Identifier: Apache-2.0
// The last passes: from scheduled programs to the bytes of an executable.
#pragma once

#include "compiler/program/sequential.h"
#include "executable/executable.h"

namespace tpu::compiler {

/// Encodes the programs and gives them their places in memory. Inputs and outputs are left empty.
isa::Executable Link(SequentialNetwork network);

/// Runs the verifier on every program. A finding is a mistake of the compiler, not of its user:
/// throws tpu::InternalError naming the layer and the instruction.
void VerifyPrograms(const isa::Executable& executable);

}  // namespace tpu::compiler
