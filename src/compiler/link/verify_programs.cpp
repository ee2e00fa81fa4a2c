// SPDX-License-Identifier: Apache-2.0
#include "compiler/link/verify_programs.h"

#include <cstdint>
#include <variant>
#include <vector>

#include "asm/verifier.h"
#include "base/error.h"
#include "executable/executable_file.h"
#include "isa/instruction.h"

namespace tpu::compiler {

void VerifyPrograms(const executable::Executable& executable) {
  for (const executable::DeviceProgram* program : executable.DevicePrograms()) {
    const std::vector<isa::Instruction> instructions =
        executable::Instructions(executable, *program);
    const auto findings = assembly::Verify(instructions, executable.config,
                                           {.memory_bytes = executable.memory_bytes,
                                            .program_address = program->address,
                                            .max_findings = 1});
    if (findings.empty()) continue;
    const std::uint32_t index =
        program->first_instruction + static_cast<std::uint32_t>(findings.front().index);
    const executable::Layer& layer = executable.layers[executable.layer_of_instruction[index]];
    throw InternalError("{} ({}) became a wrong program: {}", layer.name, layer.op,
                        assembly::ToString(findings.front(), instructions));
  }
}

}  // namespace tpu::compiler
