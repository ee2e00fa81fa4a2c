// SPDX-License-Identifier: Apache-2.0
#include "host_kernels/elements.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

using host_operators::Relation;

template <typename T>
bool Holds(Relation relation, T a, T b) {
  switch (relation) {
    case Relation::kEqual:
      return a == b;
    case Relation::kNotEqual:
      return a != b;
    case Relation::kGreater:
      return a > b;
    case Relation::kGreaterEqual:
      return a >= b;
    case Relation::kLess:
      return a < b;
    case Relation::kLessEqual:
      return a <= b;
  }
  return false;
}

// Real values of integers of 8 and 16 bits are compared with 8 more bits of fraction.
std::vector<std::int32_t> Scaled(const Invocation& call, std::size_t i) {
  constexpr std::int32_t kMoreBits = 1 << 8;
  const executable::TensorBinding& tensor = call.In(i);
  const arithmetic::Multiplier factor =
      arithmetic::QuantizeMultiplier(static_cast<double>(tensor.scale), call.Rounding());
  std::vector<std::int32_t> values;
  WithInteger(tensor.type, [&]<typename T>(T) {
    for (const T element : call.ReadBroadcast<T>(i)) {
      const std::int32_t value = static_cast<std::int32_t>(element) - tensor.zero_point;
      values.push_back(arithmetic::Multiply(value * kMoreBits, factor, call.Rounding()));
    }
  });
  return values;
}

template <typename T>
void Compare(Invocation& call, Relation relation, const std::vector<T>& a,
             const std::vector<T>& b) {
  std::vector<std::uint8_t> output;
  for (std::size_t i = 0; i < a.size(); ++i) {
    output.push_back(Holds(relation, a[i], b[i]) ? 1 : 0);
  }
  call.Write(0, output);
}

}  // namespace

void Compute(Invocation& call, const host_operators::Comparison& op) {
  const ElementType type = call.In(0).type;
  if (type == ElementType::kInt8 || type == ElementType::kInt16) {
    return Compare(call, op.relation, Scaled(call, 0), Scaled(call, 1));
  }
  WithNumber(type, [&]<typename T>(T) {
    Compare(call, op.relation, call.ReadBroadcast<T>(0), call.ReadBroadcast<T>(1));
  });
}

}  // namespace tpu::host_kernels
