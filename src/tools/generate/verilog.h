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

}  // namespace tpu::generate
