// SPDX-License-Identifier: Apache-2.0
#include "frontends/onnx/layout.h"

#include <algorithm>
#include <numeric>

namespace tpu::onnx {

Layout Plain(std::size_t rank) {
  Layout layout(rank);
  std::iota(layout.begin(), layout.end(), std::size_t{0});
  return layout;
}

Layout ChannelsLast(std::size_t rank) {
  Layout layout = Plain(rank);
  if (rank > 2) std::rotate(layout.begin() + 1, layout.begin() + 2, layout.end());
  return layout;
}

Shape StoredShape(const Shape& shape, const Layout& layout) {
  Shape stored;
  for (const std::size_t axis : layout) stored.push_back(shape[axis]);
  return stored;
}

std::size_t PositionOf(const Layout& layout, std::size_t axis) {
  return static_cast<std::size_t>(std::ranges::find(layout, axis) - layout.begin());
}

std::vector<std::int64_t> Permutation(const Layout& from, const Layout& to) {
  std::vector<std::int64_t> permutation;
  for (const std::size_t axis : to) {
    permutation.push_back(static_cast<std::int64_t>(PositionOf(from, axis)));
  }
  return permutation;
}

bool HaveSameBytes(const Shape& shape, const Layout& from, const Layout& to) {
  const auto moving = [&](const Layout& layout) {
    Layout axes;
    std::ranges::copy_if(layout, std::back_inserter(axes),
                         [&](std::size_t axis) { return shape[axis] != 1; });
    return axes;
  };
  return moving(from) == moving(to);
}

}  // namespace tpu::onnx
