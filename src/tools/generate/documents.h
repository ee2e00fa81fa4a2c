// SPDX-License-Identifier: Apache-2.0
// The tables of docs/.
#pragma once

#include <string>

namespace tpu::generate {

/// docs/isa_tables.md: encodings of all instructions.
std::string IsaTables();

/// docs/registers_tables.md: registers, constants, counters.
std::string RegisterTables();

/// docs/link_tables.md: commands, answers and constants of the frames between host and board.
std::string LinkTables();

/// docs/operators.md: operators of TensorFlow Lite.
std::string OperatorsDocument();

/// docs/onnx_operators.md: operators of ONNX.
std::string OnnxOperatorsDocument();

}  // namespace tpu::generate
