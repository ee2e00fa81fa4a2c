// SPDX-License-Identifier: Apache-2.0
// Single legal instructions with random fields.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>

#include "isa/hardware_config.h"
#include "isa/instruction.h"

namespace tpu::system_test {

/// Memory that random programs load from and store to, and behind it the parameter entries that
/// they load: those must be legal, so nobody writes there.
inline constexpr std::uint64_t kArenaBytes = 0x20000;
inline constexpr std::uint64_t kParameterImage = kArenaBytes;

/// Draws instructions without semaphores. Every field takes many values, also combinations that no
/// compiler makes. A few touch places that do not exist or read their own output: the caller asks
/// for footprints (asm/footprint.h) and draws again. A machine gets the formats that it has.
class InstructionSource {
 public:
  InstructionSource(const isa::HardwareConfig& config, std::uint64_t seed);

  isa::Load Load();
  isa::Store Store();
  isa::Weights Weights(std::uint32_t tiles, isa::NumberFormat format);
  isa::UbWeights UbWeights(std::uint32_t tiles, isa::NumberFormat format);
  isa::Matmul Matmul(isa::NumberFormat format);
  isa::Vector Vector();
  isa::Fvector Fvector();
  isa::Ivector Ivector();
  isa::Adam Adam();
  /// Weight tiles that callers let a MATMUL take.
  static constexpr std::uint32_t kMaxTiles = 48;

  /// Numbers that are multiplied.
  isa::NumberFormat Format();
  /// Whether the next instruction of the vector unit is to be an FVECTOR.
  bool WantsFvector() { return config_.bf16 != 0 && !OneIn(3); }
  /// Whether it is to be an ADAM instead.
  bool WantsAdam() { return OneIn(6); }
  /// Whether it is to be an IVECTOR, if it is no FVECTOR.
  bool WantsIvector() { return config_.int16 != 0 && !OneIn(3); }
  /// Whether the next tiles are to come from the unified buffer.
  bool WantsUbWeights() { return config_.bf16 != 0 && OneIn(2); }

  std::int32_t Pick(std::int32_t low, std::int32_t high) {
    return std::uniform_int_distribution<std::int32_t>(low, high)(rng_);
  }
  bool OneIn(std::int32_t n) { return Pick(1, n) == 1; }

 private:
  struct Loop {
    std::int64_t count;
    std::int64_t stride;
  };
  struct Range {
    std::int64_t low;
    std::int64_t high;
  };
  /// The rows of N numbers that an instruction of the vector unit reads or writes, and what numbers
  /// mostly lie there.
  struct Numbers {
    isa::NumberFormat format;
    std::int64_t rows;
  };
  struct Operands {
    Numbers a;
    Numbers b;
    Numbers output;
  };

  std::uint32_t PickCount(std::int32_t high) { return static_cast<std::uint32_t>(Pick(1, high)); }
  std::int32_t Place(std::initializer_list<Loop> nest, Range range, std::int64_t extent = 1);
  [[nodiscard]] bool HasWide() const { return (config_.bf16 | config_.int16) != 0; }
  isa::NumberFormat OneOf(bool wide, isa::NumberFormat last);
  Range PartFor(isa::NumberFormat format, Range whole);
  Range BufferRows(isa::NumberFormat format);
  Range HalfFor(bool floats, std::int64_t rows);
  std::uint64_t Address(isa::NumberFormat format, std::int64_t bytes);
  template <typename V>
  void Walk(V& v);
  template <typename Transfer>
  Transfer BufferTransfer();
  isa::Load ParameterLoad();
  isa::Load LookupLoad();
  void Operation(isa::Vector& v);
  void Columns(isa::Vector& v);
  void Operation(isa::Fvector& v);
  void Operation(isa::Ivector& v);
  template <typename V>
  void Strides(V& v, const Operands& operands);
  template <typename V>
  void Rows(V& v, const Operands& operands);
  template <typename V>
  void InPlace(V& v);
  template <typename I>
  void Disturb(I& instruction);

  isa::HardwareConfig config_;
  std::mt19937_64 rng_;
  Range hot_rows_;  ///< Where in the unified buffer most instructions meet.
};

/// Cycles that an instruction keeps its unit busy at least, about; bounds the length of random
/// programs.
double Work(const isa::Instruction& instruction, const isa::HardwareConfig& config);

}  // namespace tpu::system_test
