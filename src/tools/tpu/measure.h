// SPDX-License-Identifier: Apache-2.0
// Runs of the subcommands: with a progress line, and compared with the golden model's.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "executable/executable.h"
#include "profile/measure.h"
#include "tpu/device.h"

namespace tpu::tools {

using profile::Measurement;
using runtime::Bytes;

/// Told the machine cycles of a run so far, now and then.
using Progress = std::function<void(std::uint64_t cycles)>;

/// Runs once, with a trace where the device has one. Tells `progress`, or shows a progress line
/// named `label`. Throws runtime::DeviceError when the device stops with an error, and Failure for
/// anything else that goes wrong while it runs.
Measurement Measure(Device& device, const executable::Executable& executable,
                    std::span<const Bytes> inputs, const std::string& label,
                    const Progress& progress = {});

/// The same of several runs in a row, of which each takes over the states that the one before
/// leaves.
std::vector<Measurement> MeasureRuns(Device& device, const executable::Executable& executable,
                                     std::span<const std::vector<Bytes>> runs,
                                     const std::string& label, const Progress& progress = {});

/// The fault of a run: an output that is not the golden model's, or counters that do not add
/// up. Nothing when all is well.
std::optional<std::string> CompareWithGolden(const executable::Executable& executable,
                                             std::span<const Bytes> inputs,
                                             const Measurement& measurement);
/// The same of several runs in a row.
std::optional<std::string> CompareWithGolden(const executable::Executable& executable,
                                             std::span<const std::vector<Bytes>> runs,
                                             std::span<const Measurement> measurements);

}  // namespace tpu::tools
