// SPDX-License-Identifier: Apache-2.0
// From model files to graphs and executables. Every error names the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "compiler/compile.h"
#include "executable/executable.h"
#include "ir/graph.h"

namespace tpu::sdk {

/// The network of a TensorFlow Lite or ONNX file. What the file holds says which one it is.
ir::Graph LoadGraph(const std::filesystem::path& path);

/// The network of such a file that holds `bytes`.
ir::Graph ReadGraph(std::span<const std::uint8_t> bytes, const std::filesystem::path& path);

/// Compiles the network of the file `path`.
executable::Executable Compile(const ir::Graph& graph, const std::filesystem::path& path,
                               const isa::HardwareConfig& config,
                               const compiler::CompileOptions& options);

}  // namespace tpu::sdk
