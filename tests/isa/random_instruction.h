// SPDX-License-Identifier: Apache-2.0
// Random legal instructions for tests of everything that handles programs.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "isa/fields.h"

namespace tpu::isa {

/// A legal value: often one of the two ends of the field's range.
inline std::uint64_t RandomValue(const Field& field, std::mt19937_64& rng) {
  const auto min = static_cast<std::uint64_t>(field.min);
  const std::uint64_t range = field.max - min;
  switch (rng() % 4) {
    case 0:
      return min;
    case 1:
      return field.max;
    default:
      return range == ~std::uint64_t{0} ? rng() : min + rng() % (range + 1);
  }
}

template <typename I>
Instruction RandomInstruction(std::mt19937_64& rng) {
  I instruction;
  instruction.semaphores = {static_cast<std::uint32_t>(rng()), static_cast<std::uint32_t>(rng())};
  ForEachField(instruction, [&rng](const Field& field, auto& member) {
    member = FromBits<std::remove_reference_t<decltype(member)>>(RandomValue(field, rng));
  });
  if constexpr (std::is_same_v<I, Vector>) {
    if (instruction.source == VectorSource::kAccumulators) instruction.map = VectorMap::kCopy;
  }
  if constexpr (std::is_same_v<I, Load>) {
    if (instruction.destination != LoadDestination::kUnifiedBuffer) instruction.format = {};
  }
  if constexpr (std::is_same_v<I, Matmul>) {
    if (instruction.format != NumberFormat::kInt8) {
      instruction.zero_point = 0;
      instruction.planes = 0;
    }
  }
  if constexpr (std::is_same_v<I, Fvector>) {
    if (instruction.source == VectorSource::kAccumulators) {
      instruction.a_format = rng() % 2 == 0 ? NumberFormat::kFloat32 : NumberFormat::kInt32;
    }
    if (instruction.interleave != FloatInterleave::kNone) {
      instruction.o_format = NumberFormat::kBfloat16;
    }
  }
  if constexpr (std::is_same_v<I, Ivector>) {
    const bool pair = instruction.a_format == IntegerFormat::kPair;
    if (instruction.source == VectorSource::kUnifiedBuffer) {
      if (pair) instruction.a_format = IntegerFormat::kInt16;
    } else if (!pair) {
      instruction.a_format = IntegerFormat::kInt32;
    }
  }
  return instruction;
}

inline Instruction RandomInstruction(std::mt19937_64& rng) {
  switch (rng() % 9) {
    case 0:
      return RandomInstruction<Load>(rng);
    case 1:
      return RandomInstruction<Store>(rng);
    case 2:
      return RandomInstruction<Weights>(rng);
    case 3:
      return RandomInstruction<Matmul>(rng);
    case 4:
      return RandomInstruction<Vector>(rng);
    case 5:
      return RandomInstruction<UbWeights>(rng);
    case 6:
      return RandomInstruction<Ivector>(rng);
    case 7:
      return RandomInstruction<Adam>(rng);
    default:
      return RandomInstruction<Fvector>(rng);
  }
}

}  // namespace tpu::isa
