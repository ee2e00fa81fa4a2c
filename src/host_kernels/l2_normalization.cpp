// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "arithmetic/fixed_point.h"
#include "arithmetic/multiplier.h"
#include "arithmetic/saturate.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {

// The output counts 128ths, whatever scale the file gives.
void Compute(Invocation& call, const host_operators::L2Normalization& /*op*/) {
  constexpr int kOutputBits = 7;
  const std::vector<std::int8_t> input = call.Read<std::int8_t>(0);
  const auto value = [&](std::size_t i) { return input[i] - call.In(0).zero_point; };
  const auto depth = static_cast<std::size_t>(call.Out().shape.back());
  std::vector<std::int8_t> output(input.size());
  for (std::size_t first = 0; first < output.size(); first += depth) {
    std::uint32_t squares = 0;
    for (std::size_t i = first; i < first + depth; ++i) {
      squares += static_cast<std::uint32_t>(value(i) * value(i));
    }
    arithmetic::Multiplier factor =
        arithmetic::InverseSquareRoot(static_cast<std::int32_t>(squares));
    factor.shift += kOutputBits;
    for (std::size_t i = first; i < first + depth; ++i) {
      const std::int32_t scaled = arithmetic::Multiply(value(i), factor, call.Rounding());
      output[i] = arithmetic::SaturateToInt8(scaled);
    }
  }
  call.Write(0, output);
}

}  // namespace tpu::host_kernels
