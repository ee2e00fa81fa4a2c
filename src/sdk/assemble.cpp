// SPDX-License-Identifier: Apache-2.0
#include "sdk/assemble.h"

#include <fmt/core.h>

#include <vector>

#include "asm/assembler.h"
#include "asm/verifier.h"
#include "base/error.h"
#include "isa/encoding.h"

namespace tpu::sdk {
namespace {

// The whole data memory is the program's input and its output; the program lies behind it.
executable::Executable MakeExecutable(const std::vector<isa::Instruction>& program,
                                      const isa::HardwareConfig& config,
                                      std::uint64_t memory_bytes) {
  const std::vector<std::uint8_t> bytes = isa::EncodeProgram(program);
  executable::Executable executable;
  executable.config = config;
  const std::uint64_t address =
      (memory_bytes + isa::kGranuleBytes - 1) / isa::kGranuleBytes * isa::kGranuleBytes;
  executable.memory_bytes = address + bytes.size();
  executable.segments = {{.address = address, .bytes = bytes}};
  executable.steps = {executable::DeviceProgram{
      .address = address,
      .granules = static_cast<std::uint32_t>(bytes.size() / isa::kGranuleBytes)}};
  const executable::TensorBinding memory = {.name = "memory",
                                            .shape = {static_cast<std::int64_t>(memory_bytes)}};
  executable.inputs = {memory};
  executable.outputs = {memory};
  executable.layers = {{.name = "program", .op = "program"}};
  executable.layer_of_instruction.assign(program.size(), 0);
  return executable;
}

void RequireCorrect(const std::vector<isa::Instruction>& program,
                    const executable::Executable& executable, const std::string& name) {
  const assembly::VerifyOptions verify = {.memory_bytes = executable.memory_bytes,
                                          .program_address = executable.segments[0].address};
  const auto findings = assembly::Verify(program, executable.config, verify);
  if (findings.empty()) return;
  const std::string more =
      findings.size() == 1 ? "" : fmt::format(" (and {} more findings)", findings.size() - 1);
  throw Error::Format("{}: {}{}", name, assembly::ToString(findings[0], program), more);
}

}  // namespace

executable::Executable Assemble(std::string_view text, const std::string& name,
                                const isa::HardwareConfig& config, std::uint64_t memory_bytes) {
  const std::vector<isa::Instruction> program = assembly::Assemble(text, name);
  executable::Executable executable = MakeExecutable(program, config, memory_bytes);
  RequireCorrect(program, executable, name);
  return executable;
}

}  // namespace tpu::sdk
