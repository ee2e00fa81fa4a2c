// SPDX-License-Identifier: Apache-2.0
// BATCH_MATMUL on int16, with sums of 64 bits.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "arithmetic/multiplier.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

// How many elements lie between neighbours of a matrix's rows and columns.
struct Strides {
  std::size_t row = 0;
  std::size_t column = 0;
};

Strides StridesOf(const Shape& shape, bool transposed) {
  const auto width = static_cast<std::size_t>(shape.back());
  return transposed ? Strides{.row = 1, .column = width} : Strides{.row = width, .column = 1};
}

Shape BatchOf(const Shape& shape) { return {shape.begin(), shape.end() - 2}; }

}  // namespace

void Compute(Invocation& call, const host_operators::BatchMatMul& op) {
  const Shape& shape = call.Out().shape;
  const auto rows = static_cast<std::size_t>(shape[shape.size() - 2]);
  const auto columns = static_cast<std::size_t>(shape.back());
  const std::vector<std::int16_t> a = call.Read<std::int16_t>(0);
  const std::vector<std::int16_t> b = call.Read<std::int16_t>(1);
  const Strides in_a = StridesOf(call.In(0).shape, op.transposed[0]);
  const Strides in_b = StridesOf(call.In(1).shape, op.transposed[1]);
  const std::size_t size_of_a = a.size() / ElementsOf(BatchOf(call.In(0).shape));
  const std::size_t size_of_b = b.size() / ElementsOf(BatchOf(call.In(1).shape));
  const std::size_t terms = size_of_a / rows;
  const arithmetic::Multiplier factor = arithmetic::QuantizeMultiplier(
      static_cast<double>(call.In(0).scale) * static_cast<double>(call.In(1).scale) /
          static_cast<double>(call.Out().scale),
      call.Rounding());
  const std::vector<std::size_t> places_of_a =
      BroadcastPlaces(BatchOf(call.In(0).shape), BatchOf(shape));
  const std::vector<std::size_t> places_of_b =
      BroadcastPlaces(BatchOf(call.In(1).shape), BatchOf(shape));
  std::vector<std::int16_t> output;
  for (std::size_t batch = 0; batch < places_of_a.size(); ++batch) {
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t first = places_of_a[batch] * size_of_a + row * in_a.row;
        const std::size_t second = places_of_b[batch] * size_of_b + column * in_b.column;
        std::int64_t sum = 0;
        for (std::size_t k = 0; k < terms; ++k) {
          sum += std::int64_t{a[first + k * in_a.column]} * b[second + k * in_b.row];
        }
        output.push_back(static_cast<std::int16_t>(std::clamp<std::int32_t>(
            arithmetic::MultiplyWide(sum, factor), std::numeric_limits<std::int16_t>::min(),
            std::numeric_limits<std::int16_t>::max())));
      }
    }
  }
  call.Write(0, output);
}

}  // namespace tpu::host_kernels
