// SPDX-License-Identifier: Apache-2.0
// What floating-point blocks should compute, by the processor's own arithmetic.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

namespace tpu::float_test {

constexpr std::uint32_t kNan = 0x7FC00000;

/// Subnormal numbers count as zero of their sign.
inline float Number(std::uint32_t bits) {
  return std::bit_cast<float>((bits & 0x7F800000) == 0 ? bits & 0x80000000 : bits);
}

/// round(c + a * b), subnormal results flushed after a rounding without bounds, NaN made canonical.
/// A product of two floats is a double. Their sum with a third float is rounded to odd in double:
/// then rounding it again, to float, is the same as rounding the exact sum once.
inline std::uint32_t Fma(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const double product = static_cast<double>(Number(a)) * static_cast<double>(Number(b));
  const double addend = Number(c);
  double sum = product + addend;
  if (std::isnan(sum)) return kNan;
  if (std::isfinite(sum)) {
    const double other = sum - product;
    const double lost = (product - (sum - other)) + (addend - other);
    auto bits = std::bit_cast<std::uint64_t>(sum);
    if (lost != 0 && (bits & 1) == 0) {
      bits = std::signbit(lost) == std::signbit(sum) ? bits + 1 : bits - 1;
    }
    sum = std::bit_cast<double>(bits);
  }
  // Where floats have all their bits although the result is near or below the smallest one.
  const float large = static_cast<float>(sum * 0x1p100);
  if (std::fabs(large) < 0x1p-26F) return std::signbit(large) ? 0x80000000 : 0;
  return std::bit_cast<std::uint32_t>(static_cast<float>(sum));
}

inline std::uint32_t Add(std::uint32_t a, std::uint32_t b) {
  return Fma(a, std::bit_cast<std::uint32_t>(1.0F), b);
}

/// All values at which something changes, of either sign.
inline std::vector<std::uint32_t> SpecialValues() {
  std::vector<std::uint32_t> values;
  for (const std::uint32_t sign : {0U, 0x80000000U}) {
    for (const std::uint32_t magnitude :
         {0x00000000U, 0x00000001U, 0x00400000U, 0x007FFFFFU, 0x00800000U, 0x00800001U, 0x00FFFFFFU,
          0x01000000U, 0x0C000000U, 0x1F800000U, 0x20000000U, 0x33800000U, 0x34000000U, 0x3F000000U,
          0x3F7FFFFFU, 0x3F800000U, 0x3F800001U, 0x3FFFFFFFU, 0x40000000U, 0x40490FDBU, 0x4B000000U,
          0x4B7FFFFFU, 0x5F800000U, 0x7E800000U, 0x7F000000U, 0x7F7FFFFEU, 0x7F7FFFFFU, 0x7F800000U,
          0x7F800001U, 0x7FC00000U, 0x7FFFFFFFU}) {
      values.push_back(sign | magnitude);
    }
  }
  return values;
}

/// Seed of random tests: TPU_SEED, or what is given.
inline std::uint64_t Seed(std::uint64_t usual) {
  const char* chosen = std::getenv("TPU_SEED");
  return chosen == nullptr ? usual : std::strtoull(chosen, nullptr, 0);
}

/// Number of random cases: TPU_CASES, or what is given.
inline std::uint64_t Cases(std::uint64_t usual) {
  const char* chosen = std::getenv("TPU_CASES");
  return chosen == nullptr ? usual : std::strtoull(chosen, nullptr, 0);
}

/// Numbers whose bits come in runs, so that carries run far, at exponents near that of `around`
/// (some of them) or anywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint32_t Bits() { return static_cast<std::uint32_t>(engine_() >> 16); }

  std::uint32_t Value() {
    const std::uint32_t how = Bits();
    std::uint32_t fraction = Bits();
    if ((how & 3) == 0) fraction &= Bits() & Bits();
    if ((how & 3) == 1) fraction |= Bits() | Bits();
    if ((how & 12) == 0) fraction &= 0xFFFFFFFF << (Bits() % 24);
    return (Bits() & 0xFF800000) | (fraction & 0x007FFFFF);
  }

  /// Its exponent is `exponent` plus -30 to 30; sometimes anything.
  std::uint32_t Near(int exponent) {
    const std::uint32_t value = Value();
    if ((Bits() & 15) == 0) return value;
    const int spread = (Bits() & 1) == 0 ? 30 : 3;
    const int moved = exponent + static_cast<int>(Bits() % 61) % (2 * spread + 1) - spread;
    return (value & 0x807FFFFF) | (static_cast<std::uint32_t>(moved < 0     ? 0
                                                              : moved > 255 ? 255
                                                                            : moved)
                                   << 23);
  }

 private:
  std::mt19937_64 engine_;
};

inline int Exponent(std::uint32_t bits) { return static_cast<int>(bits >> 23 & 0xFF); }

}  // namespace tpu::float_test
