// SPDX-License-Identifier: Apache-2.0
// Floating-point numbers in a machine's memories, computed with by the host (docs/isa.md, 10).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "machine_tester.h"
#include "tests/arithmetic/float_oracle.h"

namespace tpu::golden {

inline constexpr auto kInt8 = isa::NumberFormat::kInt8;
inline constexpr auto kBf16 = isa::NumberFormat::kBfloat16;
inline constexpr auto kFp32 = isa::NumberFormat::kFloat32;
inline constexpr auto kInt32 = isa::NumberFormat::kInt32;

inline std::int64_t Coordinate20(std::int64_t value) {
  value &= 0xFFFFF;
  return value >= 0x80000 ? value - 0x100000 : value;
}

inline float OfWord(std::uint32_t word) { return std::bit_cast<float>(word); }
inline std::uint32_t ToWord(float number) { return std::bit_cast<std::uint32_t>(number); }

inline const float kNan = OfWord(0x7FC00000);
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Flushed, and NaN as the machine makes it.
inline float Clean(float x) { return std::isnan(x) ? kNan : float_oracle::Flushed(x); }

inline std::size_t RowsOf(isa::NumberFormat format) {
  constexpr std::size_t kRows[] = {1, 2, 4, 4};
  return kRows[static_cast<std::size_t>(format)];
}

/// The number at the start of little-endian bytes.
inline float NumberAt(isa::NumberFormat format, const std::int8_t* bytes) {
  std::uint32_t word = 0;
  for (std::size_t b = 0; b < RowsOf(format); ++b) {
    word |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(bytes[b])) << (8 * b);
  }
  switch (format) {
    case isa::NumberFormat::kInt8:
      return bytes[0];
    case isa::NumberFormat::kBfloat16:
      return Clean(OfWord(word << 16));
    case isa::NumberFormat::kFloat32:
      return Clean(OfWord(word));
    case isa::NumberFormat::kInt32:
      break;
  }
  return static_cast<float>(static_cast<std::int32_t>(word));
}

/// The word that a number becomes; the format's bytes of it count.
inline std::uint32_t WordOf(isa::NumberFormat format, float x) {
  const auto integer = [x](double least, double most) {
    if (std::isnan(x)) return std::uint32_t{0};
    const double nearest = std::nearbyint(double{x});
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(std::clamp(nearest, least, most)));
  };
  switch (format) {
    case isa::NumberFormat::kInt8:
      return integer(-128, 127);
    case isa::NumberFormat::kInt32:
      return integer(-2147483648.0, 2147483647.0);
    case isa::NumberFormat::kFloat32:
      return ToWord(x);
    case isa::NumberFormat::kBfloat16:
      break;
  }
  if (std::isnan(x) || std::isinf(x) || x == 0) return ToWord(x) >> 16;
  // To eight bits in front of the point.
  int exponent = 0;
  const double significand = std::frexp(double{x}, &exponent);
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(significand, 8)), exponent - 8);
  return ToWord(static_cast<float>(rounded)) >> 16;
}

/// Random bytes that are numbers of similar size in each format, with some of every other kind.
inline void FillWithNumbers(MachineTester& t, std::span<std::uint8_t> bytes) {
  constexpr std::uint8_t kHigh[] = {0x3E, 0x3F, 0x3F, 0x40, 0x40, 0x41, 0xBE, 0xBF,
                                    0xBF, 0xC0, 0xC0, 0xC1, 0x3F, 0xBF, 0x40, 0xC0};
  constexpr std::uint8_t kStrange[] = {0x00, 0x80, 0x7F, 0xFF};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = t.Random<std::uint8_t>(0, 255);
    if (i % 2 == 0) continue;
    const bool strange = t.Random<int>(0, 199) == 0;
    bytes[i] =
        strange ? kStrange[t.Random<std::size_t>(0, 3)] : kHigh[t.Random<std::size_t>(0, 15)];
  }
}

template <typename T>
std::span<std::uint8_t> RawBytes(std::span<T> values) {
  return {reinterpret_cast<std::uint8_t*>(values.data()), values.size_bytes()};
}

/// A machine with bf16 whose memories are full of such numbers.
class FloatTester : public MachineTester {
 public:
  FloatTester(std::uint32_t n, std::uint64_t seed) : MachineTester(n, seed, {.bf16 = true}) {
    FillWithNumbers(*this, std::span(memory()).first(kProgramAddress));
    FillWithNumbers(*this, RawBytes(state().ub.All()));
    FillWithNumbers(*this, RawBytes(state().acc.All()));
    FillWithNumbers(*this, RawBytes(state().bias.All()));
    FillWithNumbers(*this, RawBytes(state().multiplier.All()));
  }

  /// Writes a number to a lane of the numbers from a UB row on.
  void Set(isa::NumberFormat format, std::size_t row, std::size_t lane, std::uint32_t word) {
    for (std::size_t b = 0; b < RowsOf(format); ++b) {
      const std::size_t byte = row * state().config.n + lane * RowsOf(format) + b;
      state().ub.All()[byte] = static_cast<std::int8_t>(word >> (8 * b));
    }
  }

  /// The word of such a number.
  std::uint32_t Get(isa::NumberFormat format, std::size_t row, std::size_t lane) {
    std::uint32_t word = 0;
    for (std::size_t b = 0; b < RowsOf(format); ++b) {
      const std::size_t byte = row * state().config.n + lane * RowsOf(format) + b;
      word |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(state().ub.All()[byte]))
              << (8 * b);
    }
    return word;
  }
};

}  // namespace tpu::golden
