// tpu asm: a program written by hand to a .tpu file.
#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "asm/assembler.h"
#include "asm/verifier.h"
#include "base/files.h"
#include "executable/executable_file.h"
#include "isa/encoding.h"
#include "tools/tpu/command.h"
#include "tools/tpu/machines.h"

namespace tpu::tools {
namespace {

struct AsmOptions {
  std::string file;
  std::string output;
  std::string config = "N16";
  std::uint64_t memory = 1U << 20;
};

// The whole data memory is the program's input and its output; the program lies behind it.
isa::Executable MakeExecutable(const std::vector<isa::Instruction>& program,
                               const AsmOptions& options) {
  const std::vector<std::uint8_t> bytes = isa::EncodeProgram(program);
  isa::Executable executable;
  executable.config = FindMachine(options.config).config;
  const std::uint64_t address =
      (options.memory + isa::kGranuleBytes - 1) / isa::kGranuleBytes * isa::kGranuleBytes;
  executable.memory_bytes = address + bytes.size();
  executable.segments = {{.address = address, .bytes = bytes}};
  executable.steps = {isa::DeviceProgram{
      .address = address,
      .granules = static_cast<std::uint32_t>(bytes.size() / isa::kGranuleBytes)}};
  const isa::TensorBinding memory = {.name = "memory",
                                     .shape = {static_cast<std::int64_t>(options.memory)}};
  executable.inputs = {memory};
  executable.outputs = {memory};
  executable.layers = {{.name = "program", .op = "program"}};
  executable.layer_of_instruction.assign(program.size(), 0);
  return executable;
}

void RequireCorrect(const std::vector<isa::Instruction>& program, const isa::Executable& executable,
                    const std::string& file) {
  const assembly::VerifyOptions verify = {.memory_bytes = executable.memory_bytes,
                                          .program_address = executable.segments[0].address};
  const auto findings = assembly::Verify(program, executable.config, verify);
  if (findings.empty()) return;
  const std::string more =
      findings.size() == 1 ? "" : fmt::format(" (and {} more findings)", findings.size() - 1);
  throw Error::Format("{}: {}{}", file, assembly::ToString(findings[0], program), more);
}

int Run(const AsmOptions& options) {
  const std::vector<isa::Instruction> program =
      assembly::Assemble(ReadText(options.file), options.file);
  const isa::Executable executable = MakeExecutable(program, options);
  RequireCorrect(program, executable, options.file);
  WriteFile(options.output, executable_file::Serialise(executable));
  fmt::print("{}: {} instructions at 0x{:x}\n", options.output, program.size(),
             executable.segments[0].address);
  return kDone;
}

}  // namespace

void AddAsm(CLI::App& app, Action& action) {
  constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 32;
  auto options = std::make_shared<AsmOptions>();
  CLI::App& command = *app.add_subcommand("asm", "Assemble and verify a program");
  command.add_option("FILE", options->file, "Program text: the syntax is in src/asm/assembler.h")
      ->required();
  command.add_option("-o,--output", options->output, ".tpu file to write")->required();
  command.add_option("--config", options->config, "Machine it is for: see `tpu info`")
      ->capture_default_str();
  command
      .add_option(
          "--memory", options->memory,
          "Bytes of data memory, from address 0; they are the input and the output `memory`")
      ->check(CLI::Range(std::uint64_t{1}, kMostMemory))
      ->capture_default_str();
  command.callback([options, &action] { action = [options] { return Run(*options); }; });
}

}  // namespace tpu::tools
