// SPDX-License-Identifier: Apache-2.0
// Programs as text, one instruction per line:
//
//   matmul ub_addr=0x100 n_ob=4 zero_point=-3 wait=0,9 post=8   # comment
//
// A line is a mnemonic and field=value pairs in any order. Fields have the names of
// docs/isa_tables.md; one left out has the least legal value that is not negative. Numbers are
// decimal or 0x hexadecimal; fields with named values take the names; fields of type f32 take
// decimal fractions, inf, -inf, or the number's word in hexadecimal; `wait` and `post` take
// semaphore numbers separated by commas.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/instruction.h"

namespace tpu::assembly {

/// Throws tpu::Error "file:line:column: what was expected"; `file` is only used for that.
std::vector<isa::Instruction> Assemble(std::string_view text, std::string_view file);

/// One instruction as a line without line end, showing only fields that differ from their default.
std::string Disassemble(const isa::Instruction& instruction);

/// A program, one line per instruction; Assemble gives the same program back.
std::string Disassemble(std::span<const isa::Instruction> program);

}  // namespace tpu::assembly
