// SPDX-License-Identifier: Apache-2.0
// Values of tensors as bytes.
#pragma once

#include <cstring>
#include <vector>

#include "host_kernels/invocation.h"

namespace tpu::host_kernels {

template <typename T>
Bytes BytesOf(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T>
std::vector<T> ValuesOf(const Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace tpu::host_kernels
