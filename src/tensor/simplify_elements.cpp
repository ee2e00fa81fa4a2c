// SPDX-License-Identifier: Apache-2.0
// Rules for operations on elements: identities of arithmetic, and constants.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "tensor/rewriter.h"

namespace tpu::tensor {
namespace {

double Computed(const Abs& /*op*/, double x) { return std::abs(x); }
double Computed(const Exponential& /*op*/, double x) { return std::exp(x); }
double Computed(const Log& /*op*/, double x) { return std::log(x); }
double Computed(const Logistic& /*op*/, double x) { return 1 / (1 + std::exp(-x)); }
double Computed(const Negate& /*op*/, double x) { return -x; }
double Computed(const Rsqrt& /*op*/, double x) { return 1 / std::sqrt(x); }
double Computed(const Sqrt& /*op*/, double x) { return std::sqrt(x); }
double Computed(const Tanh& /*op*/, double x) { return std::tanh(x); }

double Computed(const Add& /*op*/, double a, double b) { return a + b; }
double Computed(const Subtract& /*op*/, double a, double b) { return a - b; }
double Computed(const Multiply& /*op*/, double a, double b) { return a * b; }
double Computed(const Divide& /*op*/, double a, double b) { return a / b; }
double Computed(const Maximum& /*op*/, double a, double b) { return std::max(a, b); }
double Computed(const Minimum& /*op*/, double a, double b) { return std::min(a, b); }

// Arithmetic on constants, in double precision. Integers could overflow, and bf16 would be rounded
// less often.
template <typename Op>
std::optional<ValueId> Folded(const Op& op, const Operands& operands, Rewriter& r) {
  const TensorType type = r.TypeOf(operands[0]);
  const auto x = r.SplatOf(operands[0]);
  if (!x || type.element != ElementType::kF32) return {};
  if constexpr (UnaryOperation<Op> && !OneOf<Op, StopGradient>) {
    return r.Splat(type, Computed(op, *x));
  } else if constexpr (BinaryOperation<Op>) {
    if (const auto y = r.SplatOf(operands[1])) return r.Splat(type, Computed(op, *x, *y));
  }
  return {};
}

template <typename Op>
std::optional<ValueId> Identity(const Op& /*op*/, const Operands& /*operands*/, Rewriter& /*r*/) {
  return {};
}

std::optional<ValueId> Identity(const Negate& /*op*/, const Operands& operands, Rewriter& r) {
  if (r.MakerOf<Negate>(operands[0])) return r.OperandOf(operands[0]);
  return {};
}

std::optional<ValueId> Identity(const Add& /*op*/, const Operands& operands, Rewriter& r) {
  if (r.SplatOf(operands[1]) == 0.0) return operands[0];
  if (operands[0] == operands[1]) {
    return r.Emit(Multiply{}, {operands[0], r.Splat(r.TypeOf(operands[0]), 2)});
  }
  for (const std::size_t i : {1U, 0U}) {
    if (r.MakerOf<Negate>(operands[i])) {
      return r.Emit(Subtract{}, {operands[1 - i], r.OperandOf(operands[i])});
    }
  }
  return {};
}

std::optional<ValueId> Identity(const Subtract& /*op*/, const Operands& operands, Rewriter& r) {
  if (r.SplatOf(operands[1]) == 0.0) return operands[0];
  if (r.SplatOf(operands[0]) == 0.0) return r.Emit(Negate{}, {operands[1]});
  if (r.MakerOf<Negate>(operands[1])) {
    return r.Emit(Add{}, {operands[0], r.OperandOf(operands[1])});
  }
  return {};
}

// 0 or 1 times a value is a choice.
std::optional<ValueId> Chosen(ValueId mask, ValueId value, Rewriter& r) {
  if (!r.MakerOf<Convert>(mask)) return {};
  const ValueId pred = r.OperandOf(mask);
  if (r.TypeOf(pred).element != ElementType::kPred) return {};
  return r.Emit(Select{}, {pred, value, r.Splat(r.TypeOf(value), 0)});
}

std::optional<ValueId> Identity(const Multiply& /*op*/, const Operands& operands, Rewriter& r) {
  if (const auto factor = r.SplatOf(operands[1])) {
    if (*factor == 1) return operands[0];
    if (*factor == -1) return r.Emit(Negate{}, {operands[0]});
    // Constant factors of the factor itself.
    if (r.MakerOf<Multiply>(operands[0]) && r.TypeOf(operands[0]).element == ElementType::kF32) {
      const ValueId inner = r.OperandOf(operands[0], 1);
      if (const auto first = r.SplatOf(inner)) {
        return r.Emit(Multiply{},
                      {r.OperandOf(operands[0]), r.Splat(r.TypeOf(inner), *first * *factor)});
      }
    }
  }
  if (const auto chosen = Chosen(operands[0], operands[1], r)) return chosen;
  return Chosen(operands[1], operands[0], r);
}

std::optional<ValueId> Identity(const Divide& /*op*/, const Operands& operands, Rewriter& r) {
  if (r.SplatOf(operands[1]) == 1.0) return operands[0];
  return {};
}

std::optional<ValueId> Identity(const Select& /*op*/, const Operands& operands, Rewriter& r) {
  if (operands[1] == operands[2]) return operands[1];
  if (const auto pred = r.SplatOf(operands[0])) return operands[*pred != 0 ? 1 : 2];
  return {};
}

std::optional<ValueId> Identity(const Convert& op, const Operands& operands, Rewriter& r) {
  const TensorType type = r.TypeOf(operands[0]);
  if (type.element == op.element) return operands[0];
  // bf16 passes through f32 unchanged.
  if (r.MakerOf<Convert>(operands[0])) {
    const ValueId inner = r.OperandOf(operands[0]);
    const bool back = type.element == ElementType::kF32 && op.element == ElementType::kBf16 &&
                      r.TypeOf(inner).element == ElementType::kBf16;
    if (back) return inner;
  }
  const auto splat = r.SplatOf(operands[0]);
  if (!splat || (op.element != ElementType::kF32 && op.element != ElementType::kBf16)) return {};
  // From wide to narrow the constant's own type rounds it.
  if (type.element == ElementType::kBf16) return {};
  return r.Splat({op.element, type.shape}, *splat);
}

}  // namespace

std::optional<ValueId> RewriteElements(const Operation& operation, const Operands& operands,
                                       Rewriter& rewriter) {
  if (operands.empty()) return {};
  return std::visit(
      [&](const auto& op) -> std::optional<ValueId> {
        if (const auto folded = Folded(op, operands, rewriter)) return folded;
        return Identity(op, operands, rewriter);
      },
      operation);
}

}  // namespace tpu::tensor
