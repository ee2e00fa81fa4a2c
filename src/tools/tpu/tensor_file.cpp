// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/tensor_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "npy/npy.h"
#include "tools/format.h"

namespace tpu::tools {
namespace {

// Calls function(T{}) with the C++ type of an element; bool as uint8.
template <typename Function>
auto WithType(isa::ElementType type, Function function) {
  switch (type) {
    case isa::ElementType::kInt8:
      return function(std::int8_t{});
    case isa::ElementType::kUint8:
    case isa::ElementType::kBool:
      return function(std::uint8_t{});
    case isa::ElementType::kInt16:
      return function(std::int16_t{});
    case isa::ElementType::kInt32:
      return function(std::int32_t{});
    case isa::ElementType::kInt64:
      return function(std::int64_t{});
    case isa::ElementType::kFloat32:
      return function(float{});
  }
  throw Error("unknown element type");
}

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

std::string Subscript(const std::vector<std::int64_t>& shape, std::size_t index) {
  std::string text;
  for (std::size_t d = shape.size(); d-- > 0;) {
    const auto size = static_cast<std::size_t>(shape[d]);
    text = fmt::format("{}{}{}", index % size, text.empty() ? "" : ",", text);
    index /= size;
  }
  return "[" + text + "]";
}

template <typename T>
T RandomValue(std::mt19937_64& rng) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::uniform_real_distribution<T>(-1, 1)(rng);
  } else if constexpr (sizeof(T) > 2) {
    return std::uniform_int_distribution<T>(0, 127)(rng);
  } else {
    using Limits = std::numeric_limits<T>;
    return static_cast<T>(std::uniform_int_distribution<int>(Limits::min(), Limits::max())(rng));
  }
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

Bytes RandomTensor(const isa::TensorBinding& tensor, std::mt19937_64& rng) {
  Bytes bytes(tensor.Bytes());
  const auto size = static_cast<std::size_t>(isa::ElementBytes(tensor.type));
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    WithType(tensor.type, [&](auto type) {
      auto value = RandomValue<decltype(type)>(rng);
      if (tensor.type == isa::ElementType::kBool) value = static_cast<decltype(type)>(value > 0);
      std::memcpy(bytes.data() + at, &value, sizeof(value));
    });
  }
  return bytes;
}

double ElementOf(const isa::TensorBinding& tensor, const Bytes& values, std::size_t index) {
  return WithType(tensor.type, [&](auto type) {
    std::memcpy(&type, values.data() + index * sizeof(type), sizeof(type));
    return static_cast<double>(type);
  });
}

std::optional<std::string> FirstDifference(const isa::TensorBinding& tensor, const Bytes& expected,
                                           const Bytes& actual) {
  const auto [e, a] = std::ranges::mismatch(expected, actual);
  if (e == expected.end() && a == actual.end()) return std::nullopt;
  const std::size_t index = static_cast<std::size_t>(e - expected.begin()) /
                            static_cast<std::size_t>(isa::ElementBytes(tensor.type));
  return fmt::format("{}{}: got {}, expected {}", tensor.name, Subscript(tensor.shape, index),
                     ElementOf(tensor, actual, index), ElementOf(tensor, expected, index));
}

}  // namespace tpu::tools
