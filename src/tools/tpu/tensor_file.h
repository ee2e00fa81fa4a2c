// SPDX-License-Identifier: Apache-2.0
// Values of a network's inputs and outputs as .npy files.
#pragma once

#include <filesystem>

#include "executable/executable.h"
#include "runtime/values.h"

namespace tpu::tools {

using runtime::Bytes;

/// Reads a .npy file for `tensor`. Throws tpu::Error naming the file when it is malformed or has
/// another type or shape.
Bytes ReadTensor(const std::filesystem::path& path, const executable::TensorBinding& tensor);
void WriteTensor(const std::filesystem::path& path, const executable::TensorBinding& tensor,
                 const Bytes& values);

}  // namespace tpu::tools
