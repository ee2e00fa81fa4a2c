// SPDX-License-Identifier: Apache-2.0
// Orders of axes in memory. ONNX's images are [n, c, h, w], the machine's [n, h, w, c]. Each value
// notes the order that its tensor has, so that TRANSPOSE of ONNX is no code, and values are put
// into another order only where an operator needs that: at the edges of the network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tpu/graph.h"

namespace tpu::onnx {

/// Axis i of the tensor is axis layout[i] of the value.
using Layout = std::vector<std::size_t>;

/// The axes as ONNX has them.
Layout Plain(std::size_t rank);
/// The channels, axis 1, behind all other axes.
Layout ChannelsLast(std::size_t rank);

/// The shape of the tensor of a value of this shape.
Shape StoredShape(const Shape& shape, const Layout& layout);
/// Where an axis of the value is in the tensor.
std::size_t PositionOf(const Layout& layout, std::size_t axis);
/// How TRANSPOSE makes the one order from the other.
std::vector<std::int64_t> Permutation(const Layout& from, const Layout& to);
/// Whether a tensor has the same bytes in both orders, as axes of size 1 are the only ones that
/// move.
bool HaveSameBytes(const Shape& shape, const Layout& from, const Layout& to);

/// The elements of a tensor of this shape after TRANSPOSE.
template <typename T>
std::vector<T> Transposed(const std::vector<T>& values, const Shape& shape,
                          const std::vector<std::int64_t>& permutation) {
  const std::size_t rank = shape.size();
  std::vector<std::size_t> strides(rank);
  std::size_t stride = 1;
  for (std::size_t i = rank; i-- > 0;) {
    strides[i] = stride;
    stride *= static_cast<std::size_t>(shape[i]);
  }
  std::vector<T> result;
  result.reserve(values.size());
  Shape at(rank, 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::size_t from = 0;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      from +=
          static_cast<std::size_t>(at[axis]) * strides[static_cast<std::size_t>(permutation[axis])];
    }
    result.push_back(values[from]);
    for (std::size_t axis = rank; axis-- > 0;) {
      if (++at[axis] < shape[static_cast<std::size_t>(permutation[axis])]) break;
      at[axis] = 0;
    }
  }
  return result;
}

}  // namespace tpu::onnx
