// SPDX-License-Identifier: Apache-2.0
// tpu compile: a network to a .tpu file.
#include <fmt/core.h>

#include <memory>
#include <string>

#include "base/files.h"
#include "executable/executable_file.h"
#include "sdk/read.h"
#include "tools/format.h"
#include "tools/tpu/command.h"
#include "tools/tpu/flags.h"
#include "tools/tpu/load.h"

namespace tpu::tools {
namespace {

struct CompileOptions {
  std::string model;
  std::string output;
  CompileFlags compile;
};

int Run(const CompileOptions& options) {
  const executable::Executable executable =
      CompileGraph(sdk::LoadGraph(options.model), options.model, options.compile);
  const auto bytes = executable::Serialise(executable);
  WriteFile(options.output, bytes);
  fmt::print("{}: {} bytes, {} layers, {} instructions, {} MACs\n", options.output,
             Grouped(bytes.size()), executable.layers.size(),
             executable.layer_of_instruction.size(), Grouped(executable.Macs()));
  return kDone;
}

}  // namespace

void AddCompile(CLI::App& app, Action& action) {
  auto options = std::make_shared<CompileOptions>();
  CLI::App& command = *app.add_subcommand("compile", "Compile a network to a .tpu file");
  command.add_option("MODEL", options->model, ".tflite or .onnx model")->required();
  command.add_option("-o,--output", options->output, ".tpu file to write")->required();
  AddCompileFlags(command, options->compile);
  command.callback([options, &action] { action = [options] { return Run(*options); }; });
}

}  // namespace tpu::tools
