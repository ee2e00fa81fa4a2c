// SPDX-License-Identifier: Apache-2.0
// From a file on the command line to something that runs.
#pragma once

#include <filesystem>
#include <string>

#include "compiler/compile.h"
#include "executable/executable.h"
#include "ir/graph.h"
#include "tools/tpu/command.h"

namespace tpu::tools {

/// Options of every subcommand that compiles.
struct CompileFlags {
  std::string config = "N16";
  std::string rounding = "double";
  bool strict = false;

  [[nodiscard]] compiler::CompileOptions Options() const;
};
void AddCompileFlags(CLI::App& command, CompileFlags& flags);
/// `--backend`.
void AddBackendFlag(CLI::App& command, std::string& backend);
/// `--device`: a board becomes the backend, and the machine to compile for is the board's.
void AddDeviceFlag(CLI::App& command, std::string& backend, CompileFlags& flags);

/// Compiles a graph that was read from `path`, for error messages.
executable::Executable CompileGraph(const ir::Graph& graph, const std::filesystem::path& path,
                                    const CompileFlags& flags);

/// Reads a .tpu file, or reads and compiles a .tflite model; the contents tell which it is.
executable::Executable LoadExecutable(const std::filesystem::path& path, const CompileFlags& flags);

}  // namespace tpu::tools
