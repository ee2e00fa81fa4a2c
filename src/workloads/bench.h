// SPDX-License-Identifier: Apache-2.0
// Running a compiled network on a device and comparing two runs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "executable/executable.h"
#include "runtime/device.h"
#include "runtime/session.h"

namespace tpu::workloads {

/// Values of tensors, in the order of an executable's bindings.
using Tensors = std::vector<std::vector<std::int8_t>>;

struct Outcome {
  runtime::RunReport report;
  Tensors outputs;
  double seconds = 0.0;  ///< Wall-clock time of the run itself, without loading.
};

/// Called now and then with the machine cycles run so far.
using Progress = std::function<void(std::uint64_t cycles)>;

/// Runs `executable` once per element of `inputs`, loading it once. Throws what runtime::Session
/// throws.
std::vector<Outcome> Execute(runtime::Device& device, const isa::Executable& executable,
                             const std::vector<Tensors>& inputs, const Progress& progress = {});

/// Names the first element in which outputs differ: "output y[0,3,1,7]: got 5, expected 6". Nothing
/// when they are equal.
std::optional<std::string> FirstDifference(const isa::Executable& executable,
                                           const Tensors& expected, const Tensors& actual);

/// Says so when the exclusive categories of the array's time do not sum to the cycles of the run.
std::optional<std::string> CounterFault(const runtime::RunReport& report);

}  // namespace tpu::workloads
