// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "host_kernels/activation.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

// The rows or columns of the image that a window covers.
struct Covered {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

Covered Cover(std::int64_t index, std::int32_t filter, std::int32_t stride, std::int32_t before,
              std::int64_t size) {
  const std::int64_t origin = index * stride - before;
  return {.begin = std::max<std::int64_t>(origin, 0), .end = std::min(origin + filter, size)};
}

}  // namespace

void Compute(Invocation& call, const host_operators::L2Pool& op) {
  const Shape& from = call.In(0).shape;
  const Shape& to = call.Out().shape;
  const std::vector<float> input = call.Read<float>(0);
  std::vector<float> output;
  const auto pool = [&](std::int64_t n, const Covered& ys, const Covered& xs, std::int64_t c) {
    float sum = 0.0F;
    for (std::int64_t y = ys.begin; y < ys.end; ++y) {
      for (std::int64_t x = xs.begin; x < xs.end; ++x) {
        const float value =
            input[static_cast<std::size_t>(((n * from[1] + y) * from[2] + x) * from[3] + c)];
        sum += value * value;
      }
    }
    const std::int64_t count = (ys.end - ys.begin) * (xs.end - xs.begin);
    return Activate(std::sqrt(sum / static_cast<float>(count)), op.activation);
  };
  for (std::int64_t n = 0; n < to[0]; ++n) {
    for (std::int64_t y = 0; y < to[1]; ++y) {
      const Covered ys = Cover(y, op.filter.h, op.stride.h, op.padding.top, from[1]);
      for (std::int64_t x = 0; x < to[2]; ++x) {
        const Covered xs = Cover(x, op.filter.w, op.stride.w, op.padding.left, from[2]);
        for (std::int64_t c = 0; c < to[3]; ++c) output.push_back(pool(n, ys, xs, c));
      }
    }
  }
  call.Write(0, output);
}

}  // namespace tpu::host_kernels
