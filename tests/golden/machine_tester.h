// SPDX-License-Identifier: Apache-2.0
// A machine with random contents and a memory to run instructions from.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "golden/machine.h"
#include "isa/encoding.h"

namespace tpu::golden {

/// Small enough for tests to fill and compare everything.
inline isa::HardwareConfig SmallConfig(std::uint32_t n, isa::Formats formats = {}) {
  isa::HardwareConfig config;
  config.n = n;
  config.ub_rows = 256;
  config.acc_rows = 64;
  config.param_rows = 16;
  config.bf16 = formats.bf16 ? 1 : 0;
  config.int16 = formats.int16 ? 1 : 0;
  return config;
}

class MachineTester {
 public:
  static constexpr std::uint64_t kMemoryBytes = 1 << 16;
  static constexpr std::uint64_t kProgramAddress = 0xC000;

  /// Memory below the program, buffers and parameters are random; shifts are in [-31, 30],
  /// multipliers not negative.
  explicit MachineTester(std::uint32_t n, std::uint64_t seed, isa::Formats formats = {})
      : rng_(seed), memory_(kMemoryBytes), machine_(SmallConfig(n, formats), memory_) {
    Fill(std::span(memory_).first(kProgramAddress), 0, 255);
    Fill(state().ub.All(), -128, 127);
    Fill(state().acc.All(), std::numeric_limits<std::int32_t>::min(),
         std::numeric_limits<std::int32_t>::max());
    Fill(state().bias.All(), -(1 << 20), 1 << 20);
    Fill(state().multiplier.All(), 0, std::numeric_limits<std::int32_t>::max());
    Fill(state().shift.All(), -31, 30);
    Fill(state().lut.All(), -128, 127);
  }

  MachineTester& Add(const isa::Instruction& instruction) {
    isa::Encode(instruction, program_);
    return *this;
  }

  MachineTester& AddBytes(std::span<const std::uint8_t> bytes) {
    program_.insert(program_.end(), bytes.begin(), bytes.end());
    return *this;
  }

  /// Runs what was added since the last run.
  RunResult Run() {
    memory_.resize(std::max<std::size_t>(memory_.size(), kProgramAddress + program_.size()));
    std::ranges::copy(program_, memory_.begin() + kProgramAddress);
    const auto granules = static_cast<std::uint32_t>(program_.size() / isa::kGranuleBytes);
    program_.clear();
    return machine_.Run(kProgramAddress, granules);
  }

  void ExpectRuns() {
    const RunResult result = Run();
    EXPECT_EQ(result.error, isa::ErrorCode::kNone) << result.message;
  }

  /// Runs and expects the error of instruction `index`.
  void ExpectFails(isa::ErrorCode error, isa::Unit unit, std::uint32_t index) {
    const RunResult result = Run();
    EXPECT_EQ(isa::Name(result.error), isa::Name(error)) << result.message;
    EXPECT_EQ(isa::Name(result.unit), isa::Name(unit)) << result.message;
    EXPECT_EQ(result.instruction, index) << result.message;
  }

  /// A uniform number in [min, max].
  template <typename T>
  T Random(T min, T max) {
    return static_cast<T>(std::uniform_int_distribution<std::int64_t>(
        static_cast<std::int64_t>(min), static_cast<std::int64_t>(max))(rng_));
  }

  template <typename T, typename Limit>
  void Fill(std::span<T> values, Limit min, Limit max) {
    for (T& value : values) value = static_cast<T>(Random<std::int64_t>(min, max));
  }

  [[nodiscard]] Machine& machine() { return machine_; }
  [[nodiscard]] State& state() { return machine_.state(); }
  [[nodiscard]] std::vector<std::uint8_t>& memory() { return memory_; }

 private:
  std::mt19937_64 rng_;
  std::vector<std::uint8_t> memory_;
  std::vector<std::uint8_t> program_;
  Machine machine_;
};

template <typename T>
std::vector<T> Copy(std::span<T> values) {
  return {values.begin(), values.end()};
}

}  // namespace tpu::golden
