// SPDX-License-Identifier: Apache-2.0
#include "frontends/tflite/model.h"

#include <fmt/core.h>

namespace tpu::tflite {

std::int64_t Tensor::Elements() const {
  std::int64_t elements = 1;
  for (const std::int64_t d : shape) elements *= d;
  return elements;
}

std::vector<std::int32_t> SubgraphsOf(const Operator& op) {
  if (op.code == BuiltinOperator::CALL_ONCE && op.options.AsCallOnceOptions() != nullptr) {
    return {op.options.AsCallOnceOptions()->init_subgraph_index};
  }
  if (op.code == BuiltinOperator::IF && op.options.AsIfOptions() != nullptr) {
    return {op.options.AsIfOptions()->then_subgraph_index,
            op.options.AsIfOptions()->else_subgraph_index};
  }
  if (op.code == BuiltinOperator::WHILE && op.options.AsWhileOptions() != nullptr) {
    return {op.options.AsWhileOptions()->cond_subgraph_index,
            op.options.AsWhileOptions()->body_subgraph_index};
  }
  return {};
}

std::string TypeName(TensorType type) {
  const std::string name = schema::EnumNameTensorType(type);
  return name.empty() ? fmt::format("type {}", static_cast<int>(type)) : name;
}

std::int64_t TypeBytes(TensorType type) {
  switch (type) {
    case TensorType::INT8:
    case TensorType::UINT8:
    case TensorType::BOOL:
      return 1;
    case TensorType::INT16:
    case TensorType::UINT16:
    case TensorType::FLOAT16:
      return 2;
    case TensorType::INT32:
    case TensorType::UINT32:
    case TensorType::FLOAT32:
      return 4;
    case TensorType::INT64:
    case TensorType::UINT64:
    case TensorType::FLOAT64:
    case TensorType::COMPLEX64:
      return 8;
    case TensorType::COMPLEX128:
      return 16;
    default:
      return 0;
  }
}

}  // namespace tpu::tflite
