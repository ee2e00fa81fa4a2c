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

/// What the elements of a tensor are. Programs have bfloat16 between layers only: their inputs and
/// outputs are float32.
enum class ElementType : std::uint8_t {
  kInt8,
  kUint8,
  kInt16,
  kInt32,
  kInt64,
  kFloat32,
  kBool,
  kUint32,
  kUint64,
  kBfloat16
};

/// The upper half of a float's bits.
struct Bfloat16 {
  std::uint16_t bits = 0;  ///< Sign, 8 bits of exponent, 7 of fraction.
  /// Whether they have the same bits.
  friend bool operator==(const Bfloat16&, const Bfloat16&) = default;
};

/// As in "int8".
constexpr std::string_view ElementTypeName(ElementType type) {
  constexpr std::array<std::string_view, 10> kNames = {"int8",   "uint8",   "int16", "int32",
                                                       "int64",  "float32", "bool",  "uint32",
                                                       "uint64", "bfloat16"};
  return kNames.at(static_cast<std::size_t>(type));
}

/// The size of one element.
constexpr std::int64_t ElementBytes(ElementType type) {
  constexpr std::array<std::int64_t, 10> kBytes = {1, 1, 2, 4, 8, 4, 1, 4, 8, 2};
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
struct ElementTypeOf<std::uint32_t> : std::integral_constant<ElementType, ElementType::kUint32> {};
template <>
struct ElementTypeOf<std::uint64_t> : std::integral_constant<ElementType, ElementType::kUint64> {};
template <>
struct ElementTypeOf<float> : std::integral_constant<ElementType, ElementType::kFloat32> {};
template <>
struct ElementTypeOf<Bfloat16> : std::integral_constant<ElementType, ElementType::kBfloat16> {};

/// A tensor of a model or of a program. Images are [batch, height, width, channels]. An integer q
/// stands for the real value scale * (q - zero_point).
struct TensorInfo {
  std::string name;                       ///< What Session knows the tensor by.
  std::vector<std::int64_t> shape;        ///< The outermost dimension first.
  ElementType type = ElementType::kInt8;  ///< Of each element.
  float scale = 1.0F;                     ///< The real value of one step of an integer.
  std::int32_t zero_point = 0;            ///< The integer that stands for 0.
  /// Weights only: the scale of each output channel; empty: `scale` for all.
  std::vector<float> channel_scales;
  bool constant = false;  ///< Part of the model: weights, for example.
};

}  // namespace tpu
