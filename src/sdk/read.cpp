// SPDX-License-Identifier: Apache-2.0
#include "sdk/read.h"

#include <string>

#include "base/error.h"
#include "base/files.h"
#include "frontends/onnx/import.h"
#include "frontends/onnx/parse.h"
#include "frontends/tflite/import.h"
#include "frontends/tflite/parse.h"

namespace tpu::sdk {
namespace {

// Runs `make`; its errors name the file.
template <typename Make>
auto WithFile(const std::filesystem::path& path, const Make& make) {
  try {
    return make();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.find(path.string()) != std::string::npos) throw;
    throw Error(path.string() + ": " + message);
  }
}

}  // namespace

ir::Graph ReadGraph(std::span<const std::uint8_t> bytes, const std::filesystem::path& path) {
  return WithFile(path, [&] {
    if (onnx::IsOnnx(bytes)) return onnx::Import(onnx::Parse(bytes));
    return tflite::Import(tflite::Parse(bytes, path.string()));
  });
}

ir::Graph LoadGraph(const std::filesystem::path& path) { return ReadGraph(ReadBytes(path), path); }

executable::Executable Compile(const ir::Graph& graph, const std::filesystem::path& path,
                               const isa::HardwareConfig& config,
                               const compiler::CompileOptions& options) {
  return WithFile(path, [&] { return compiler::Compile(graph, config, options); });
}

}  // namespace tpu::sdk
