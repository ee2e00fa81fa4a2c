// SPDX-License-Identifier: Apache-2.0
// The vector unit with bf16 beside the golden model: random FVECTORs and ADAMs, memories of
// numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "Vtpu_fvector_n4.h"
#include "Vtpu_fvector_n8.h"
#include "line_bench.h"

namespace tpu::vector_test {

using isa::FloatFunction;
using isa::FloatMap;
using isa::FloatOperand;
using isa::FloatReduce;
using isa::Fvector;
using isa::NumberFormat;
using isa::VectorSource;

/// Rows of parameters of an ADAM, and UB rows that one of its tensors may take.
inline constexpr std::uint32_t kAdamRows = 11;
inline constexpr std::uint32_t kAdamSpace = 4 * kAdamRows + 12;

class Generator : public LoopGenerator {
 public:
  using LoopGenerator::LoopGenerator;

  Any Next() {
    if (Pick(3) == 0) return NextVector();
    if (Pick(6) == 0) return NextAdam();
    return NextFvector();
  }

  Fvector NextFvector() {
    Fvector v;
    v.source = Pick(3) == 0 ? VectorSource::kAccumulators : VectorSource::kUnifiedBuffer;
    v.operand = Pick(4) == 0 ? FloatOperand::kConstant : FloatOperand::kUnifiedBuffer;
    v.a_format = v.source == VectorSource::kAccumulators
                     ? (Pick(3) == 0 ? NumberFormat::kInt32 : NumberFormat::kFloat32)
                     : static_cast<NumberFormat>(Pick(4));
    v.b_format = static_cast<NumberFormat>(Pick(4));
    v.o_format = static_cast<NumberFormat>(Pick(4));
    if (Pick(4) == 0) {
      v.o_format = NumberFormat::kBfloat16;
      v.interleave = static_cast<isa::FloatInterleave>(1 + Pick(2));
    }
    v.map = static_cast<FloatMap>(Pick(13));
    v.reduce = static_cast<FloatReduce>(Pick(3));
    v.scale = Pick(2);
    v.function = static_cast<FloatFunction>(Pick(2) == 0 ? Pick(3) : Pick(9));
    v.constant = Word();
    v.lo = Pick(3) == 0 ? Word() : 0xFF800000;
    v.hi = Pick(3) == 0 ? Word() : 0x7F800000;
    Window(v);
    v.param_row = kFloatEntries + Pick(4);
    v.param_stride = Pick(2);
    const bool acc = v.source == VectorSource::kAccumulators;
    Addresses(v, acc ? std::int64_t{kAccRows} : kOutBase - 3, kOutBase - 3, kOutRows - 3);
    return v;
  }

  /// No instruction reads what the one before has just written. The last rows of the buffer are
  /// left out.
  isa::Adam NextAdam() {
    isa::Adam adam;
    adam.rows = 1 + Pick(Pick(4) == 0 ? kAdamRows : 3);
    // The places of two tensors in a part of the buffer.
    const auto places = [this](std::int64_t begin) {
      std::array<std::uint32_t, 3> numbers = {0, 1, 2};
      std::ranges::shuffle(numbers, rng());
      const auto place = [&](std::uint32_t number) {
        return static_cast<std::uint32_t>(begin) + kAdamSpace * number + Pick(9);
      };
      return std::pair(place(numbers[0]), place(numbers[1]));
    };
    const auto [squares, moments] = places(kOutBase + kOutRows);
    const auto [gradients, weights] = places(0);
    adam.squares = squares;
    adam.to_moments = static_cast<std::int32_t>(moments - squares);
    adam.gradients = gradients;
    adam.to_weights = static_cast<std::int32_t>(weights - gradients);
    adam.output = places(kOutBase).first;
    adam.param_row = kFloatEntries + Pick(kParamRows - kFloatEntries);
    adam.moment_factor = Word();
    adam.square_scale = Word();
    adam.moment_scale = Word();
    return adam;
  }

  /// One of an instruction's rows out of range, often only its last line, or late in the loops.
  void Spoil(Fvector& v) {
    const bool acc = v.source == VectorSource::kAccumulators;
    const auto a_rows = static_cast<std::int32_t>(acc ? kAccRows : kUbRows);
    const auto near = [this](std::int32_t rows) {
      return Pick(4) == 0 ? -Between(1, 5) : rows - Between(-1, 5);
    };
    switch (Pick(6)) {
      case 0:
        v.a_row = near(a_rows);
        break;
      case 1:
        v.b_row = near(kUbRows);
        break;
      case 2:
        v.param_row = kParamRows - Pick(2);
        v.param_stride = 1 + Pick(3);
        break;
      case 3:
        v.o_row = kUbRows - Pick(12);
        break;
      case 4:
        v.a_row = near(a_rows);
        v.param_row = kParamRows;
        break;
      default:
        v.o_row = kUbRows - Pick(5);
        v.b_row = near(kUbRows);
    }
  }

  void Spoil(isa::Adam& adam) {
    const auto near = [this] { return kUbRows - kAdamSpace + Pick(2 * kAdamSpace); };
    switch (Pick(6)) {
      case 0:
        adam.squares = near();
        break;
      case 1:
        adam.gradients = near();
        break;
      case 2:
        adam.to_moments = static_cast<std::int32_t>(near() - adam.squares);
        break;
      case 3:
        adam.to_weights = -static_cast<std::int32_t>(adam.gradients + 1 + Pick(9));
        break;
      case 4:
        adam.param_row = kParamRows + Pick(9);
        break;
      default:
        adam.output = near();
    }
  }

  /// Often a number of moderate size.
  std::uint32_t Word() {
    const auto bits = static_cast<std::uint32_t>(rng()());
    constexpr std::array<std::uint32_t, 8> kSpecial = {
        0, 0x80000000, 0x3F800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x00000001, 0x7F7FFFFF};
    if (Pick(8) == 0) return kSpecial[Pick(8)];
    if (Pick(8) == 0) return bits;
    return (bits & 0x807FFFFF) | (120 + Pick(14)) << 23;
  }
};

// Numbers mostly of moderate size.
inline void FillFloats(std::uint64_t seed, Memories& memories) {
  Generator generator(seed);
  for (auto& row : memories.ub) {
    for (std::size_t i = 0; i < row.size(); i += 4) {
      const std::uint32_t word = generator.Word();
      std::memcpy(row.data() + i, &word, 4);
    }
  }
  for (auto& row : memories.acc) {
    for (auto& word : row) {
      if (generator.Pick(3) != 0) word = static_cast<std::int32_t>(generator.Word());
    }
  }
  for (std::size_t e = kFloatEntries; e < kParamRows; ++e) {
    for (std::size_t i = 0; i < memories.params[e].bias.size(); ++i) {
      memories.params[e].bias[i] = static_cast<std::int32_t>(generator.Word());
      memories.params[e].multiplier[i] = static_cast<std::int32_t>(generator.Word());
    }
  }
}

template <typename BenchT>
class FloatPair : public Pair<BenchT> {
 public:
  explicit FloatPair(std::uint64_t seed)
      : Pair<BenchT>(seed, [seed](Memories& memories) { FillFloats(seed, memories); }) {}
};

// Rows of one format of a single byte may follow each other in every cycle.
using BenchN4 = Bench<Vtpu_fvector_n4, 4>;
using BenchN8 = Bench<Vtpu_fvector_n8, 8>;

}  // namespace tpu::vector_test
