// SPDX-License-Identifier: Apache-2.0
// ADD and SUB on int8 in rounding float, as XNNPACK and ONNX Runtime compute them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "compiler/quantise/quantization.h"

namespace tpu::compiler {

/// The result of two raw values, which may be out of int8's range.
using FloatSum = std::function<std::int32_t(std::int32_t first, std::int32_t second)>;

/// How VECTOR computes a sum: the result's zero point, and what is added before the last
/// multiplication.
struct VectorSum {
  SumMultipliers multipliers;
  Rounding rounding = Rounding::kDouble;  ///< Single or float.
  std::int32_t zero_point = 0;
  std::int32_t bias = 0;
};

/// In rounding float or ONNX Runtime's. None: LiteRT leaves operands of such scales to its own
/// kernel, which rounds as in double.
std::optional<FloatSum> FloatSumOf(ir::BinaryKind kind, const ir::Tensor& first,
                                   const ir::Tensor& second, const ir::Tensor& output,
                                   Rounding rounding);

/// VECTOR rounds in other places than the sum does, so that a result right beside a half may fall
/// to the other side. All pairs of int8 are tried, and of some biases and slightly different
/// multipliers of the smaller operand those with the fewest other results are taken.
VectorSum VectorSumOf(ir::BinaryKind kind, const ir::Tensor& first, const ir::Tensor& second,
                      const ir::Tensor& output, Rounding rounding, const FloatSum& sum);

}  // namespace tpu::compiler
