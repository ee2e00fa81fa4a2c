// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/pairs.h"
#include "host_kernels/elements.h"
#include "host_kernels/kernels.h"
#include "host_operators/relation.h"

namespace tpu::host_kernels {
namespace {

using host_operators::Relation;

std::vector<std::int32_t> Scaled(const Invocation& call, std::size_t i) {
  const executable::TensorBinding& tensor = call.In(i);
  const arithmetic::ComparedValue compared({.scale = tensor.scale, .zero_point = tensor.zero_point},
                                           call.Rounding());
  std::vector<std::int32_t> values;
  WithInteger(tensor.type, [&]<typename T>(T) {
    for (const T element : call.ReadBroadcast<T>(i)) {
      values.push_back(compared(static_cast<std::int32_t>(element)));
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
