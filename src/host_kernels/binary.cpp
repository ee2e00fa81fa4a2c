// SPDX-License-Identifier: Apache-2.0
// Arithmetic of two tensors.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "base/error.h"
#include "host_kernels/activation.h"
#include "host_kernels/elements.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

using host_operators::BinaryOperation;

// Integers wrap around: they are computed without sign.
template <typename T>
auto Wrapping(T value) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<std::make_unsigned_t<T>>(value);
  } else {
    return value;
  }
}

// Towards zero. The lowest integer by -1 is itself.
template <typename T>
T Divide(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) throw Error("division by zero");
    if (b == -1) return static_cast<T>(-Wrapping(a));
  }
  return a / b;
}

// The rest of a division towards zero.
template <typename T>
T Rest(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) throw Error("division by zero");
    return b == -1 ? 0 : a % b;
  } else {
    return std::fmod(a, b);
  }
}

template <typename T>
T FloorDivide(T a, T b) {
  if (b == T{0}) throw Error("division by zero");
  if constexpr (std::is_integral_v<T>) {
    const T rest = Rest(a, b);
    return static_cast<T>(Divide(a, b) - (rest != 0 && (rest < 0) != (b < 0) ? 1 : 0));
  } else {
    return static_cast<T>(std::floor(static_cast<double>(a) / static_cast<double>(b)));
  }
}

template <typename T>
T FloorRest(T a, T b) {
  const T rest = Rest(a, b);
  return rest != T{0} && (b < T{0}) != (rest < T{0}) ? rest + b : rest;
}

template <typename T>
T Apply(BinaryOperation operation, T a, T b) {
  switch (operation) {
    case BinaryOperation::kAdd:
      return static_cast<T>(Wrapping(a) + Wrapping(b));
    case BinaryOperation::kSub:
      return static_cast<T>(Wrapping(a) - Wrapping(b));
    case BinaryOperation::kMul:
      return static_cast<T>(Wrapping(a) * Wrapping(b));
    case BinaryOperation::kDiv:
      return Divide(a, b);
    case BinaryOperation::kMaximum:
      return a > b ? a : b;
    case BinaryOperation::kMinimum:
      return a < b ? a : b;
    case BinaryOperation::kFloorDiv:
      return FloorDivide(a, b);
    case BinaryOperation::kFloorMod:
      return FloorRest(a, b);
    case BinaryOperation::kLogicalAnd:
    case BinaryOperation::kLogicalOr:
      break;
  }
  throw InternalError("no arithmetic operation");
}

template <typename T>
void ComputeNumbers(Invocation& call, const host_operators::Binary& op) {
  std::vector<T> values = call.ReadBroadcast<T>(0);
  const std::vector<T> others = call.ReadBroadcast<T>(1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = Activate(Apply(op.operation, values[i], others[i]), op.activation);
  }
  call.Write(0, values);
}

void ComputeLogic(Invocation& call, bool conjunction) {
  std::vector<std::uint8_t> values = call.ReadBroadcast<std::uint8_t>(0);
  const std::vector<std::uint8_t> others = call.ReadBroadcast<std::uint8_t>(1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool a = values[i] != 0;
    const bool b = others[i] != 0;
    values[i] = (conjunction ? a && b : a || b) ? 1 : 0;
  }
  call.Write(0, values);
}

}  // namespace

void Compute(Invocation& call, const host_operators::Binary& op) {
  if (op.operation >= BinaryOperation::kLogicalAnd) {
    ComputeLogic(call, op.operation == BinaryOperation::kLogicalAnd);
  } else if (call.Out().type == ElementType::kInt32) {
    ComputeNumbers<std::int32_t>(call, op);
  } else if (call.Out().type == ElementType::kInt64) {
    ComputeNumbers<std::int64_t>(call, op);
  } else {
    ComputeNumbers<float>(call, op);
  }
}

}  // namespace tpu::host_kernels
