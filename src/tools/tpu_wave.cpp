// SPDX-License-Identifier: Apache-2.0
// Records a small matrix product and a small convolution on the simulated machine as waveforms.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <string>

#include "compiler/compile.h"
#include "devices/rtl/rtl_device.h"
#include "profile/measure.h"
#include "runtime/config.h"
#include "workloads/workload.h"

namespace tpu::tools {
namespace {

void Record(const std::string& file, const workloads::Workload& workload) {
  const std::unique_ptr<devices::RtlDevice> device = devices::MakeN16Trace({.wave_file = file});
  const executable::Executable executable =
      compiler::Compile(workload.graph, runtime::ReadConfig(*device));
  const profile::Measurement run =
      profile::Runner(*device, executable).Run(runtime::BytesOf(workload.inputs));
  fmt::print("{}: {} cycles of the program\n", file, run.report.cycles);
}

int Main(int argc, char** argv) {
  std::string folder;
  CLI::App app("Records matmul.fst and conv.fst.");
  app.add_option("--output", folder, "Existing folder for the files")
      ->check(CLI::ExistingDirectory)
      ->required();
  CLI11_PARSE(app, argc, argv);
  const workloads::WindowShape window = workloads::Same({.image = {12, 12},
                                                         .channels = 16,
                                                         .kernel = {3, 3},
                                                         .stride = {1, 1},
                                                         .dilation = {1, 1},
                                                         .padding = {}});
  Record(folder + "/matmul.fst", workloads::Matmul(48, 64, 32, 1));
  Record(folder + "/conv.fst", workloads::Convolution(window, 32, ir::Activation::kRelu, 1));
  return 0;
}

}  // namespace
}  // namespace tpu::tools

int main(int argc, char** argv) {
  try {
    return tpu::tools::Main(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tpu_wave: {}\n", error.what());
    return 1;
  }
}
