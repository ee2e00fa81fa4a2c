// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/flags.h"

#include <memory>

#include "devices/board/board_device.h"
#include "tools/devices.h"
#include "tools/progress.h"

namespace tpu::tools {

void AddCompileFlags(CLI::App& command, CompileFlags& flags) {
  command
      .add_option("--config", flags.config,
                  "Machine to compile for: see `tpu info`. With -bf16 behind its name, the machine "
                  "with bf16; except N16-bf16 only the golden model is one: `--backend golden`")
      ->capture_default_str();
  command
      .add_option("--rounding", flags.rounding,
                  "Requantisation as in TensorFlow Lite's default build (double), as with "
                  "TFLITE_SINGLE_ROUNDING (single), or as XNNPACK and ONNX Runtime do (float)")
      ->check(CLI::IsMember(RoundingNames()))
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

void AddDeviceFlag(CLI::App& command, std::string& backend, CompileFlags& flags) {
  const auto use_board = [&backend, &flags](const std::string& name) {
    auto line = std::make_shared<TransferLine>(name);
    RegisterDevice(devices::BoardKind(
        name, [line](std::uint64_t done, std::uint64_t all) { line->Update(done, all); }));
    backend = name;
    flags.config = name;
  };
  command
      .add_option_function<std::string>(
          "--device", use_board,
          "Board that runs the program, for whose machine it is compiled: uart:/dev/ttyUSB0, or "
          "uart:/dev/ttyUSB0@3000000 with the bits per second of the line, or tcp:HOST:PORT")
      ->excludes("--backend")
      ->excludes("--config");
}

}  // namespace tpu::tools
