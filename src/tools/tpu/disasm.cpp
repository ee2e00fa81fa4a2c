// SPDX-License-Identifier: Apache-2.0
// tpu disasm: the programs of a .tpu file as text that `tpu asm` takes.
#include <fmt/core.h>

#include <cstddef>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "asm/assembler.h"
#include "base/files.h"
#include "executable/executable_file.h"
#include "tools/format.h"
#include "tools/tpu/command.h"

namespace tpu::tools {
namespace {

struct DisasmOptions {
  std::string file;
  std::string output;
};

std::string TensorLine(const char* kind, const executable::TensorBinding& tensor) {
  return fmt::format("# {} {}: {} {} at 0x{:x}\n", kind, tensor.name, ElementTypeName(tensor.type),
                     ShapeText(tensor.shape), tensor.address);
}

std::string Header(const executable::Executable& executable) {
  const isa::HardwareConfig& config = executable.config;
  std::string text = fmt::format(
      "# N = {}, UB_ROWS = {}, ACC_ROWS = {}, PARAM_ROWS = {}, WINDOW = {}, REQUANT_LANES = {}, "
      "BF16 = {}, INT16 = {}, FLOAT_ROUNDING = {}, {} bytes of memory\n",
      config.n, config.ub_rows, config.acc_rows, config.param_rows, config.window,
      config.requant_lanes, config.bf16, config.int16, config.float_rounding,
      executable.memory_bytes);
  for (const executable::TensorBinding& t : executable.inputs) text += TensorLine("input", t);
  for (const executable::TensorBinding& t : executable.outputs) text += TensorLine("output", t);
  return text;
}

std::string StepText(const executable::Executable& executable,
                     const executable::DeviceProgram& program) {
  std::string text = fmt::format("\n# program at 0x{:x}\n", program.address);
  std::size_t index = program.first_instruction;
  for (const isa::Instruction& i : executable::Instructions(executable, program)) {
    const executable::Layer& layer = executable.layers[executable.layer_of_instruction[index]];
    text += fmt::format("{}  # {}: {} {}\n", assembly::Disassemble(i),
                        index - program.first_instruction, layer.name, layer.op);
    ++index;
  }
  return text;
}

std::string Addresses(const std::vector<executable::TensorBinding>& tensors) {
  std::string text;
  for (const executable::TensorBinding& tensor : tensors) {
    text += fmt::format("{}0x{:x}", text.empty() ? "" : ", ", tensor.address);
  }
  return text;
}

std::string StepText(const executable::Executable& executable, const executable::HostCall& call) {
  const executable::Layer& layer = executable.layers[call.layer];
  return fmt::format("\n# the host runs {} {} from {} to {}\n", layer.name, layer.op,
                     Addresses(call.inputs), Addresses(call.outputs));
}

std::string StepText(const executable::Executable& executable, const executable::Branch& branch) {
  const executable::Layer& layer = executable.layers[branch.layer];
  return fmt::format(
      "\n# {} {}: if the byte at 0x{:x} is not 0 the next {} steps, else the {} behind them\n",
      layer.name, layer.op, branch.condition.address, branch.then_steps, branch.else_steps);
}

std::string StepText(const executable::Executable& executable, const executable::Loop& loop) {
  const executable::Layer& layer = executable.layers[loop.layer];
  return fmt::format(
      "\n# {} {}: the next {} steps; while the byte at 0x{:x} is not 0 the {} behind them and they "
      "again\n",
      layer.name, layer.op, loop.condition_steps, loop.condition.address, loop.body_steps);
}

int Run(const DisasmOptions& options) {
  const executable::Executable executable =
      executable::Parse(ReadBytes(options.file), options.file);
  std::string text = Header(executable);
  for (const executable::Step& step : executable.steps) {
    text += std::visit([&](const auto& s) { return StepText(executable, s); }, step);
  }
  if (options.output.empty()) {
    fmt::print("{}", text);
  } else {
    WriteFile(options.output, text);
  }
  return kDone;
}

}  // namespace

void AddDisasm(CLI::App& app, Action& action) {
  auto options = std::make_shared<DisasmOptions>();
  CLI::App& command = *app.add_subcommand("disasm", "Print the programs of a .tpu file");
  command.add_option("FILE", options->file, ".tpu file")->required();
  command.add_option("-o,--output", options->output, "Text file to write instead");
  command.callback([options, &action] { action = [options] { return Run(*options); }; });
}

}  // namespace tpu::tools
