// SPDX-License-Identifier: Apache-2.0
// Writes a model file with other constants.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tpu::tflite {

/// What a constant of float32 becomes.
struct NewConstant {
  std::uint32_t tensor = 0;  ///< Its place in subgraph 0.
  std::span<const std::uint8_t> bytes;
};

/// The file with the contents of these constants, and all else as it was: they are written over the
/// old ones. Throws tpu::Error naming the file and the tensor when that cannot be: the tensor has
/// no contents of its own in the file (it was computed from another one), they are not float32 or
/// of another size, or something else in the file shares them. `file` is used in messages only.
std::vector<std::uint8_t> ReplaceConstants(std::span<const std::uint8_t> bytes,
                                           const std::string& file,
                                           std::span<const NewConstant> constants);

}  // namespace tpu::tflite
