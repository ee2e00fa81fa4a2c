// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

// Positions are multiples of 1/1024 of a pixel.
constexpr std::int64_t kOne = 1024;

// The two input pixels that an output pixel lies between. `weight` of the second; negative at the
// border of half-pixel images.
struct Neighbours {
  std::int64_t first = 0;
  std::int64_t second = 0;
  std::int64_t weight = 0;
};

std::vector<Neighbours> NeighboursOf(std::int64_t in, std::int64_t out,
                                     const host_operators::ResizeBilinear& op) {
  const bool corners = op.align_corners && out > 1;
  const std::int64_t scale =
      corners ? (kOne * (in - 1) + (out - 1) / 2) / (out - 1) : (kOne * in + out / 2) / out;
  std::vector<Neighbours> neighbours;
  for (std::int64_t i = 0; i < out; ++i) {
    const std::int64_t position = i * scale + (op.half_pixel_centers ? scale / 2 - kOne / 2 : 0);
    const std::int64_t first = std::clamp<std::int64_t>(position / kOne, 0, in - 1);
    neighbours.push_back({.first = first,
                          .second = std::min((position + kOne - 1) / kOne, in - 1),
                          .weight = position - kOne * first});
  }
  return neighbours;
}

std::int8_t Round(std::int64_t sum, arithmetic::Rounding rounding) {
  constexpr std::int64_t kHalf = kOne * kOne / 2;
  if (rounding == arithmetic::Rounding::kSingle)
    return static_cast<std::int8_t>((sum + kHalf) >> 20);
  return static_cast<std::int8_t>((sum + (sum > 0 ? kHalf : -kHalf)) / (kOne * kOne));
}

}  // namespace

void Compute(Invocation& call, const host_operators::ResizeBilinear& op) {
  const Shape& from = call.In(0).shape;
  const Shape& to = call.Out().shape;
  const std::vector<std::int8_t> input = call.Read<std::int8_t>(0);
  const std::vector<Neighbours> ys = NeighboursOf(from[1], to[1], op);
  const std::vector<Neighbours> xs = NeighboursOf(from[2], to[2], op);
  std::vector<std::int8_t> output;
  for (std::int64_t n = 0; n < from[0]; ++n) {
    for (const Neighbours& y : ys) {
      for (const Neighbours& x : xs) {
        for (std::int64_t c = 0; c < from[3]; ++c) {
          const auto at = [&](std::int64_t row, std::int64_t column) {
            const std::int64_t pixel = (n * from[1] + row) * from[2] + column;
            return std::int64_t{input[static_cast<std::size_t>(pixel * from[3] + c)]};
          };
          const std::int64_t top =
              at(y.first, x.first) * (kOne - x.weight) + at(y.first, x.second) * x.weight;
          const std::int64_t bottom =
              at(y.second, x.first) * (kOne - x.weight) + at(y.second, x.second) * x.weight;
          output.push_back(Round(top * (kOne - y.weight) + bottom * y.weight, call.Rounding()));
        }
      }
    }
  }
  call.Write(0, output);
}

}  // namespace tpu::host_kernels
