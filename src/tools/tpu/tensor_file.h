// SPDX-License-Identifier: Apache-2.0
// Values of a network's inputs and outputs, from files and at random.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "executable/executable.h"

namespace tpu::tools {

/// A tensor's values as they lie in memory: row-major, little-endian.
using Bytes = std::vector<std::uint8_t>;

/// Reads a .npy file for `tensor`. Throws tpu::Error naming the file when it is malformed or has
/// another type or shape.
Bytes ReadTensor(const std::filesystem::path& path, const isa::TensorBinding& tensor);
void WriteTensor(const std::filesystem::path& path, const isa::TensorBinding& tensor,
                 const Bytes& values);

/// Integers of 8 and 16 bits over their whole range, wider ones from 0 to 127, floats from -1 to 1.
Bytes RandomTensor(const isa::TensorBinding& tensor, std::mt19937_64& rng);

/// One element as a number. `index` counts in row-major order.
double ElementOf(const isa::TensorBinding& tensor, const Bytes& values, std::size_t index);

/// "y[0,3,1,7]: got 5, expected 6" for the first element that differs; nothing when all are
/// equal.
std::optional<std::string> FirstDifference(const isa::TensorBinding& tensor, const Bytes& expected,
                                           const Bytes& actual);

}  // namespace tpu::tools
