// SPDX-License-Identifier: Apache-2.0
// What the host's operators ask of their tensors. Kernels rely on it, so that graphs and
// executables are checked before they run.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host_operators/host_operators.h"
#include "tpu/tensor.h"

namespace tpu::host_operators {

/// A tensor of an operator.
struct Operand {
  std::string name;
  ElementType type = ElementType::kInt8;
  std::vector<std::int64_t> shape;
  float scale = 1.0F;
  std::int32_t zero_point = 0;
};

/// The same of any structure with these members.
Operand OperandOf(const auto& tensor) {
  return {.name = tensor.name,
          .type = tensor.type,
          .shape = tensor.shape,
          .scale = tensor.scale,
          .zero_point = tensor.zero_point};
}
std::vector<Operand> OperandsOf(const auto& tensors) {
  std::vector<Operand> operands;
  for (const auto& tensor : tensors) operands.push_back(OperandOf(tensor));
  return operands;
}

/// Throws tpu::Error, which names the tensor, unless the operator takes inputs and makes outputs of
/// these types and shapes, and its own attributes are in range. Each dimension must be 1 or more,
/// and the elements of each tensor must be few enough to count.
void Check(const Attributes& attributes, std::span<const Operand> inputs,
           std::span<const Operand> outputs);

}  // namespace tpu::host_operators
