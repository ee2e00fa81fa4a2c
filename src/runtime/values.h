// SPDX-License-Identifier: Apache-2.0
// Values of a program's inputs and outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "executable/executable.h"

namespace tpu::runtime {

/// A tensor's values as they lie in memory: row-major, little-endian.
using Bytes = std::vector<std::uint8_t>;

/// Values of several int8 tensors.
std::vector<Bytes> BytesOf(std::span<const std::vector<std::int8_t>> tensors);

/// Integers of 8 and 16 bits over their whole range, wider ones from 0 to 127, floats from -1 to 1.
Bytes RandomTensor(const executable::TensorBinding& tensor, std::mt19937_64& rng);

/// Random values for all inputs.
std::vector<Bytes> RandomInputs(const executable::Executable& executable, std::uint64_t seed);

/// One element as a number. `index` counts in row-major order.
double ElementOf(const executable::TensorBinding& tensor, const Bytes& values, std::size_t index);

/// What all elements stand for: scale * (q - zero point) of integers.
std::vector<double> RealValues(const executable::TensorBinding& tensor, const Bytes& values);

/// Index of the largest element, the first of several.
std::size_t LargestOf(const executable::TensorBinding& tensor, const Bytes& values);

/// "y[0,3,1,7]: got 5, expected 6" for the first element that differs; nothing when all are
/// equal.
std::optional<std::string> FirstDifference(const executable::TensorBinding& tensor,
                                           const Bytes& expected, const Bytes& actual);

}  // namespace tpu::runtime
