// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/measure.h"

#include <chrono>
#include <cstddef>

#include "executable/executable_file.h"
#include "tools/devices.h"
#include "tools/progress.h"
#include "tools/tpu/command.h"
#include "workloads/bench.h"

namespace tpu::tools {
namespace {

Measurement Run(Device& device, const isa::Executable& executable, std::span<const Bytes> inputs,
                const std::string& label) {
  runtime::Session session(device, executable);
  for (std::size_t i = 0; i < inputs.size(); ++i) session.SetInputBytes(i, inputs[i]);
  Measurement measurement;
  auto* const tracing = dynamic_cast<runtime::Tracing*>(&device);
  if (tracing != nullptr) tracing->TraceInstructions(&measurement.trace);
  {
    ProgressLine line(label);
    runtime::RunOptions options;
    options.progress = [&line](std::uint64_t cycles) { line.Update(cycles); };
    const auto start = std::chrono::steady_clock::now();
    measurement.report = session.Run(options);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    measurement.seconds = elapsed.count();
  }
  if (tracing != nullptr) {
    tracing->TraceInstructions(nullptr);
    measurement.layers =
        runtime::LayerUse(executable, executable_file::Programs(executable), measurement.trace);
  }
  for (std::size_t i = 0; i < executable.outputs.size(); ++i) {
    measurement.outputs.push_back(session.OutputBytes(i));
  }
  return measurement;
}

}  // namespace

std::vector<Bytes> RandomInputs(const isa::Executable& executable, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::vector<Bytes> inputs;
  for (const isa::TensorBinding& input : executable.inputs) {
    inputs.push_back(RandomTensor(input, rng));
  }
  return inputs;
}

Measurement Measure(Device& device, const isa::Executable& executable,
                    std::span<const Bytes> inputs, const std::string& label) {
  try {
    return Run(device, executable, inputs, label);
  } catch (const runtime::DeviceError&) {
    throw;
  } catch (const Error& error) {
    throw Failure(label + ": " + error.what());
  }
}

std::optional<std::string> CompareWithGolden(const isa::Executable& executable,
                                             std::span<const Bytes> inputs,
                                             const Measurement& measurement) {
  if (auto fault = workloads::CounterFault(measurement.report)) return fault;
  const std::unique_ptr<Device> reference = MakeDevice(kReferenceDevice, executable.config);
  const Measurement expected = Measure(*reference, executable, inputs, "golden model");
  for (std::size_t i = 0; i < executable.outputs.size(); ++i) {
    const auto difference =
        FirstDifference(executable.outputs[i], expected.outputs[i], measurement.outputs[i]);
    if (difference) return "output " + *difference;
  }
  return std::nullopt;
}

}  // namespace tpu::tools
