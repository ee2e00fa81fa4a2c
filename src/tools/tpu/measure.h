// SPDX-License-Identifier: Apache-2.0
// One run of an executable on one set of inputs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "executable/executable.h"
#include "profile/layer_use.h"
#include "runtime/instruction_trace.h"
#include "runtime/session.h"
#include "tools/tpu/tensor_file.h"
#include "tpu/device.h"

namespace tpu::tools {

struct Measurement {
  runtime::RunReport report;
  runtime::InstructionTrace trace;   ///< Empty on a device without it.
  std::vector<runtime::Use> layers;  ///< By layer; empty on a device without trace.
  std::vector<Bytes> outputs;
  double seconds = 0.0;  ///< Wall-clock time of the run itself, without loading.
};

/// Random values for all inputs.
std::vector<Bytes> RandomInputs(const isa::Executable& executable, std::uint64_t seed);

/// Runs once, with a progress line named `label`. Throws runtime::DeviceError when the device
/// stops with an error, and Failure for anything else that goes wrong while it runs.
Measurement Measure(Device& device, const isa::Executable& executable,
                    std::span<const Bytes> inputs, const std::string& label);

/// What is wrong with a run: an output that is not the golden model's, or counters that do not add
/// up. Nothing when all is well.
std::optional<std::string> CompareWithGolden(const isa::Executable& executable,
                                             std::span<const Bytes> inputs,
                                             const Measurement& measurement);

}  // namespace tpu::tools
