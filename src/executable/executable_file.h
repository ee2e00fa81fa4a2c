// SPDX-License-Identifier: Apache-2.0
// The .tpu file: a compiled network, or a program somebody wrote. executable_file.fbs describes the
// format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "executable/executable.h"
#include "isa/instruction.h"

namespace tpu::executable {

inline constexpr std::uint32_t kFormatVersion = 5;

/// Whether `bytes` start like a .tpu file, of whatever version.
bool HasMagic(std::span<const std::uint8_t> bytes);

/// The bytes of a file. Throws tpu::Error when they are more than a flatbuffer can have.
std::vector<std::uint8_t> Serialise(const Executable& executable);

/// Throws tpu::Error naming the file for anything damaged, of another format version or
/// inconsistent; what it returns passes Validate. `file` is used in messages only.
Executable Parse(std::span<const std::uint8_t> bytes, const std::string& file);

/// Throws tpu::Error "what is wrong" unless everything lies in memory, segments of one device do
/// not overlap, programs decode, all indices exist, and branches and loops lie inside each other.
void Validate(const Executable& executable);

/// The instructions of one step. Throws tpu::Error when they do not lie in one segment of the
/// step's device or do not decode.
std::vector<isa::Instruction> Instructions(const Executable& executable,
                                           const DeviceProgram& program);

/// The instructions of each device program, in the order of the steps.
std::vector<std::vector<isa::Instruction>> Programs(const Executable& executable);

}  // namespace tpu::executable
