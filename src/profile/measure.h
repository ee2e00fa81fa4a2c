// SPDX-License-Identifier: Apache-2.0
// Runs of an executable, with what they computed and what they cost, and whether two of them agree.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "executable/executable.h"
#include "profile/layer_use.h"
#include "runtime/device.h"
#include "runtime/instruction_trace.h"
#include "runtime/session.h"
#include "runtime/values.h"

namespace tpu::profile {

/// One run on one set of inputs.
struct Measurement {
  runtime::RunReport report;
  runtime::InstructionTrace
      trace;                ///< Empty without MeasureOptions::trace and on a device without it.
  std::vector<Use> layers;  ///< By layer; empty where the trace is.
  std::vector<runtime::Bytes> outputs;
};

struct MeasureOptions {
  /// Asks the device, if it is able to, what its instructions did when. A little slower.
  bool trace = false;
  /// Called now and then with the machine cycles of this run so far. When it throws, the device is
  /// in the middle of a program and can only be destroyed.
  std::function<void(std::uint64_t cycles)> progress;
};

/// An executable in the memory of a device. Both must outlive the runner.
class Runner {
 public:
  /// Throws what Session's constructor throws.
  Runner(Device& device, const executable::Executable& executable);

  /// Runs once. `inputs` in the order of the executable's. Throws what Session throws.
  Measurement Run(std::span<const runtime::Bytes> inputs, const MeasureOptions& options = {});
  /// The same of inputs that lie elsewhere.
  Measurement Run(std::span<const std::span<const std::uint8_t>> inputs,
                  const MeasureOptions& options = {});

  /// Variables and other states are again as they were before the first run.
  void ResetStates() { session_.ResetStates(); }

 private:
  Device& device_;
  const executable::Executable& executable_;
  runtime::Session session_;
};

/// Names the first element in which outputs differ: "output y[0,3,1,7]: got 5, expected 6". Nothing
/// when they are equal.
std::optional<std::string> OutputFault(const executable::Executable& executable,
                                       std::span<const runtime::Bytes> expected,
                                       std::span<const runtime::Bytes> actual);

/// Says so when the exclusive categories of the array's time do not sum to the cycles of the run.
std::optional<std::string> CounterFault(const runtime::RunReport& report);

}  // namespace tpu::profile
