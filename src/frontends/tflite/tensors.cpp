// SPDX-License-Identifier: Apache-2.0
#include "frontends/tflite/tensors.h"

#include "ir/tensor_data.h"

namespace tpu::tflite {
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
  if (source.IsConstant()) ir::SetData(tensor, source.data);
  return tensor;
}

}  // namespace tpu::tflite
