// SPDX-License-Identifier: Apache-2.0
// Chains of operations on integers, element by element, that rules make of one operator.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "arithmetic/int16_table.h"
#include "compiler/legalise/legalise_rules.h"

namespace tpu::compiler {

/// Adds operations whose results all have one shape. What they work on are raw integers: scales and
/// zero points of the tensors mean nothing.
class IntegerMaps {
 public:
  IntegerMaps(const OperatorView& view, ir::Shape shape) : view_(view), shape_(std::move(shape)) {}

  /// The result of `op` as a new tensor of the type, clamped to all of its values.
  ir::TensorId Add(ElementType type, std::vector<ir::TensorId> inputs, ir::IntegerMap op) const;
  /// The same as this tensor.
  void AddAs(ir::TensorId output, std::vector<ir::TensorId> inputs, ir::IntegerMap op) const;
  /// table[x + 128] of int8 x.
  ir::TensorId Look(ir::TensorId input, const std::array<std::int8_t, 256>& table) const;
  /// values[x + 128] of int8 x, up to 65535, as int32.
  ir::TensorId LookWide(ir::TensorId input, const std::array<std::int32_t, 256>& values) const;
  /// words[(x + 128) & 255].
  [[nodiscard]] ir::TensorId LookWord(ir::TensorId input,
                                      const std::array<std::int32_t, 256>& words) const;

 private:
  [[nodiscard]] ir::TensorId NewTensor(ElementType type) const;

  const OperatorView& view_;
  ir::Shape shape_;
};

/// x * multiplier / 2^shift, halves towards plus infinity.
ir::IntegerMap Scaled(std::int32_t multiplier, int shift);
/// The next lower integer of (x + bias) / 2^shift.
ir::IntegerMap ShiftedDown(int shift);
/// An operation with a constant.
ir::IntegerMap WithConstant(ir::IntegerMap::Kind kind, std::int32_t constant);

/// How an argument of LOGISTIC and TANH on int16 is turned into 12288ths: times a multiplier,
/// divided by 2^shift.
struct SigmoidArgument {
  std::int32_t multiplier = 3;
  int shift = 0;
};

/// As TensorFlow Lite interpolates both functions of int16 from one table (docs/arithmetic.md), in
/// 32768ths; `output` is int16.
void AddLogistic(const IntegerMaps& maps, ir::TensorId input, const SigmoidArgument& argument,
                 ir::TensorId output);
void AddTanh(const IntegerMaps& maps, ir::TensorId input, const SigmoidArgument& argument,
             ir::TensorId output);

/// As TensorFlow Lite interpolates a function of int16 (arithmetic::Int16Table), for x + bias in
/// the place of x; int16. What is below -32768 is the function's first sample, which has to be the
/// second one, too, where there is such an x.
ir::TensorId AddInterpolated(const IntegerMaps& maps, ir::TensorId input, std::int32_t bias,
                             const arithmetic::Int16Table& table);

}  // namespace tpu::compiler
