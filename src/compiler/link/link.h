// SPDX-License-Identifier: Apache-2.0
// From scheduled programs to the bytes of an executable.
#pragma once

#include "compiler/program/sequential.h"
#include "executable/executable.h"

namespace tpu::compiler {

/// Encodes the programs and gives them their places in memory. Inputs and outputs are left empty.
executable::Executable Link(SequentialNetwork network);

}  // namespace tpu::compiler
