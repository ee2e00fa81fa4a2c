// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include "base/error.h"
#include "host_kernels/elements.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

// The index of the first element that none of the others comes before.
template <typename T>
std::int64_t First(const Bytes& input, std::size_t begin, std::size_t step, std::size_t count,
                   bool smallest) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < count; ++i) {
    const T value = ReadElement<T>(input, begin + i * step);
    const T leader = ReadElement<T>(input, begin + best * step);
    if (smallest ? value < leader : value > leader) best = i;
  }
  return static_cast<std::int64_t>(best);
}

template <typename Function>
void WithNumber(ElementType type, Function function) {
  if (type == ElementType::kFloat32) return function(float{});
  WithInteger(type, function);
}

}  // namespace

Bytes ArgExtreme(const executable::HostCall& call, const Bytes& input) {
  const std::vector<std::int64_t>& shape = call.inputs[0].shape;
  std::size_t outer = 1;
  std::size_t inner = 1;
  for (std::size_t a = 0; a < shape.size(); ++a) {
    if (static_cast<std::int64_t>(a) < call.axis) outer *= static_cast<std::size_t>(shape[a]);
    if (static_cast<std::int64_t>(a) > call.axis) inner *= static_cast<std::size_t>(shape[a]);
  }
  const auto count = static_cast<std::size_t>(shape.at(static_cast<std::size_t>(call.axis)));
  const bool smallest = call.kernel == executable::HostKernel::kArgMin;
  Bytes output(call.output.Bytes());
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < inner; ++i) {
      std::int64_t index = 0;
      WithNumber(call.inputs[0].type, [&](auto type) {
        index = First<decltype(type)>(input, o * count * inner + i, inner, count, smallest);
      });
      WithInteger(call.output.type, [&](auto type) {
        WriteElement(output, o * inner + i, static_cast<decltype(type)>(index));
      });
    }
  }
  return output;
}

}  // namespace tpu::host_kernels
