// SPDX-License-Identifier: Apache-2.0
// The Verilog headers.
#pragma once

#include <string>

namespace tpu::generate {

/// rtl/include/tpu_isa.vh: units, errors, opcodes, fields, and what is legal. Throws
/// std::runtime_error for a definition that the RTL cannot check.
std::string IsaHeader();

/// rtl/include/tpu_regs.vh: offsets and bits of the registers, constants, counters.
std::string RegsHeader();

/// rtl/include/tpu_link.vh: commands, answers and constants of the frames between host and board.
std::string LinkHeader();

}  // namespace tpu::generate
