// SPDX-License-Identifier: Apache-2.0
// A model with its inputs and the outputs that it must have: DIRECTORY/NAME.tflite and
// DIRECTORY/NAME.data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "runtime/device.h"
#include "runtime/session.h"

namespace tpu::conformance {

struct Vector {
  ir::Graph graph;
  /// The inputs, the outputs in double rounding, and those in single rounding where they differ,
  /// one behind the other.
  std::vector<std::uint8_t> data;
};

/// Throws tpu::Error when the model cannot be read or is refused.
Vector LoadVector(const std::filesystem::path& model);

/// How long a program may run.
runtime::RunOptions RunLimits();

/// Compiles the model for the device and runs it. Returns the first output byte that is wrong, in
/// words; empty: none is.
std::string Difference(const Vector& vector, compiler::Rounding rounding, runtime::Device& device);

/// The same of data that are the inputs and the outputs of each of several runs, one behind the
/// other, in double rounding. The runs follow each other in one session.
std::string DifferenceOfRuns(const Vector& vector, runtime::Device& device);

}  // namespace tpu::conformance
