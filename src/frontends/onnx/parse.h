// SPDX-License-Identifier: Apache-2.0
// ONNX files, which are Protocol Buffers. Importing needs few of ONNX's messages. A reader of these
// is a few hundred lines, while Protocol Buffers' library and compiler would be needed wherever the
// project is built, and would still leave all checks of the contents to be written.
#pragma once

#include <cstdint>
#include <span>

#include "frontends/onnx/model.h"

namespace tpu::onnx {

/// Whether the file begins as ONNX files do, with the version of their format.
bool IsOnnx(std::span<const std::uint8_t> file);

/// Reads a file that came from anywhere. Each length is checked, each constant has the bytes that
/// its shape says. Throws tpu::Error for what is damaged, naming the byte and the field, and for
/// types and forms that are not supported, naming the tensor or node.
Model Parse(std::span<const std::uint8_t> file);

}  // namespace tpu::onnx
