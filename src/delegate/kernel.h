// SPDX-License-Identifier: Apache-2.0
// A part of LiteRT's graph, compiled, on a device of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "delegate/litert_abi.h"
#include "delegate/options.h"
#include "delegate/part.h"
#include "delegate/report.h"
#include "executable/executable.h"
#include "profile/measure.h"
#include "tpu/device.h"

namespace tpu::delegate {

class Kernel;

/// What the kernels of a delegate share, and what must outlive them.
struct Surroundings {
  Options options;
  Report report;
  Kernel* on_board = nullptr;  ///< A board has one program at a time: whose it is.
};

class Kernel {
 public:
  /// Compiles the part. Throws tpu::Error when it cannot be compiled for the machine.
  Kernel(TfLiteContext& context, Part part, Surroundings& surroundings);
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  ~Kernel();

  /// Compiles again if tensors have other shapes by now. Throws tpu::Error.
  void Prepare(TfLiteContext& context);
  /// Runs once, from and to LiteRT's tensors. Throws tpu::Error.
  void Run(TfLiteContext& context);

 private:
  /// A device with the program in its memory.
  struct Loaded {
    Loaded(std::unique_ptr<Device> with, const executable::Executable& executable)
        : device(std::move(with)), runner(*device, executable) {}
    std::unique_ptr<Device> device;
    profile::Runner runner;
  };

  void Compile(TfLiteContext& context);
  void Load();
  /// Leaves the board to another kernel.
  void LeaveBoard();
  profile::Measurement Measure(std::span<const std::span<const std::uint8_t>> inputs);
  /// Whether LiteRT has reset a variable since the last run.
  [[nodiscard]] bool VariablesAreReset(const TfLiteContext& context) const;

  Part part_;
  Surroundings& surroundings_;
  std::vector<std::vector<int>> shapes_;  // Of inputs and outputs, which it is compiled for.
  executable::Executable executable_;
  std::optional<Loaded> loaded_;
};

}  // namespace tpu::delegate
