// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/vector.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/error.h"
#include "base/files.h"
#include "frontends/tflite/import.h"
#include "frontends/tflite/parse.h"
#include "runtime/config.h"

namespace tpu::conformance {
namespace {

std::uint64_t Bytes(const std::vector<executable::TensorBinding>& tensors) {
  std::uint64_t bytes = 0;
  for (const executable::TensorBinding& tensor : tensors) bytes += tensor.Bytes();
  return bytes;
}

}  // namespace

runtime::RunOptions RunLimits() { return {.max_cycles = 50'000'000, .watchdog = 100'000}; }

Vector LoadVector(const std::filesystem::path& model) {
  std::filesystem::path data = model;
  return {.graph = tflite::Import(tflite::Load(model)),
          .data = ReadBytes(data.replace_extension(".data"))};
}

std::string Difference(const Vector& vector, compiler::Rounding rounding, runtime::Device& device) {
  const executable::Executable executable =
      compiler::Compile(vector.graph, runtime::ReadConfig(device), {.rounding = rounding});
  const std::uint64_t inputs = Bytes(executable.inputs);
  const std::uint64_t outputs = Bytes(executable.outputs);
  const bool both = vector.data.size() == inputs + 2 * outputs;
  if (!both && vector.data.size() != inputs + outputs) {
    throw Error::Format("the data have {} bytes; inputs of {} and outputs of {} are needed",
                        vector.data.size(), inputs, outputs);
  }
  runtime::Session session(device, executable);
  std::span<const std::uint8_t> rest = vector.data;
  const auto take = [&rest](std::uint64_t bytes) {
    const auto part = rest.first(bytes);
    rest = rest.subspan(bytes);
    return part;
  };
  for (std::size_t i = 0; i < executable.inputs.size(); ++i) {
    session.SetInputBytes(i, take(executable.inputs[i].Bytes()));
  }
  session.Run(RunLimits());
  if (both && rounding == compiler::Rounding::kSingle) take(outputs);
  for (std::size_t i = 0; i < executable.outputs.size(); ++i) {
    const std::vector<std::uint8_t> got = session.OutputBytes(i);
    const auto expected = take(got.size());
    const auto [g, e] = std::mismatch(got.begin(), got.end(), expected.begin());
    if (g == got.end()) continue;
    return fmt::format("output {} ({}) byte {} of {}: got {}, expected {}", i,
                       executable.outputs[i].name, g - got.begin(), got.size(), *g, *e);
  }
  return {};
}

}  // namespace tpu::conformance
