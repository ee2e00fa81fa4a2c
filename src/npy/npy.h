// SPDX-License-Identifier: Apache-2.0
// Reads and writes arrays in NumPy's .npy format, versions 1 to 3.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tpu::npy {

enum class Type : std::uint8_t {
  kInt8,
  kUint8,
  kInt16,
  kInt32,
  kInt64,
  kUint32,
  kUint64,
  kFloat32,
  kBool
};

/// As NumPy calls it: "int8".
std::string_view TypeName(Type type);
std::int64_t TypeBytes(Type type);

/// Values are little-endian, in C order: the last dimension varies fastest.
struct Array {
  Type type = Type::kInt8;
  std::vector<std::int64_t> shape;
  std::vector<std::uint8_t> bytes;
};

/// Throws tpu::Error naming the file and what is wrong with it; `file` is used in messages only.
Array Parse(std::span<const std::uint8_t> bytes, const std::string& file);
/// Parse of a file's contents.
Array Read(const std::filesystem::path& path);

/// Throws tpu::Error when the file cannot be written whole, or `bytes` does not fit the shape.
void Write(const std::filesystem::path& path, const Array& array);

}  // namespace tpu::npy
