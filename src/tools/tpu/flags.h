// SPDX-License-Identifier: Apache-2.0
// Options that several subcommands have.
#pragma once

#include <string>

#include "tools/tpu/command.h"
#include "tools/tpu/load.h"

namespace tpu::tools {

/// Of every subcommand that compiles.
void AddCompileFlags(CLI::App& command, CompileFlags& flags);
/// `--backend`.
void AddBackendFlag(CLI::App& command, std::string& backend);
/// `--device`: a board becomes the backend, and the machine to compile for is the board's.
void AddDeviceFlag(CLI::App& command, std::string& backend, CompileFlags& flags);

}  // namespace tpu::tools
