// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantise/quantized_tables.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "arithmetic/fixed_point.h"
#include "arithmetic/multiplier.h"
#include "compiler/quantise/byte_table.h"
#include "compiler/quantise/float_sum.h"
#include "compiler/quantise/float_tables.h"
#include "compiler/quantise/function_tables.h"
#include "compiler/quantise/quantization.h"

namespace tpu::compiler {
namespace {

using arithmetic::Multiply;
using arithmetic::RoundingDivideByPowerOfTwo;

ir::Lookup ReluTable(const ir::Tensor& input, const ir::Tensor& output, Bounds bounds,
                     Rounding rounding) {
  const float ratio = input.scale / output.scale;
  const Multiplier multiplier = QuantizeMultiplier(static_cast<double>(ratio), rounding);
  return MakeTable(input, output, [&](std::int32_t q) {
    const std::int32_t value =
        Multiply(q - input.zero_point, multiplier, rounding) + output.zero_point;
    return std::clamp(value, bounds.lo, bounds.hi);
  });
}

// TensorFlow Lite does not rescale here: output and input have one scale.
ir::Lookup Relu6Table(const ir::Tensor& input, const ir::Tensor& output) {
  const float steps = std::min(6.0F / input.scale, 1000.0F);  // More than any int8.
  const std::int32_t six = Saturate(std::llround(steps) + input.zero_point, LimitsOf(input));
  return MakeTable(input, output,
                   [&](std::int32_t q) { return std::clamp(q, input.zero_point, six); });
}

// The input of LOGISTIC and TANH: its conversion to Q4.27, and where the function saturates.
struct FixedPointInput {
  Multiplier multiplier;
  std::int32_t radius = 0;

  explicit FixedPointInput(const ir::Tensor& input) {
    constexpr int kIntegerBits = 4;
    constexpr int kFractionBits = 31 - kIntegerBits;
    multiplier = QuantizeMultiplier(std::ldexp(static_cast<double>(input.scale), kFractionBits),
                                    Rounding::kDouble);
    const double limit = ((1 << kIntegerBits) - 1) * std::ldexp(1.0, kFractionBits);
    // A tiny scale's is out of every input's reach.
    constexpr double kMost = std::numeric_limits<std::int32_t>::max();
    radius = static_cast<std::int32_t>(
        std::min(kMost, std::floor(std::ldexp(limit, -multiplier.shift))));
  }
};

// The table of a function of Q4.27 that goes from -128 to 127.
template <typename Function>
ir::Lookup SigmoidTable(const ir::Tensor& input, const ir::Tensor& output, Rounding rounding,
                        Function&& function) {
  const FixedPointInput fixed(input);
  return MakeTable(input, output, [&](std::int32_t q) {
    const std::int32_t v = q - input.zero_point;
    if (v <= -fixed.radius) return -128;
    if (v >= fixed.radius) return 127;
    return function(Multiply(v, fixed.multiplier, rounding));
  });
}

std::int32_t Logistic(std::int32_t z) {
  std::int32_t result = 1 << 30;
  if (z != 0) {
    const std::int32_t positive =
        arithmetic::OneOverOnePlus(arithmetic::ExpOfNegative(-std::abs(z), 4));
    result = z > 0 ? positive : std::numeric_limits<std::int32_t>::max() - positive;
  }
  return RoundingDivideByPowerOfTwo(result, 23) - 128;
}

std::int32_t Tanh(std::int32_t z) {
  if (z == 0) return 0;
  // The bits of Q4.27 read as Q5.26 are twice the value: tanh(x) = (1 - e^-2x) / (1 + e^-2x).
  const std::int32_t magnitude =
      arithmetic::OneMinusOverOnePlus(arithmetic::ExpOfNegative(-std::abs(z), 5));
  return RoundingDivideByPowerOfTwo(z < 0 ? -magnitude : magnitude, 24);
}

std::int16_t Saturate16(std::int64_t value) {
  return static_cast<std::int16_t>(std::clamp<std::int64_t>(
      value, std::numeric_limits<std::int16_t>::min(), std::numeric_limits<std::int16_t>::max()));
}

std::int16_t High16(std::int16_t a, std::int16_t b) {
  return Saturate16((std::int32_t{a} * b + (1 << 14)) >> 15);
}

// As RoundingDivideByPowerOfTwo in 16 bits, where TensorFlow Lite's mask of the bits that fall out
// becomes -1 for all further shifts.
std::int32_t RoundingDivide16(std::int32_t x, int exponent) {
  if (exponent >= 16) return x < 0 ? -1 : 1;
  return RoundingDivideByPowerOfTwo(x, exponent);
}

// A multiplier's upper 16 bits.
struct Multiplier16 {
  std::int16_t multiplier = 0;
  int shift = 0;

