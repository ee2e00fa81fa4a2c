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

// The data of a vector, from the beginning.
class Data {
 public:
  explicit Data(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  [[nodiscard]] bool IsEmpty() const { return rest_.empty(); }
  std::span<const std::uint8_t> Take(std::uint64_t bytes) {
    const auto part = rest_.first(bytes);
    rest_ = rest_.subspan(bytes);
    return part;
  }

 private:
  std::span<const std::uint8_t> rest_;
};

void SetInputs(runtime::Session& session, const executable::Executable& executable, Data& data) {
  for (std::size_t i = 0; i < executable.inputs.size(); ++i) {
    session.SetInputBytes(i, data.Take(executable.inputs[i].Bytes()));
  }
}

// The first output byte that is wrong, in words.
std::string DifferenceOfOutputs(const runtime::Session& session,
                                const executable::Executable& executable, Data& data) {
  for (std::size_t i = 0; i < executable.outputs.size(); ++i) {
    const std::vector<std::uint8_t> got = session.OutputBytes(i);
    const auto expected = data.Take(got.size());
    const auto [g, e] = std::mismatch(got.begin(), got.end(), expected.begin());
    if (g == got.end()) continue;
    return fmt::format("output {} ({}) byte {} of {}: got {}, expected {}", i,
                       executable.outputs[i].name, g - got.begin(), got.size(), *g, *e);
  }
  return {};
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
  Data data(vector.data);
  SetInputs(session, executable, data);
  session.Run(RunLimits());
  if (both && rounding == compiler::Rounding::kSingle) data.Take(outputs);
  return DifferenceOfOutputs(session, executable, data);
}

std::string DifferenceOfRuns(const Vector& vector, runtime::Device& device) {
  const executable::Executable executable =
      compiler::Compile(vector.graph, runtime::ReadConfig(device));
  const std::uint64_t bytes = Bytes(executable.inputs) + Bytes(executable.outputs);
  if (vector.data.empty() || vector.data.size() % bytes != 0) {
    throw Error::Format("the data have {} bytes, which are no multiple of {}", vector.data.size(),
                        bytes);
  }
  runtime::Session session(device, executable);
  Data data(vector.data);
  for (std::size_t run = 0; !data.IsEmpty(); ++run) {
    SetInputs(session, executable, data);
    session.Run(RunLimits());
    const std::string difference = DifferenceOfOutputs(session, executable, data);
    if (!difference.empty()) return fmt::format("run {}: {}", run, difference);
  }
  return {};
}

}  // namespace tpu::conformance
