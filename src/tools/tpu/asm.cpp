// SPDX-License-Identifier: Apache-2.0
// tpu asm: a program written by hand to a .tpu file.
#include <fmt/core.h>

#include <memory>
#include <string>

#include "base/files.h"
#include "executable/executable_file.h"
#include "sdk/assemble.h"
#include "tools/devices.h"
#include "tools/tpu/command.h"

namespace tpu::tools {
namespace {

struct AsmOptions {
  std::string file;
  std::string output;
  std::string config = "N16";
  std::uint64_t memory = 1U << 20;
};

int Run(const AsmOptions& options) {
  const executable::Executable executable = sdk::Assemble(
      ReadText(options.file), options.file, FindMachine(options.config), options.memory);
  WriteFile(options.output, executable::Serialise(executable));
  fmt::print("{}: {} instructions at 0x{:x}\n", options.output,
             executable.layer_of_instruction.size(), executable.segments[0].address);
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