  Multiplier16(float factor, Rounding rounding) {
    const Multiplier full = QuantizeMultiplier(static_cast<double>(factor), rounding);
    const bool saturates = full.multiplier >= std::numeric_limits<std::int32_t>::max() - (1 << 15);
    multiplier = saturates ? std::numeric_limits<std::int16_t>::max()
                           : static_cast<std::int16_t>((full.multiplier + (1 << 15)) >> 16);
    shift = full.shift;
  }
};

// relu6(x + 3) / 6 as Q0.15.
std::int32_t ReluishValue(std::int16_t x, const Multiplier16& factor) {
  std::int16_t r = x;
  // A shift by 30 saturates all values but 0; TensorFlow Lite does not define further ones.
  if (factor.shift > 0) r = Saturate16(r * (std::int64_t{1} << std::min(factor.shift - 1, 30)));
  r = High16(r, factor.multiplier);
  if (factor.shift > 0) r = Saturate16(r * 2);
  if (factor.shift < 0) {
    r = static_cast<std::int16_t>(RoundingDivide16(r, -factor.shift));
  }
  return (r + (1 << 15)) >> 1;
}

ir::Lookup HardSwishTable(const ir::Tensor& input, const ir::Tensor& output, Rounding rounding) {
  const float high_resolution = input.scale * (1.0F / 128.0F);
  const Multiplier16 to_output(high_resolution / output.scale, rounding);
  const Multiplier16 to_reluish(high_resolution / (3.0F / 32768.0F), rounding);
  return MakeTable(input, output, [&](std::int32_t q) {
    const auto x = static_cast<std::int16_t>((q - input.zero_point) * 128);
    const std::int16_t in_output = High16(x, to_output.multiplier);
    const std::int32_t product = ReluishValue(x, to_reluish) * in_output / (1 << 15);
    return RoundingDivide16(product, -to_output.shift) + output.zero_point;
  });
}

// ADD and SUB before the last multiplication: the operand, left by 20 and times its multiplier.
std::int32_t Premultiplied(std::int32_t value, bool is_larger, const SumMultipliers& sum,
                           Rounding rounding) {
  if (is_larger) return value * (1 << 19);
  return Multiply(value * (1 << 20), sum.small, rounding);
}

std::int32_t BinaryValue(const ir::Binary& op, const ir::Tensor& first, const ir::Tensor& second,
                         const ir::Tensor& output, std::int32_t a, std::int32_t b,
                         Rounding rounding) {
  const std::int32_t va = a - first.zero_point;
  const std::int32_t vb = b - second.zero_point;
  switch (op.kind) {
    case ir::BinaryKind::kMaximum:
      return std::max(a, b);
    case ir::BinaryKind::kMinimum:
      return std::min(a, b);
    case ir::BinaryKind::kMul:
      if (IsFloat(rounding)) {
        const float product =
            static_cast<float>(va * vb) * (first.scale * second.scale / output.scale);
        if (rounding == Rounding::kFloat) {
          return static_cast<std::int32_t>(std::lrint(product)) + output.zero_point;
        }
        return static_cast<std::int32_t>(
            std::lrint(product + static_cast<float>(output.zero_point)));
      }
      return Multiply(va * vb, MulMultiplier(first, second, output, rounding), rounding) +
             output.zero_point;
    case ir::BinaryKind::kAdd:
    case ir::BinaryKind::kSub:
      break;
  }
  const bool subtract = op.kind == ir::BinaryKind::kSub;
  const SumMultipliers sum = subtract ? SubMultipliers(first, second, output, rounding)
                                      : AddMultipliers(first, second, output, rounding);
  const std::int32_t pa = Premultiplied(va, sum.first_is_larger, sum, rounding);
  const std::int32_t pb = Premultiplied(vb, !sum.first_is_larger, sum, rounding);
  return Multiply(subtract ? pa - pb : pa + pb, sum.output, rounding) + output.zero_point;
}

// The sum of XNNPACK, if the operator is one and computed so.
std::optional<FloatSum> FloatSumIn(Rounding rounding, const ir::Binary& op, const ir::Tensor& first,
                                   const ir::Tensor& second, const ir::Tensor& output) {
  const bool sums = op.kind == ir::BinaryKind::kAdd || op.kind == ir::BinaryKind::kSub;
  if (!IsFloat(rounding) || !sums) return {};
  return FloatSumOf(op.kind, first, second, output, rounding);
}

}  // namespace

bool IsByte(const ir::Tensor& tensor) {
  return tensor.type == ElementType::kInt8 || tensor.type == ElementType::kUint8;
}

ir::Lookup UnaryTable(ir::UnaryKind kind, const ir::Tensor& input, const ir::Tensor& output,
                      Rounding rounding) {
  if (rounding == Rounding::kFloat) {
    if (const auto table = FloatUnaryTable(kind, input, output)) return *table;
  }
  switch (kind) {
    case ir::UnaryKind::kRelu:
      return ReluTable(input, output, ActivationBounds(ir::Activation::kRelu, output), rounding);
    case ir::UnaryKind::kRelu6:
      return Relu6Table(input, output);
    case ir::UnaryKind::kReluN1To1:
      return ReluTable(input, output, ActivationBounds(ir::Activation::kReluN1To1, output),
                       rounding);
    case ir::UnaryKind::kLogistic:
      return SigmoidTable(input, output, rounding, Logistic);
    case ir::UnaryKind::kTanh:
      return SigmoidTable(input, output, rounding, Tanh);
    case ir::UnaryKind::kHardSwish:
      return HardSwishTable(input, output, rounding);
    case ir::UnaryKind::kElu:
      return EluTable(input, output);
  }
  return {};
}

ir::Lookup LeakyReluTable(float alpha, const ir::Tensor& input, const ir::Tensor& output,
                          Rounding rounding) {
  if (rounding == Rounding::kFloat) {
    if (const auto table = FloatLeakyReluTable(alpha, input, output)) return *table;
  }
  const float positive = input.scale / output.scale;
  const float negative = input.scale * alpha / output.scale;
  const Multiplier identity = QuantizeMultiplier(static_cast<double>(positive), rounding);
  const Multiplier slope = QuantizeMultiplier(std::abs(static_cast<double>(negative)), rounding);
  return MakeTable(input, output, [&](std::int32_t q) {
    const std::int32_t v = q - input.zero_point;
    if (v >= 0) return Multiply(v, identity, rounding) + output.zero_point;
    const std::int32_t product = Multiply(v, slope, rounding);
    return (negative < 0.0F ? -product : product) + output.zero_point;
  });
}

ir::Lookup QuantizeTable(const ir::Tensor& input, const ir::Tensor& output, Rounding rounding) {
  if (rounding == Rounding::kFloat) {
    if (const auto table = FloatQuantizeTable(input, output)) return *table;
  }
  const Multiplier multiplier = QuantizeMultiplier(Ratio(input, output), rounding);
  return MakeTable(input, output, [&](std::int32_t q) {
    return Multiply(q - input.zero_point, multiplier, rounding) + output.zero_point;
  });
}

ir::Lookup PreluTable(const ir::Tensor& input, const ir::Tensor& slopes, std::int32_t slope,
                      const ir::Tensor& output, Rounding rounding) {
  if (IsFloat(rounding)) {
    const float real = static_cast<float>(slope - slopes.zero_point) * slopes.scale;
    return FloatPreluTable(real, input, output);
  }
  const Multiplier identity = QuantizeMultiplier(Ratio(input, output), rounding);
  const Multiplier product = MulMultiplier(input, slopes, output, rounding);
  return MakeTable(input, output, [&](std::int32_t q) {
    const std::int32_t v = q - input.zero_point;
    const std::int32_t value = v >= 0
                                   ? Multiply(v, identity, rounding)
                                   : Multiply(v * (slope - slopes.zero_point), product, rounding);
    return value + output.zero_point;
  });
}

ir::Lookup PositivePartTable(const ir::Tensor& input, const ir::Tensor& output, Rounding rounding) {
  if (IsFloat(rounding)) return FloatPreluTable(0.0F, input, output);
  const Multiplier identity = QuantizeMultiplier(Ratio(input, output), rounding);
  return MakeTable(input, output, [&](std::int32_t q) {
    return Multiply(std::max(q - input.zero_point, 0), identity, rounding) + output.zero_point;
  });
}

ir::Lookup NegativePartTable(const ir::Tensor& input) {
  return MakeTable(input, input, [&](std::int32_t q) { return std::min(q, input.zero_point); });
}

ir::Lookup BinaryTable(const ir::Binary& op, const ir::Tensor& first, const ir::Tensor& second,
                       const ir::Tensor& output, bool constant_first, std::int32_t constant,
                       Rounding rounding) {
  const std::optional<FloatSum> sum = FloatSumIn(rounding, op, first, second, output);
  const bool as_float = sum || (IsFloat(rounding) && op.kind == ir::BinaryKind::kMul);
  const Bounds bounds =
      ActivationBounds(op.activation, output, as_float ? rounding : Rounding::kDouble);
  return MakeTable(constant_first ? second : first, output, [&](std::int32_t q) {
    const std::int32_t a = constant_first ? constant : q;
    const std::int32_t b = constant_first ? q : constant;
    const std::int32_t value =
        sum ? (*sum)(a, b) : BinaryValue(op, first, second, output, a, b, rounding);
    return std::clamp(value, bounds.lo, bounds.hi);
  });
}

ir::Lookup Compose(const ir::Lookup& first, const ir::Lookup& second) {
  ir::Lookup composed;
  for (std::size_t byte = 0; byte < composed.table.size(); ++byte) {
    composed.table[byte] = second.table[static_cast<std::uint8_t>(first.table[byte])];
  }
  return composed;
}

}  // namespace tpu::compiler
