// SPDX-License-Identifier: Apache-2.0
// Random words of floating-point numbers.
#pragma once

#include <array>
#include <cstdint>
#include <random>

namespace tpu::system_test {

/// The word of an fp32 number between 2^-8 and 2^9, or of its negative: so near to one that sums of
/// products neither overflow nor lose all of a term. Every 16th is a zero of either sign. The upper
/// half is a number of bf16.
inline std::uint32_t OrdinaryNumber(std::mt19937_64& rng) {
  const auto exponent = static_cast<std::uint32_t>(119 + rng() % 17);
  const auto bits = static_cast<std::uint32_t>(rng());
  if (rng() % 16 == 0) return bits & 0x80000000;
  return (bits & 0x807FFFFF) | exponent << 23;
}

/// The same, but every fourth is special or has any bits. What is special here is so in bf16, too.
inline std::uint32_t AnyNumber(std::mt19937_64& rng) {
  constexpr std::array<std::uint32_t, 12> kSpecial = {
      0x00000000,  // 0
      0x80000000,  // -0
      0x3F800000,  // 1
      0x7F800000,  // Infinity
      0xFF800000,  // -Infinity
      0x7FC00000,  // The machine's NaN
      0xFFA5A5A5,  // Another NaN
      0x00010001,  // Subnormal
      0x807FFFFF,  // The largest subnormal, negative
      0x00800000,  // The smallest that is not subnormal
      0x7F7F7F7F,  // Next to the largest
      0xFF7FFFFF,  // The largest, negative
  };
  switch (rng() % 8) {
    case 0:
      return static_cast<std::uint32_t>(rng());
    case 1:
      return kSpecial[rng() % kSpecial.size()];
    default:
      return OrdinaryNumber(rng);
  }
}

}  // namespace tpu::system_test
