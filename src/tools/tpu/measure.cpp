// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/measure.h"

#include <memory>
#include <utility>

#include "tools/devices.h"
#include "tools/progress.h"
#include "tools/tpu/failure.h"

namespace tpu::tools {

Measurement Measure(Device& device, const executable::Executable& executable,
                    std::span<const Bytes> inputs, const std::string& label,
                    const Progress& progress) {
  const std::vector<std::vector<Bytes>> runs = {{inputs.begin(), inputs.end()}};
  return std::move(MeasureRuns(device, executable, runs, label, progress).front());
}

std::vector<Measurement> MeasureRuns(Device& device, const executable::Executable& executable,
                                     std::span<const std::vector<Bytes>> runs,
                                     const std::string& label, const Progress& progress) {
  try {
    profile::Runner runner(device, executable);
    ProgressLine line(label);
    const Progress told = progress ? progress : [&line](std::uint64_t c) { line.Update(c); };
    std::vector<Measurement> measurements;
    for (const std::vector<Bytes>& inputs : runs) {
      measurements.push_back(runner.Run(inputs, {.trace = true, .progress = told}));
    }
    return measurements;
  } catch (const runtime::DeviceError&) {
    throw;
  } catch (const Error& error) {
    throw Failure(label + ": " + error.what());
  }
}

std::optional<std::string> CompareWithGolden(const executable::Executable& executable,
                                             std::span<const Bytes> inputs,
                                             const Measurement& measurement) {
  const std::vector<std::vector<Bytes>> runs = {{inputs.begin(), inputs.end()}};
  return CompareWithGolden(executable, runs, std::span(&measurement, 1));
}

std::optional<std::string> CompareWithGolden(const executable::Executable& executable,
                                             std::span<const std::vector<Bytes>> runs,
                                             std::span<const Measurement> measurements) {
  const std::unique_ptr<Device> reference = MakeDevice(kReferenceDevice, executable.config);
  const std::vector<Measurement> expected =
      MeasureRuns(*reference, executable, runs, "golden model");
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (auto fault = profile::CounterFault(measurements[i].report)) return fault;
    if (auto fault =
            profile::OutputFault(executable, expected[i].outputs, measurements[i].outputs)) {
      return fault;
    }
  }
  return std::nullopt;
}

}  // namespace tpu::tools
