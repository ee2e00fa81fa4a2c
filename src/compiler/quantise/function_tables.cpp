// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantise/function_tables.h"

#include <cmath>
#include <cstdlib>
#include <limits>

#include "arithmetic/fixed_point.h"
#include "arithmetic/multiplier.h"
#include "arithmetic/pairs.h"
#include "compiler/quantise/byte_table.h"
#include "compiler/quantise/float_rounding.h"
#include "compiler/quantise/quantized_tables.h"

namespace tpu::compiler {
namespace {

using arithmetic::Multiply;

std::int32_t AbsoluteValue(std::int32_t v, const Multiplier& factor, bool rescales,
                           Rounding rounding) {
  return rescales ? Multiply(std::abs(v), factor, rounding) : std::abs(v);
}

// 1 / sqrt(v) in 20 bits of fraction, rescaled. Zero and what is below, at which TensorFlow Lite
// Micro stops, gives the largest number.
std::int64_t InverseRoot(std::int32_t v, const Multiplier& factor, Rounding rounding) {
  constexpr int kBits = 20;
  if (v <= 0) return std::numeric_limits<std::int32_t>::max();
  Multiplier root = arithmetic::InverseSquareRoot(v);
  root.shift += kBits;
  const std::int32_t fraction = Multiply(1, root, rounding);
  return Multiply(fraction, {.multiplier = factor.multiplier, .shift = factor.shift - kBits},
                  rounding);
}

arithmetic::Quantisation QuantisationOf(const ir::Tensor& tensor) {
  return {.scale = tensor.scale, .zero_point = tensor.zero_point};
}

// The table of function(first, second) with one of the two operands constant.
template <typename Function>
ir::Lookup PairTable(const Function& function, const ir::Tensor& operand, const ir::Tensor& output,
                     bool constant_first, std::int32_t constant) {
  return MakeTable(operand, output, [&](std::int32_t q) {
    return std::int32_t{constant_first ? function(constant, q) : function(q, constant)};
  });
}

}  // namespace

// In float32, as TensorFlow Lite Micro makes its own table.
ir::Lookup EluTable(const ir::Tensor& input, const ir::Tensor& output) {
  constexpr float kFar = 1 << 20;  // More than any int8.
  const float per_step = 1.0F / output.scale;
  return MakeTable(input, output, [&](std::int32_t q) {
    const float x = input.scale * static_cast<float>(q - input.zero_point);
    const float y = x < 0.0F ? std::exp(x) - 1.0F : x;
    const float steps = std::clamp(std::round(y * per_step), -kFar, kFar);
    return static_cast<std::int32_t>(steps) + output.zero_point;
  });
}

bool HasTable(ir::FunctionKind kind) {
  return kind == ir::FunctionKind::kAbsolute || kind == ir::FunctionKind::kRsqrt;
}

ir::Lookup FunctionTable(ir::FunctionKind kind, const ir::Tensor& input, const ir::Tensor& output,
                         Rounding rounding) {
  if (kind == ir::FunctionKind::kAbsolute) {
    const Multiplier factor = QuantizeMultiplier(Ratio(input, output), rounding);
    return MakeTable(input, output, [&](std::int32_t q) {
      return AbsoluteValue(q - input.zero_point, factor, input.scale != output.scale, rounding) +
             output.zero_point;
    });
  }
  const double real =
      1.0 / (std::sqrt(static_cast<double>(input.scale)) * static_cast<double>(output.scale));
  const Multiplier factor = QuantizeMultiplier(real, rounding);
  return MakeTable(input, output, [&](std::int32_t q) {
    return InverseRoot(q - input.zero_point, factor, rounding) + output.zero_point;
  });
}

ir::Lookup ActivationTable(ir::Activation activation, const ir::Tensor& output) {
  const Bounds bounds = ActivationBounds(activation, output);
  return MakeTable(output, output,
                   [&](std::int32_t q) { return std::clamp(q, bounds.lo, bounds.hi); });
}

ir::Lookup BinaryTable(const ir::Divide& op, const ir::Tensor& first, const ir::Tensor& second,
                       const ir::Tensor& output, bool constant_first, std::int32_t constant,
                       Rounding rounding) {
  const arithmetic::Quotient quotient(QuantisationOf(first), QuantisationOf(second),
                                      QuantisationOf(output), rounding);
  return Compose(
      PairTable(quotient, constant_first ? second : first, output, constant_first, constant),
      ActivationTable(op.activation, output));
}

ir::Lookup BinaryTable(const ir::SquaredDifference& /*op*/, const ir::Tensor& first,
                       const ir::Tensor& second, const ir::Tensor& output, bool constant_first,
                       std::int32_t constant, Rounding rounding) {
  const arithmetic::SquaredDifference difference(QuantisationOf(first), QuantisationOf(second),
                                                 QuantisationOf(output), rounding);
  return PairTable(difference, constant_first ? second : first, output, constant_first, constant);
}

ir::Lookup FloatTable(const ir::Tensor& input, const ir::Tensor& output, Rounding rounding,
                      const std::function<float(float)>& function) {
  constexpr float kFar = 1 << 20;  // More than any byte.
  return MakeTable(input, output, [&](std::int32_t q) -> std::int32_t {
    const double real =
        static_cast<double>(input.scale) * static_cast<double>(q - input.zero_point);
    const float value = function(static_cast<float>(real));
    if (std::isnan(value)) return output.zero_point;
    if (IsFloat(rounding)) return Nearest(value * (1.0F / output.scale)) + output.zero_point;
    const float steps = value / output.scale;
    return static_cast<std::int32_t>(std::clamp(std::round(steps), -kFar, kFar)) +
           output.zero_point;
  });
}

}  // namespace tpu::compiler
