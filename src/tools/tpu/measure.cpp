// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/measure.h"

#include <memory>

#include "tools/devices.h"
#include "tools/progress.h"
#include "tools/tpu/command.h"

namespace tpu::tools {

Measurement Measure(Device& device, const executable::Executable& executable,
                    std::span<const Bytes> inputs, const std::string& label) {
  try {
    profile::Runner runner(device, executable);
    ProgressLine line(label);
    return runner.Run(inputs, {.trace = true,
                               .progress = [&line](std::uint64_t cycles) { line.Update(cycles); }});
  } catch (const runtime::DeviceError&) {
    throw;
  } catch (const Error& error) {
    throw Failure(label + ": " + error.what());
  }
}

std::optional<std::string> CompareWithGolden(const executable::Executable& executable,
                                             std::span<const Bytes> inputs,
                                             const Measurement& measurement) {
  if (auto fault = profile::CounterFault(measurement.report)) return fault;
  const std::unique_ptr<Device> reference = MakeDevice(kReferenceDevice, executable.config);
  return profile::OutputFault(executable,
                              Measure(*reference, executable, inputs, "golden model").outputs,
                              measurement.outputs);
}

}  // namespace tpu::tools
