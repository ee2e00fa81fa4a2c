// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/tensor_file.h"

#include <utility>

#include "base/error.h"
#include "npy/npy.h"
#include "tools/format.h"

namespace tpu::tools {
namespace {

npy::Type NpyType(const isa::TensorBinding& tensor) {
  switch (tensor.type) {
    case isa::ElementType::kInt8:
      return npy::Type::kInt8;
    case isa::ElementType::kUint8:
      return npy::Type::kUint8;
    case isa::ElementType::kInt16:
      return npy::Type::kInt16;
    case isa::ElementType::kInt32:
      return npy::Type::kInt32;
    case isa::ElementType::kInt64:
      return npy::Type::kInt64;
    case isa::ElementType::kFloat32:
      return npy::Type::kFloat32;
    case isa::ElementType::kBool:
      break;
  }
  throw Error::Format("tensor {}: {} values have no .npy type here", tensor.name,
                      isa::ElementTypeName(tensor.type));
}

}  // namespace

Bytes ReadTensor(const std::filesystem::path& path, const isa::TensorBinding& tensor) {
  npy::Array array = npy::Read(path);
  if (array.type != NpyType(tensor)) {
    throw Error::Format("{}: has type {}, tensor {} takes {}", path.string(),
                        npy::TypeName(array.type), tensor.name, isa::ElementTypeName(tensor.type));
  }
  if (array.shape != tensor.shape) {
    throw Error::Format("{}: has shape {}, tensor {} takes {}", path.string(),
                        ShapeText(array.shape), tensor.name, ShapeText(tensor.shape));
  }
  return std::move(array.bytes);
}

void WriteTensor(const std::filesystem::path& path, const isa::TensorBinding& tensor,
                 const Bytes& values) {
  npy::Write(path, {.type = NpyType(tensor), .shape = tensor.shape, .bytes = values});
}

}  // namespace tpu::tools
