// SPDX-License-Identifier: Apache-2.0
// From a model, or from instructions, to a program for a machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tpu/hardware_config.h"
#include "tpu/model.h"
#include "tpu/tensor.h"

namespace tpu {

/// How requantised values are rounded: as TensorFlow Lite's default build does (double), as its
/// build with TFLITE_SINGLE_ROUNDING (single), or as XNNPACK and ONNX Runtime do (float; needs a
/// machine with `float_rounding`).
enum class ProgramRounding : std::uint8_t { kDouble, kSingle, kFloat };

/// How a network is compiled.
struct ProgramOptions {
  ProgramRounding rounding = ProgramRounding::kDouble;  ///< Of all requantised values.
  bool strict = false;  ///< Refuses operators that would run on the host.
};

/// What a Session runs. A copy shares the contents with the original.
class Program {
 public:
  /// Compiles a network for one machine. Throws tpu::Error naming the file, the operator and the
  /// tensor for what that machine cannot run.
  static Program Compile(const Model& model, const HardwareConfig& config,
                         const ProgramOptions& options = {});

  /// Instructions in the syntax of `tpu asm` (docs/isa.md), verified. The first `memory_bytes`
  /// bytes of the device's memory are both the input and the output named "memory". `name` stands
  /// in messages. Throws tpu::Error naming the place for text that is no program and for
  /// instructions that could race.
  static Program Assemble(std::string_view text, const std::string& name,
                          const HardwareConfig& config, std::uint64_t memory_bytes);

  /// Reads a .tpu file. Throws tpu::Error naming the file and what is wrong.
  static Program Load(const std::filesystem::path& path);
  /// Writes a .tpu file. Throws tpu::Error naming the file and what is wrong.
  void Save(const std::filesystem::path& path) const;

  [[nodiscard]] const HardwareConfig& config() const;  ///< The machine that it was compiled for.
  /// How many devices a Session needs to run it: 1 for all that Compile and Assemble make today.
  [[nodiscard]] std::size_t devices() const;
  [[nodiscard]] std::vector<TensorInfo> inputs() const;   ///< In the model's order.
  [[nodiscard]] std::vector<TensorInfo> outputs() const;  ///< In the model's order.

 private:
  friend class Session;
  struct Contents;
  explicit Program(std::shared_ptr<const Contents> contents);
  std::shared_ptr<const Contents> contents_;
};

}  // namespace tpu
