// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/error.h"
#include "host_kernels/elements.h"
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
                                     const executable::HostCall& call) {
  const bool corners = call.align_corners && out > 1;
  const std::int64_t scale =
      corners ? (kOne * (in - 1) + (out - 1) / 2) / (out - 1) : (kOne * in + out / 2) / out;
  std::vector<Neighbours> neighbours;
  for (std::int64_t i = 0; i < out; ++i) {
    const std::int64_t position = i * scale + (call.half_pixel_centers ? scale / 2 - kOne / 2 : 0);
    const std::int64_t first = std::clamp<std::int64_t>(position / kOne, 0, in - 1);
    neighbours.push_back({.first = first,
                          .second = std::min((position + kOne - 1) / kOne, in - 1),
                          .weight = position - kOne * first});
  }
  return neighbours;
}

std::int8_t Round(std::int64_t sum, bool single_rounding) {
  constexpr std::int64_t kHalf = kOne * kOne / 2;
  if (single_rounding) return static_cast<std::int8_t>((sum + kHalf) >> 20);
  return static_cast<std::int8_t>((sum + (sum > 0 ? kHalf : -kHalf)) / (kOne * kOne));
}

}  // namespace

Bytes ResizeBilinear(const executable::HostCall& call, const Bytes& input) {
  const executable::TensorBinding& from = call.inputs[0];
  const executable::TensorBinding& to = call.output;
  if (from.type != ElementType::kInt8 || to.type != ElementType::kInt8) {
    throw Error::Format("RESIZE_BILINEAR from {} to {} is not supported",
                        ElementTypeName(from.type), ElementTypeName(to.type));
  }
  const std::int64_t channels = from.shape.at(3);
  const std::vector<Neighbours> ys = NeighboursOf(from.shape[1], to.shape.at(1), call);
  const std::vector<Neighbours> xs = NeighboursOf(from.shape[2], to.shape[2], call);
  Bytes output(to.Bytes());
  std::size_t next = 0;
  for (std::int64_t n = 0; n < from.shape[0]; ++n) {
    for (const Neighbours& y : ys) {
      for (const Neighbours& x : xs) {
        for (std::int64_t c = 0; c < channels; ++c) {
          const auto at = [&](std::int64_t row, std::int64_t column) {
            const std::int64_t pixel = (n * from.shape[1] + row) * from.shape[2] + column;
            return std::int64_t{
                ReadElement<std::int8_t>(input, static_cast<std::size_t>(pixel * channels + c))};
          };
          const std::int64_t top =
              at(y.first, x.first) * (kOne - x.weight) + at(y.first, x.second) * x.weight;
          const std::int64_t bottom =
              at(y.second, x.first) * (kOne - x.weight) + at(y.second, x.second) * x.weight;
          const std::int64_t sum = top * (kOne - y.weight) + bottom * y.weight;
          WriteElement(output, next++, Round(sum, call.single_rounding));
        }
      }
    }
  }
  return output;
}

}  // namespace tpu::host_kernels
