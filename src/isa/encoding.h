// SPDX-License-Identifier: Apache-2.0
// Instructions to bytes and back (docs/isa_tables.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "isa/instruction.h"

namespace tpu::isa {

/// Why bytes are not an instruction: what the front end would report, and which field it is.
struct DecodeError {
  ErrorCode code = ErrorCode::kNone;
  std::string message;
};

struct Decoded {
  Instruction instruction;
  unsigned granules = 1;
};

/// Appends the instruction to `bytes`. Throws tpu::Error naming the instruction and the field when
/// a value is outside its legal range.
void Encode(const Instruction& instruction, std::vector<std::uint8_t>& bytes);

/// Decodes the instruction at the start of `bytes` (a multiple of 64 bytes, not empty), checking
/// what the front end checks: opcode, field ranges, reserved bits, cross-field rules, length. The
/// front end is that of a machine with these formats.
std::variant<Decoded, DecodeError> Decode(std::span<const std::uint8_t> bytes,
                                          Formats formats = kAllFormats);

/// What of an instruction a machine with these formats lacks, as in "matmul: format is bf16, and
/// the machine has no bf16"; nothing if the machine has all of it.
std::optional<std::string> WhatIsMissing(const Instruction& instruction, Formats formats);

/// A whole program. DecodeProgram throws tpu::Error naming the instruction's index.
std::vector<std::uint8_t> EncodeProgram(std::span<const Instruction> program);
std::vector<Instruction> DecodeProgram(std::span<const std::uint8_t> bytes);

}  // namespace tpu::isa
