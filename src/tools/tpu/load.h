// SPDX-License-Identifier: Apache-2.0
// From a file to something that runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "executable/executable.h"
#include "ir/graph.h"

namespace tpu::tools {

/// How a network is compiled.
struct CompileFlags {
  std::string config = "N16";
  std::string rounding = "double";  ///< One of RoundingNames().
  bool strict = false;

  /// Throws tpu::Error where the rounding has another name.
  [[nodiscard]] compiler::CompileOptions Options() const;
};

std::vector<std::string> RoundingNames();

/// Compiles a graph that was read from `path`, for error messages.
executable::Executable CompileGraph(const ir::Graph& graph, const std::filesystem::path& path,
                                    const CompileFlags& flags);

/// The .tpu file, or compiles the .tflite or .onnx model, that holds `bytes`; the contents tell
/// which it is.
executable::Executable ReadExecutable(std::span<const std::uint8_t> bytes,
                                      const std::filesystem::path& path, const CompileFlags& flags);

/// Reads a .tpu file, or reads and compiles a .tflite or .onnx model; the contents tell which it
/// is.
executable::Executable LoadExecutable(const std::filesystem::path& path, const CompileFlags& flags);

}  // namespace tpu::tools
