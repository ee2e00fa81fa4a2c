// SPDX-License-Identifier: Apache-2.0
// Lists of numbers as a tensor's bytes, and back.
#pragma once

#include <cstring>
#include <type_traits>
#include <vector>

#include "runtime/values.h"

namespace tpu::training {

template <typename T>
requires std::is_trivially_copyable_v<T> runtime::Bytes BytesOfValues(
    const std::vector<T>& values) {
  runtime::Bytes bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T>
requires std::is_trivially_copyable_v<T> std::vector<T> ValuesOf(const runtime::Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

}  // namespace tpu::training
