// SPDX-License-Identifier: Apache-2.0
#include "bindings/arrays.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <utility>
#include <vector>

#include "base/error.h"

namespace tpu::python {
namespace {

namespace nb = nanobind;

nb::dlpack::dtype TypeOf(const executable::TensorBinding& tensor) {
  switch (tensor.type) {
    case ElementType::kInt8:
      return nb::dtype<std::int8_t>();
    case ElementType::kUint8:
      return nb::dtype<std::uint8_t>();
    case ElementType::kInt16:
      return nb::dtype<std::int16_t>();
    case ElementType::kInt32:
      return nb::dtype<std::int32_t>();
    case ElementType::kInt64:
      return nb::dtype<std::int64_t>();
    case ElementType::kFloat32:
      return nb::dtype<float>();
    case ElementType::kBool:
      return nb::dtype<bool>();
    case ElementType::kUint32:
      return nb::dtype<std::uint32_t>();
    case ElementType::kUint64:
      return nb::dtype<std::uint64_t>();
    case ElementType::kBfloat16:
      break;
  }
  throw Error::Format("tensor {}: NumPy has no type for {} values", tensor.name,
                      ElementTypeName(tensor.type));
}

}  // namespace

std::span<const std::uint8_t> BytesOf(const Array& array) {
  return {static_cast<const std::uint8_t*>(array.data()), array.nbytes()};
}

nb::object ArrayOf(const executable::TensorBinding& tensor, runtime::Bytes values) {
  const nb::dlpack::dtype type = TypeOf(tensor);
  const std::vector<std::size_t> shape(tensor.shape.begin(), tensor.shape.end());
  auto kept = std::make_unique<runtime::Bytes>(std::move(values));
  runtime::Bytes* const bytes = kept.get();
  const nb::capsule owner(
      kept.release(), [](void* pointer) noexcept { delete static_cast<runtime::Bytes*>(pointer); });
  return nb::cast(
      nb::ndarray<nb::numpy>(bytes->data(), shape.size(), shape.data(), owner, nullptr, type));
}

nb::tuple Describe(const executable::TensorBinding& tensor) {
  return nb::make_tuple(tensor.name, nb::tuple(nb::cast(tensor.shape)),
                        ElementTypeName(tensor.type), tensor.scale, tensor.zero_point);
}

}  // namespace tpu::python
