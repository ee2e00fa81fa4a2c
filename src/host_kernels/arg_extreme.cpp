// SPDX-License-Identifier: Apache-2.0
#include "host_kernels/elements.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

// The index of the first element that none of the others comes before.
template <typename T>
std::size_t First(std::span<const T> line, std::size_t step, std::size_t count, bool smallest) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < count; ++i) {
    const T value = line[i * step];
    const T leader = line[best * step];
    if (smallest ? value < leader : value > leader) best = i;
  }
  return best;
}

}  // namespace

void Compute(Invocation& call, const host_operators::ArgExtreme& op) {
  const std::span<const std::int64_t> shape = call.In(0).shape;
  const auto axis = static_cast<std::size_t>(op.axis);
  const std::size_t outer = ElementsOf(shape.first(axis));
  const auto count = static_cast<std::size_t>(shape[axis]);
  const std::size_t inner = ElementsOf(shape.subspan(axis + 1));
  std::vector<std::size_t> indices;
  WithNumber(call.In(0).type, [&]<typename T>(T) {
    const std::vector<T> values = call.Read<T>(0);
    for (std::size_t o = 0; o < outer; ++o) {
      for (std::size_t i = 0; i < inner; ++i) {
        const auto line = std::span(values).subspan(o * count * inner + i);
        indices.push_back(First<T>(line, inner, count, op.smallest));
      }
    }
  });
  WithInteger(call.Out().type, [&]<typename T>(T) {
    call.Write(0, std::vector<T>(indices.begin(), indices.end()));
  });
}

}  // namespace tpu::host_kernels
