// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <limits>

#include "arithmetic/fixed_point.h"
#include "arithmetic/multiplier.h"
#include "host_kernels/elements.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {

// The output counts 128ths, whatever scale the file gives.
Bytes L2Normalization(const executable::HostCall& call, const Bytes& input) {
  constexpr int kOutputBits = 7;
  const auto rounding =
      call.single_rounding ? arithmetic::Rounding::kSingle : arithmetic::Rounding::kDouble;
  const auto value = [&](std::size_t i) {
    return ReadElement<std::int8_t>(input, i) - call.inputs[0].zero_point;
  };
  const auto depth = static_cast<std::size_t>(call.output.shape.back());
  Bytes output(call.output.Bytes());
  for (std::size_t first = 0; first < output.size(); first += depth) {
    std::uint32_t squares = 0;
    for (std::size_t i = first; i < first + depth; ++i) {
      squares += static_cast<std::uint32_t>(value(i) * value(i));
    }
    arithmetic::Multiplier factor =
        arithmetic::InverseSquareRoot(static_cast<std::int32_t>(squares));
    factor.shift += kOutputBits;
    for (std::size_t i = first; i < first + depth; ++i) {
      const std::int32_t scaled = arithmetic::Multiply(value(i), factor, rounding);
      WriteElement(output, i,
                   static_cast<std::int8_t>(
                       std::clamp<std::int32_t>(scaled, std::numeric_limits<std::int8_t>::min(),
                                                std::numeric_limits<std::int8_t>::max())));
    }
  }
  return output;
}

}  // namespace tpu::host_kernels
