// SPDX-License-Identifier: Apache-2.0
// DIV and SQUARED_DIFFERENCE on int8 tensors that broadcast, ADD_N on those of one shape.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "arithmetic/multiplier.h"
#include "arithmetic/pairs.h"
#include "host_kernels/elements.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

arithmetic::Quantisation QuantisationOf(const executable::TensorBinding& tensor) {
  return {.scale = tensor.scale, .zero_point = tensor.zero_point};
}

arithmetic::Rounding RoundingOf(const executable::HostCall& call) {
  return call.single_rounding ? arithmetic::Rounding::kSingle : arithmetic::Rounding::kDouble;
}

// For each element of the output, in order, the operand's element.
std::vector<std::size_t> ElementsOf(const executable::TensorBinding& operand,
                                    const std::vector<std::int64_t>& output) {
  std::vector<std::size_t> elements = {0};
  std::size_t stride = 1;
  for (std::size_t d = 1; d <= output.size(); ++d) {  // From the last dimension on.
    const std::vector<std::int64_t>& shape = operand.shape;
    const std::size_t own =
        d <= shape.size() ? static_cast<std::size_t>(shape[shape.size() - d]) : 1;
    const auto count = static_cast<std::size_t>(output[output.size() - d]);
    const std::vector<std::size_t> one = elements;
    for (std::size_t i = 1; i < count; ++i) {
      const std::size_t first = own == 1 ? 0 : i * stride;
      for (const std::size_t element : one) elements.push_back(first + element);
    }
    stride *= own;
  }
  return elements;
}

template <typename Function>
Bytes ForPairs(const executable::HostCall& call, std::span<const Bytes> inputs) {
  const Function function(QuantisationOf(call.inputs[0]), QuantisationOf(call.inputs[1]),
                          QuantisationOf(call.output), RoundingOf(call));
  const std::vector<std::size_t> first = ElementsOf(call.inputs[0], call.output.shape);
  const std::vector<std::size_t> second = ElementsOf(call.inputs[1], call.output.shape);
  Bytes output(call.output.Bytes());
  for (std::size_t i = 0; i < output.size(); ++i) {
    WriteElement(output, i,
                 function(ReadElement<std::int8_t>(inputs[0], first[i]),
                          ReadElement<std::int8_t>(inputs[1], second[i])));
  }
  return output;
}

}  // namespace

Bytes Divide(const executable::HostCall& call, std::span<const Bytes> inputs) {
  return ForPairs<arithmetic::Quotient>(call, inputs);
}

Bytes SquaredDifference(const executable::HostCall& call, std::span<const Bytes> inputs) {
  return ForPairs<arithmetic::SquaredDifference>(call, inputs);
}

// In units of half a step of the inputs, with 20 bits of fraction. TensorFlow Lite Micro begins the
// sum not with zero, but with what the integer 0 stands for.
Bytes AddN(const executable::HostCall& call, std::span<const Bytes> inputs) {
  constexpr int kBits = 20;
  const arithmetic::Rounding rounding = RoundingOf(call);
  const executable::TensorBinding& input = call.inputs[0];
  const double twice = 2.0 * static_cast<double>(input.scale);
  const arithmetic::Multiplier half =
      arithmetic::QuantizeMultiplier(static_cast<double>(input.scale) / twice, rounding);
  const arithmetic::Multiplier factor = arithmetic::QuantizeMultiplier(
      twice / (static_cast<double>(1 << kBits) * static_cast<double>(call.output.scale)), rounding);
  const auto term = [&](std::int32_t value) {
    return static_cast<std::uint32_t>(
        arithmetic::Multiply((value - input.zero_point) * (1 << kBits), half, rounding));
  };
  Bytes output(call.output.Bytes());
  for (std::size_t i = 0; i < output.size(); ++i) {
    std::uint32_t sum = term(0);
    for (const Bytes& bytes : inputs) sum += term(ReadElement<std::int8_t>(bytes, i));
    const std::int64_t value =
        std::int64_t{arithmetic::Multiply(static_cast<std::int32_t>(sum), factor, rounding)} +
        call.output.zero_point;
    WriteElement(output, i,
                 static_cast<std::int8_t>(
                     std::clamp<std::int64_t>(value, std::numeric_limits<std::int8_t>::min(),
                                              std::numeric_limits<std::int8_t>::max())));
  }
  return output;
}

}  // namespace tpu::host_kernels
