// SPDX-License-Identifier: Apache-2.0
// Control words of the vector lanes, for tests that give each stage its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tpu::vector_test {

/// Bits of a control word.
struct Field {
  unsigned low;
  unsigned bits = 1;
};

template <std::size_t kWords>
struct Control {
  std::array<std::uint32_t, kWords> words{};

  void Set(Field field, std::uint32_t value) {
    for (unsigned i = 0; i < field.bits; ++i) {
      const unsigned bit = field.low + i;
      words[bit / 32] &= ~(1U << (bit % 32));
      words[bit / 32] |= (value >> i & 1U) << (bit % 32);
    }
  }
};

/// Gives a port as many bits as `values` have.
template <typename Port, typename Values>
void SetPort(Port& port, const Values& values) {
  std::memcpy(static_cast<void*>(&port), values.data(), values.size() * sizeof(*values.data()));
}

}  // namespace tpu::vector_test
