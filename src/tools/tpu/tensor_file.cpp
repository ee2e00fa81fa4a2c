// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/tensor_file.h"

#include <utility>

#include "base/error.h"
#include "npy/npy.h"
#include "tools/format.h"

namespace tpu::tools {
namespace {

npy::Type NpyType(const executable::TensorBinding& tensor) {
  switch (tensor.type) {
    case ElementType::kInt8:
      return npy::Type::kInt8;
    case ElementType::kUint8:
      return npy::Type::kUint8;
    case ElementType::kInt16:
      return npy::Type::kInt16;
    case ElementType::kInt32:
      return npy::Type::kInt32;
    case ElementType::kInt64:
      return npy::Type::kInt64;
    case ElementType::kFloat32:
      return npy::Type::kFloat32;
    case ElementType::kUint32:
      return npy::Type::kUint32;
    case ElementType::kUint64:
      return npy::Type::kUint64;
    case ElementType::kBool:
      return npy::Type::kBool;
    case ElementType::kBfloat16:
      break;
  }
  throw Error::Format("tensor {}: {} values have no .npy type here", tensor.name,
                      ElementTypeName(tensor.type));
}

}  // namespace

Bytes ReadTensor(const std::filesystem::path& path, const executable::TensorBinding& tensor) {
  npy::Array array = npy::Read(path);
  if (array.type != NpyType(tensor)) {
    throw Error::Format("{}: has type {}, tensor {} takes {}", path.string(),
                        npy::TypeName(array.type), tensor.name, ElementTypeName(tensor.type));
  }
  if (array.shape != tensor.shape) {
    throw Error::Format("{}: has shape {}, tensor {} takes {}", path.string(),
                        ShapeText(array.shape), tensor.name, ShapeText(tensor.shape));
  }
  return std::move(array.bytes);
}

void WriteTensor(const std::filesystem::path& path, const executable::TensorBinding& tensor,
                 const Bytes& values) {
  npy::Write(path, {.type = NpyType(tensor), .shape = tensor.shape, .bytes = values});
}

}  // namespace tpu::tools
