// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/load.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "base/files.h"
#include "compiler/compile.h"
#include "executable/executable_file.h"
#include "sdk/read.h"
#include "tools/devices.h"

namespace tpu::tools {

compiler::CompileOptions CompileFlags::Options() const {
  compiler::CompileOptions options;
  options.rounding = rounding == "single"  ? compiler::Rounding::kSingle
                     : rounding == "float" ? compiler::Rounding::kFloat
                                           : compiler::Rounding::kDouble;
  options.strict = strict;
  return options;
}

std::string RoundingNote(const executable::Executable& executable, const CompileFlags& flags) {
  if (flags.rounding != "float") return {};
  std::string names;
  for (const executable::Layer& layer : executable.layers) {
    if (!compiler::KeepsOwnRounding(layer.op)) continue;
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", layer.name, layer.op);
  }
  if (names.empty()) return {};
  return fmt::format(
      "rounding float: computed as in rounding double, which may be a step off: {}\n", names);
}

executable::Executable CompileGraph(const ir::Graph& graph, const std::filesystem::path& path,
                                    const CompileFlags& flags) {
  return sdk::Compile(graph, path, FindMachine(flags.config), flags.Options());
}

executable::Executable ReadExecutable(std::span<const std::uint8_t> bytes,
                                      const std::filesystem::path& path,
                                      const CompileFlags& flags) {
  if (executable::HasMagic(bytes)) return executable::Parse(bytes, path.string());
  return CompileGraph(sdk::ReadGraph(bytes, path), path, flags);
}

executable::Executable LoadExecutable(const std::filesystem::path& path,
                                      const CompileFlags& flags) {
  return ReadExecutable(ReadBytes(path), path, flags);
}

}  // namespace tpu::tools
