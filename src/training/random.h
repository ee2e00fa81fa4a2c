// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same with every compiler and library, and that need no state in a
// checkpoint: each thing that is drawn has a stream of its own.
#pragma once

#include <cstdint>

namespace tpu::training {

/// SplitMix64 by Sebastiano Vigna.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ z >> 30U) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27U) * 0x94D049BB133111EBU;
    return z ^ z >> 31U;
  }

  /// From 0 to `bound` - 1, each as likely as the others.
  std::uint64_t Below(std::uint64_t bound) {
    // The 2^64 mod `bound` smallest numbers would make some results more likely.
    const std::uint64_t first = (0 - bound) % bound;
    std::uint64_t x = Next();
    while (x < first) x = Next();
    return x % bound;
  }

  /// From -1 to 1: the middle of one of 2^53 equal parts.
  double Symmetric() {
    constexpr double kPart = 0x1p-52;
    return (static_cast<double>(Next() >> 11U) + 0.5) * kPart - 1;
  }

 private:
  std::uint64_t state_;
};

/// What random numbers are for.
enum class Stream : std::uint64_t { kOrder = 1, kWeights = 2 };

/// The numbers for thing `index` of a kind.
inline SplitMix64 StreamOf(std::uint64_t seed, Stream stream, std::uint64_t index) {
  const std::uint64_t kind = SplitMix64(seed).Next() + static_cast<std::uint64_t>(stream);
  return SplitMix64(SplitMix64(kind).Next() + index);
}

}  // namespace tpu::training
