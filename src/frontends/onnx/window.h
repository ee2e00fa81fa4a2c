// SPDX-License-Identifier: Apache-2.0
// How ONNX's convolutions and pools say where their windows are.
#pragma once

#include <vector>

#include "frontends/onnx/node_reader.h"

namespace tpu::onnx {

/// The window of a node: two axes, of which the first is 1 pixel where ONNX has one axis.
struct Window {
  Extent kernel;
  WindowOptions options;
};

/// Reads kernel_shape, strides, dilations, pads and auto_pad of a window on an image of this size.
/// `kernel`: that of the weights. `ceil_mode`: the window may go beyond the padding at the end.
Window ReadWindow(const NodeReader& op, const std::vector<std::int64_t>& image,
                  std::vector<std::int64_t> kernel = {});

/// An image [n, c, w] or [n, c, h, w] of the value, as a tensor [n, h, w, c].
Graph::Tensor Image(const NodeReader& op, const Value& value);
/// The spatial axes of the value.
std::vector<std::int64_t> ImageSize(const Value& value);
/// The value for the target of a tensor [n, h, w, c], of as many spatial axes as `like` has.
Value MadeImage(const NodeReader& op, const Value& like, Graph::Tensor tensor);

}  // namespace tpu::onnx
