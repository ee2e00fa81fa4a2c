// SPDX-License-Identifier: Apache-2.0
// Integer multipliers and clamping bounds from tensor scales, bit-exact with TensorFlow Lite's
// kernels. The precision (float or double) of each step decides the multiplier's last bits, so each
// operator has its own function.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "arithmetic/multiplier.h"
#include "ir/graph.h"

namespace tpu::compiler {

using arithmetic::IsFloat;
using arithmetic::Multiplier;
using arithmetic::QuantizeMultiplier;
using arithmetic::ReducedMultiplier;
using arithmetic::Rounding;

/// Least and greatest output value after the fused activation; by default of int8.
struct Bounds {
  std::int32_t lo = -128;
  std::int32_t hi = 127;
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// How ADD and SUB are computed: the operand with the larger scale is shifted left by 19 (of int16
/// by 14), the other one multiplied by `small`, the result by `output`.
struct SumMultipliers {
  bool first_is_larger = true;
  Multiplier small;
  Multiplier output;
};

Bounds ActivationBounds(ir::Activation activation, const ir::Tensor& output,
                        Rounding rounding = Rounding::kDouble);

/// Convolutions: one per output channel.
std::vector<Multiplier> ConvMultipliers(const ir::Tensor& input, const ir::Tensor& weights,
                                        const ir::Tensor& output, std::int64_t channels,
                                        Rounding rounding);

/// FULLY_CONNECTED: one per output.
std::vector<Multiplier> FullyConnectedMultipliers(const ir::Tensor& input,
                                                  const ir::Tensor& weights,
                                                  const ir::Tensor& output, std::int64_t channels,
                                                  Rounding rounding);

SumMultipliers AddMultipliers(const ir::Tensor& first, const ir::Tensor& second,
                              const ir::Tensor& output, Rounding rounding);
SumMultipliers SubMultipliers(const ir::Tensor& first, const ir::Tensor& second,
                              const ir::Tensor& output, Rounding rounding);
Multiplier MulMultiplier(const ir::Tensor& first, const ir::Tensor& second,
                         const ir::Tensor& output, Rounding rounding);

/// The logarithm of a power of two, as TensorFlow Lite recognises one: within a thousandth.
std::optional<int> Log2(float scale);

/// MEAN and SUM of `count` values, for their sum without zero points.
Multiplier ReduceMultiplier(ir::ReduceKind kind, std::int64_t count, const ir::Tensor& input,
                            const ir::Tensor& output, Rounding rounding);

/// Average of `taps` values with requant mode divide (docs/isa.md, 7): the entry's bias and
/// multiplier.
struct Divider {
  std::int32_t bias = 0;
  Multiplier multiplier;
};
Divider AverageDivider(std::int32_t taps);

}  // namespace tpu::compiler
