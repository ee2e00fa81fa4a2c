// Types of tensor elements.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tpu::isa {

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

}  // namespace tpu::isa
