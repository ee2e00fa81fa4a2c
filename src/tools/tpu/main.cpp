// SPDX-License-Identifier: Apache-2.0
// The `tpu` command: networks from model files to results and cycles.
#include <fmt/core.h>

#include <cstdio>
#include <new>
#include <string>

#include "runtime/session.h"
#include "tools/devices.h"
#include "tools/tpu/command.h"
#include "tpu/version.h"

namespace tpu::tools {
namespace {

int Main(int argc, char** argv) {
  CLI::App app("Compiles TensorFlow Lite networks for the TPU, runs and trains them.", "tpu");
  app.set_version_flag("--version", std::string("tpu ") + kVersion);
  app.require_subcommand(1);
  Action action;
  RegisterDevices();
  AddRun(app, action);
  AddTrain(app, action);
  AddCompile(app, action);
  AddInspect(app, action);
  AddDisasm(app, action);
  AddAsm(app, action);
  AddBench(app, action);
  AddEval(app, action);
  AddServe(app, action);
  AddInfo(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    fmt::print(stderr, "tpu: {}; see tpu --help\n", error.what());
    return kBadInput;
  }
  const int status = action();
  if (std::fflush(stdout) != 0) throw Error("standard output cannot be written");
  return status;
}

int Report(int status, const char* what) {
  fmt::print(stderr, "tpu: {}\n", what);
  return status;
}

}  // namespace
}  // namespace tpu::tools

int main(int argc, char** argv) {
  namespace tools = tpu::tools;
  try {
    return tools::Main(argc, argv);
  } catch (const tpu::runtime::DeviceError& error) {
    return tools::Report(tools::kWrongResult, error.what());
  } catch (const tools::Failure& error) {
    return tools::Report(tools::kWrongResult, error.what());
  } catch (const tpu::InternalError& error) {
    return tools::Report(tools::kOurMistake, error.what());
  } catch (const std::bad_alloc&) {
    return tools::Report(tools::kBadInput, "not enough memory");
  } catch (const std::exception& error) {
    return tools::Report(tools::kBadInput, error.what());
  }
}
