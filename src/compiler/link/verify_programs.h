// SPDX-License-Identifier: Apache-2.0
// The last pass: a check of what the others made.
#pragma once

#include "executable/executable.h"

namespace tpu::compiler {

/// Runs the verifier on every program. A finding is a mistake of the compiler, not of its user:
/// throws tpu::InternalError naming the layer and the instruction.
void VerifyPrograms(const executable::Executable& executable);

}  // namespace tpu::compiler
