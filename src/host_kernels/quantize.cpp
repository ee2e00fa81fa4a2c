// SPDX-License-Identifier: Apache-2.0
// QUANTIZE and DEQUANTIZE.
#include <algorithm>
#include <cmath>
#include <limits>

#include "arithmetic/multiplier.h"
#include "base/error.h"
#include "host_kernels/elements.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

template <typename T>
T Saturate(std::int64_t value) {
  return static_cast<T>(std::clamp<std::int64_t>(value, std::numeric_limits<T>::min(),
                                                 std::numeric_limits<T>::max()));
}

// The nearest integer, halves away from zero, kept in a range that leaves room for zero points.
std::int64_t RoundToInteger(float value) {
  constexpr double kLimit = 9007199254740992.0;
  if (std::isnan(value)) return 0;
  return static_cast<std::int64_t>(
      std::clamp(static_cast<double>(std::round(value)), -kLimit, kLimit));
}

template <typename Out>
void QuantizeFloats(const executable::HostCall& call, const Bytes& input, Bytes& output) {
  for (std::size_t i = 0; i < input.size() / sizeof(float); ++i) {
    const float value = ReadElement<float>(input, i) / call.output.scale;
    WriteElement(output, i, Saturate<Out>(RoundToInteger(value) + call.output.zero_point));
  }
}

template <typename In, typename Out>
void QuantizeIntegers(const executable::HostCall& call, const Bytes& input, Bytes& output) {
  const auto rounding =
      call.single_rounding ? arithmetic::Rounding::kSingle : arithmetic::Rounding::kDouble;
  const arithmetic::Multiplier factor = arithmetic::QuantizeMultiplier(
      static_cast<double>(call.inputs[0].scale) / static_cast<double>(call.output.scale), rounding);
  for (std::size_t i = 0; i < input.size() / sizeof(In); ++i) {
    const auto value =
        static_cast<std::int32_t>(ReadElement<In>(input, i)) - call.inputs[0].zero_point;
    WriteElement(output, i,
                 Saturate<Out>(std::int64_t{arithmetic::Multiply(value, factor, rounding)} +
                               call.output.zero_point));
  }
}

}  // namespace

Bytes Quantize(const executable::HostCall& call, const Bytes& input) {
  Bytes output(call.output.Bytes());
  WithInteger(call.output.type, [&](auto out) {
    using Out = decltype(out);
    if (call.inputs[0].type == ElementType::kFloat32) {
      QuantizeFloats<Out>(call, input, output);
      return;
    }
    WithInteger(call.inputs[0].type,
                [&](auto in) { QuantizeIntegers<decltype(in), Out>(call, input, output); });
  });
  return output;
}

Bytes Dequantize(const executable::HostCall& call, const Bytes& input) {
  if (call.output.type != ElementType::kFloat32) {
    throw Error::Format("DEQUANTIZE to {} is not supported", ElementTypeName(call.output.type));
  }
  Bytes output(call.output.Bytes());
  const auto scale = static_cast<double>(call.inputs[0].scale);
  WithInteger(call.inputs[0].type, [&](auto type) {
    using In = decltype(type);
    for (std::size_t i = 0; i < input.size() / sizeof(In); ++i) {
      const std::int64_t value =
          std::int64_t{ReadElement<In>(input, i)} - std::int64_t{call.inputs[0].zero_point};
      WriteElement(output, i, static_cast<float>(scale * static_cast<double>(value)));
    }
  });
  return output;
}

}  // namespace tpu::host_kernels
