// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/flags.h"

#include "tools/devices.h"

namespace tpu::tools {

void AddCompileFlags(CLI::App& command, CompileFlags& flags) {
  command
      .add_option("--config", flags.config,
                  "Machine to compile for: see `tpu info`. With -bf16 behind its name, the machine "
                  "with bf16; except N16-bf16 only the golden model is one: `--backend golden`")
      ->capture_default_str();
  command
      .add_option("--rounding", flags.rounding,
                  "Requantisation as in TensorFlow Lite's default build (double) or as with "
                  "TFLITE_SINGLE_ROUNDING (single)")
      ->check(CLI::IsMember({"double", "single"}))
      ->capture_default_str();
  command.add_flag("--strict", flags.strict, "Refuse operators that would run on the host");
}

void AddBackendFlag(CLI::App& command, std::string& backend) {
  command
      .add_option("--backend", backend,
                  "What runs the program: the simulated RTL, or the golden model, which is faster "
                  "but has no cycles; see `tpu info`")
      ->check(CLI::IsMember(DeviceNames()))
      ->capture_default_str();
}

}  // namespace tpu::tools
