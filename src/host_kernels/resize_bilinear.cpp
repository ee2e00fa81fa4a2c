// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>

#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

// Positions are multiples of 1/1024 of a pixel, or of 1/2048.
constexpr std::int64_t kOne = 1024;
constexpr std::int64_t kFloatOne = 2048;

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

// XNNPACK's: positions in float32, whose fractions are rounded with ties to even.
std::vector<Neighbours> FloatNeighboursOf(std::int64_t in, std::int64_t out,
                                          const host_operators::ResizeBilinear& op) {
  const auto last = static_cast<float>(in - 1);
  const float scale = op.align_corners && out > 1
                          ? last / static_cast<float>(out - 1)
                          : static_cast<float>(in) / static_cast<float>(out);
  std::vector<Neighbours> neighbours;
  for (std::int64_t i = 0; i < out; ++i) {
    const auto o = static_cast<float>(i);
    const float position =
        op.half_pixel_centers ? std::clamp((o + 0.5F) * scale - 0.5F, 0.0F, last) : o * scale;
    const std::int64_t first = std::min(static_cast<std::int64_t>(position), in - 1);
    const float fraction = position - static_cast<float>(first);
    neighbours.push_back({.first = first,
                          .second = std::min(first + 1, in - 1),
                          .weight = std::lrint(fraction * static_cast<float>(kFloatOne))});
  }
  return neighbours;
}

std::int8_t Round(std::int64_t sum, std::int64_t one, bool upwards) {
  const std::int64_t half = one * one / 2;
  if (upwards) {
    const int bits = 2 * std::countr_zero(static_cast<std::uint64_t>(one));
    return static_cast<std::int8_t>((sum + half) >> bits);
  }
  return static_cast<std::int8_t>((sum + (sum > 0 ? half : -half)) / (one * one));
}

}  // namespace

void Compute(Invocation& call, const host_operators::ResizeBilinear& op) {
  const Shape& from = call.In(0).shape;
  const Shape& to = call.Out().shape;
  const std::vector<std::int8_t> input = call.Read<std::int8_t>(0);
  const std::int64_t one = op.float_positions ? kFloatOne : kOne;
  const bool upwards = op.float_positions || call.Rounding() == arithmetic::Rounding::kSingle;
  const auto neighbours = op.float_positions ? FloatNeighboursOf : NeighboursOf;
  const std::vector<Neighbours> ys = neighbours(from[1], to[1], op);
  const std::vector<Neighbours> xs = neighbours(from[2], to[2], op);
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
              at(y.first, x.first) * (one - x.weight) + at(y.first, x.second) * x.weight;
          const std::int64_t bottom =
              at(y.second, x.first) * (one - x.weight) + at(y.second, x.second) * x.weight;
          output.push_back(Round(top * (one - y.weight) + bottom * y.weight, one, upwards));
        }
      }
    }
  }
  call.Write(0, output);
}

}  // namespace tpu::host_kernels
