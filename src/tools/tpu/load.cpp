// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/load.h"

#include <memory>
#include <vector>

#include "base/files.h"
#include "executable/executable_file.h"
#include "sdk/read.h"
#include "tools/devices.h"

namespace tpu::tools {

compiler::CompileOptions CompileFlags::Options() const {
  compiler::CompileOptions options;
  options.rounding =
      rounding == "single" ? compiler::Rounding::kSingle : compiler::Rounding::kDouble;
  options.strict = strict;
  return options;
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
