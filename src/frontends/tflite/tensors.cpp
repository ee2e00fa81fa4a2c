// SPDX-License-Identifier: Apache-2.0
#include "frontends/tflite/tensors.h"

#include <cstring>

namespace tpu::tflite {
namespace {

template <typename T>
std::vector<T> ValuesOf(const std::vector<std::uint8_t>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

}  // namespace

std::optional<ElementType> ElementTypeOf(TensorType type) {
  switch (type) {
    case TensorType::INT8:
      return ElementType::kInt8;
    case TensorType::UINT8:
      return ElementType::kUint8;
    case TensorType::INT16:
      return ElementType::kInt16;
    case TensorType::INT32:
      return ElementType::kInt32;
    case TensorType::INT64:
      return ElementType::kInt64;
    case TensorType::FLOAT32:
      return ElementType::kFloat32;
    case TensorType::BOOL:
      return ElementType::kBool;
    case TensorType::UINT32:
      return ElementType::kUint32;
    case TensorType::UINT64:
      return ElementType::kUint64;
    default:
      return {};
  }
}

void SetData(ir::Tensor& tensor, const std::vector<std::uint8_t>& bytes) {
  switch (tensor.type) {
    case ElementType::kInt8:
      tensor.data = ValuesOf<std::int8_t>(bytes);
      break;
    case ElementType::kUint8:
    case ElementType::kBool:
      tensor.data = bytes;
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

ir::Tensor ConvertTensor(const Tensor& source) {
  ir::Tensor tensor;
  tensor.name = source.name;
  tensor.shape.assign(source.shape.begin(), source.shape.end());
  const std::optional<ElementType> type = ElementTypeOf(source.type);
  if (!type) return tensor;  // An error when it is used, which it need not be.
  tensor.type = *type;
  if (const Quantization& q = source.quantization; !q.scales.empty()) {
    tensor.scale = q.scales[0];
    tensor.zero_point = static_cast<std::int32_t>(q.zero_points[0]);
    if (q.scales.size() > 1) tensor.channel_scales = q.scales;
  }
  if (source.IsConstant()) SetData(tensor, source.data);
  return tensor;
}

}  // namespace tpu::tflite
