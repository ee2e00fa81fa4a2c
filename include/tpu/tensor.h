// SPDX-License-Identifier: Apache-2.0
// Tensors as a program sees them: row-major, contiguous, little-endian.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tpu {

enum class ElementType : std::uint8_t { kInt8, kUint8, kInt16, kInt32, kInt64, kFloat32, kBool };

/// As in "int8".
constexpr std::string_view ElementTypeName(ElementType type) {
  constexpr std::array<std::string_view, 7> kNames = {"int8",  "uint8",   "int16", "int32",
                                                      "int64", "float32", "bool"};
  return kNames.at(static_cast<std::size_t>(type));
}

constexpr std::int64_t ElementBytes(ElementType type) {
  constexpr std::array<std::int64_t, 7> kBytes = {1, 1, 2, 4, 8, 4, 1};
  return kBytes.at(static_cast<std::size_t>(type));
}

/// The type of elements that C++ stores as T.
template <typename T>
struct ElementTypeOf;
template <>
struct ElementTypeOf<std::int8_t> : std::integral_constant<ElementType, ElementType::kInt8> {};
template <>
struct ElementTypeOf<std::uint8_t> : std::integral_constant<ElementType, ElementType::kUint8> {};
template <>
struct ElementTypeOf<std::int16_t> : std::integral_constant<ElementType, ElementType::kInt16> {};
template <>
struct ElementTypeOf<std::int32_t> : std::integral_constant<ElementType, ElementType::kInt32> {};
template <>
struct ElementTypeOf<std::int64_t> : std::integral_constant<ElementType, ElementType::kInt64> {};
template <>
struct ElementTypeOf<float> : std::integral_constant<ElementType, ElementType::kFloat32> {};

/// An input or an output of a program. Images are [batch, height, width, channels]. An integer q
/// stands for the real value scale * (q - zero_point).
struct TensorInfo {
  std::string name;
  std::vector<std::int64_t> shape;
  ElementType type = ElementType::kInt8;
  float scale = 1.0F;
  std::int32_t zero_point = 0;
};

}  // namespace tpu
