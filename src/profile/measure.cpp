// SPDX-License-Identifier: Apache-2.0
#include "profile/measure.h"

#include <fmt/core.h>

#include <cstddef>

#include "base/error.h"
#include "executable/executable_file.h"

namespace tpu::profile {
namespace {

/// Lets a device fill a trace for as long as this lives, if there are both.
class TraceScope {
 public:
  TraceScope(runtime::Tracing* device, runtime::InstructionTrace& trace) : device_(device) {
    if (device_ != nullptr) device_->TraceInstructions(&trace);
  }
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;
  ~TraceScope() {
    if (device_ != nullptr) device_->TraceInstructions(nullptr);
  }

 private:
  runtime::Tracing* device_;
};

}  // namespace

Runner::Runner(Device& device, const executable::Executable& executable)
    : device_(device), executable_(executable), session_(device, executable) {}

Measurement Runner::Run(std::span<const runtime::Bytes> inputs, const MeasureOptions& options) {
  const std::vector<std::span<const std::uint8_t>> spans(inputs.begin(), inputs.end());
  return Run(spans, options);
}

Measurement Runner::Run(std::span<const std::span<const std::uint8_t>> inputs,
                        const MeasureOptions& options) {
  for (std::size_t i = 0; i < inputs.size(); ++i) session_.SetInputBytes(i, inputs[i]);
  auto* const tracing = options.trace ? dynamic_cast<runtime::Tracing*>(&device_) : nullptr;
  Measurement measurement;
  {
    const TraceScope scope(tracing, measurement.trace);
    RunOptions run;
    run.progress = options.progress;
    measurement.report = session_.Run(run);
  }
  if (tracing != nullptr) {
    measurement.layers = LayerUse(executable_, executable::Programs(executable_),
                                  measurement.report.course, measurement.trace);
  }
  for (std::size_t i = 0; i < executable_.outputs.size(); ++i) {
    measurement.outputs.push_back(session_.OutputBytes(i));
  }
  return measurement;
}

std::optional<std::string> OutputFault(const executable::Executable& executable,
                                       std::span<const runtime::Bytes> expected,
                                       std::span<const runtime::Bytes> actual) {
  for (std::size_t i = 0; i < executable.outputs.size(); ++i) {
    const auto difference = runtime::FirstDifference(executable.outputs[i], expected[i], actual[i]);
    if (difference) return "output " + *difference;
  }
  return std::nullopt;
}

std::optional<std::string> CounterFault(const runtime::RunReport& report) {
  const std::uint64_t sum = runtime::ArrayCycles(report.counters);
  if (sum == report.cycles) return std::nullopt;
  return fmt::format("the array's counters sum to {} of {} cycles", sum, report.cycles);
}

}  // namespace tpu::profile
