// SPDX-License-Identifier: Apache-2.0
// The interface and the options that all subcommands of `tpu` have in common.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "tools/tpu/failure.h"

namespace tpu::tools {

/// Exit statuses.
inline constexpr int kDone = 0;
inline constexpr int kWrongResult = 1;  ///< Also: the device reported an error.
inline constexpr int kBadInput = 2;     ///< Bad usage or a bad file.
inline constexpr int kOurMistake = 3;   ///< tpu::InternalError.
/// The user ended it with SIGINT or SIGTERM; what shells say of such programs.
inline constexpr int kInterrupted = 130;

/// The work of a subcommand, done after the command line is parsed. Returns the exit status.
using Action = std::function<int()>;

// Each adds its subcommand, which sets `action` when chosen.
void AddAsm(CLI::App& app, Action& action);
void AddBench(CLI::App& app, Action& action);
void AddCompile(CLI::App& app, Action& action);
void AddDisasm(CLI::App& app, Action& action);
void AddEval(CLI::App& app, Action& action);
void AddInfo(CLI::App& app, Action& action);
void AddInspect(CLI::App& app, Action& action);
void AddRun(CLI::App& app, Action& action);
void AddServe(CLI::App& app, Action& action);
void AddTrain(CLI::App& app, Action& action);

}  // namespace tpu::tools
