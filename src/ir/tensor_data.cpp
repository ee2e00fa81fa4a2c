// SPDX-License-Identifier: Apache-2.0
#include "ir/tensor_data.h"

#include <cstring>
#include <vector>

namespace tpu::ir {
namespace {

template <typename T>
std::vector<T> ValuesOf(std::span<const std::uint8_t> bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

}  // namespace

void SetData(Tensor& tensor, std::span<const std::uint8_t> bytes) {
  switch (tensor.type) {
    case ElementType::kInt8:
      tensor.data = ValuesOf<std::int8_t>(bytes);
      break;
    case ElementType::kUint8:
    case ElementType::kBool:
      tensor.data = ValuesOf<std::uint8_t>(bytes);
      break;
    case ElementType::kInt16:
      tensor.data = ValuesOf<std::int16_t>(bytes);
      break;
    case ElementType::kInt32:
      tensor.data = ValuesOf<std::int32_t>(bytes);
      break;
    case ElementType::kInt64:
      tensor.data = ValuesOf<std::int64_t>(bytes);
      break;
    case ElementType::kUint32:
      tensor.data = ValuesOf<std::uint32_t>(bytes);
      break;
    case ElementType::kUint64:
      tensor.data = ValuesOf<std::uint64_t>(bytes);
      break;
    case ElementType::kFloat32:
      tensor.data = ValuesOf<float>(bytes);
      break;
    case ElementType::kBfloat16:
      tensor.data = ValuesOf<Bfloat16>(bytes);
      break;
  }
}

}  // namespace tpu::ir
