// SPDX-License-Identifier: Apache-2.0
// Reads TensorFlow Lite model files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "frontends/tflite/model.h"

namespace tpu::tflite {

/// Throws tpu::Error naming the file and the field for anything that is malformed, truncated or
/// inconsistent; never reads outside `bytes`. `file` is used in messages only.
Model Parse(std::span<const std::uint8_t> bytes, const std::string& file);

/// Parse of a file's contents.
Model Load(const std::filesystem::path& path);

}  // namespace tpu::tflite
