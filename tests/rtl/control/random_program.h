// SPDX-License-Identifier: Apache-2.0
// Random programs that keep the rules of docs/isa.md, section 2; what the instructions would
// compute makes no sense.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "isa/encoding.h"
#include "isa/fields.h"

namespace tpu {

class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed, isa::Formats formats = {})
      : formats_(formats), rng_(seed) {
    for (unsigned s = 0; s < isa::kNumSemaphores; ++s) {
      poster_[s] = Below(5);
      waiter_[s] = Below(5);
    }
  }

  std::vector<isa::Instruction> Make(int length) {
    std::vector<isa::Instruction> program;
    program.reserve(static_cast<std::size_t>(length));
    for (int i = 0; i < length; ++i) program.push_back(Next());
    return program;
  }

 private:
  std::uint64_t Below(std::uint64_t bound) {
    return std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(rng_);
  }

  isa::Instruction Next() {
    switch (Below(5)) {
      case 0:
        return Fill(isa::Load{});
      case 1:
        return Fill(isa::Weights{});
      case 2:
        return Fill(isa::Matmul{});
      case 3:
        if (formats_.bf16 && Below(4) == 0) return Fill(isa::Adam{});
        if (formats_.bf16 && Below(2) == 0) return Fill(isa::Fvector{});
        if (formats_.int16 && Below(2) == 0) return Fill(isa::Ivector{});
        return Fill(isa::Vector{});
      default:
        return Fill(isa::Store{});
    }
  }

  template <typename I>
  I Fill(I instruction) {
    isa::ForEachField(instruction, [this](const isa::Field& field, auto& member) {
      if (!formats_.Meet(field.requirement)) return;
      const auto low = static_cast<std::uint64_t>(field.min);
      const std::uint64_t span = field.max - low;
      const std::uint64_t offset = std::uniform_int_distribution<std::uint64_t>(0, span)(rng_);
      member = isa::FromBits<std::remove_reference_t<decltype(member)>>(low + offset);
    });
    if constexpr (std::is_same_v<I, isa::Vector>) {
      if (instruction.source == isa::VectorSource::kAccumulators) {
        instruction.map = isa::VectorMap::kCopy;
      }
    }
    if constexpr (std::is_same_v<I, isa::Load>) {
      if (instruction.destination != isa::LoadDestination::kUnifiedBuffer) instruction.format = {};
    }
    if constexpr (std::is_same_v<I, isa::Matmul>) {
      if (instruction.format != isa::NumberFormat::kInt8) {
        instruction.zero_point = 0;
        instruction.planes = 0;
      }
    }
    if constexpr (std::is_same_v<I, isa::Fvector>) {
      if (instruction.source == isa::VectorSource::kAccumulators) {
        instruction.a_format = isa::NumberFormat::kFloat32;
      }
      if (instruction.interleave != isa::FloatInterleave::kNone) {
        instruction.o_format = isa::NumberFormat::kBfloat16;
      }
    }
    if constexpr (std::is_same_v<I, isa::Ivector>) {
      const bool acc = instruction.source == isa::VectorSource::kAccumulators;
      const bool pair = instruction.a_format == isa::IntegerFormat::kPair;
      if (acc && !pair) instruction.a_format = isa::IntegerFormat::kInt32;
      if (!acc && pair) instruction.a_format = isa::IntegerFormat::kInt16;
    }
    instruction.semaphores = Semaphores(static_cast<unsigned>(isa::UnitOf(I::kOpcode)) - 1);
    return instruction;
  }

  /// Waits for some of what earlier instructions posted to this unit, posts some of the unit's own.
  isa::Semaphores Semaphores(unsigned unit) {
    isa::Semaphores masks;
    for (unsigned s = 0; s < isa::kNumSemaphores; ++s) {
      if (waiter_[s] == unit && count_[s] > 0 && Below(2) == 0) {
        masks.wait |= 1U << s;
        --count_[s];
      }
    }
    for (unsigned s = 0; s < isa::kNumSemaphores; ++s) {
      if (poster_[s] == unit && Below(3) == 0) {
        masks.post |= 1U << s;
        ++count_[s];
      }
    }
    return masks;
  }

  isa::Formats formats_;
  std::mt19937_64 rng_;
  std::array<std::uint64_t, isa::kNumSemaphores> poster_{};  ///< Unit, load = 0.
  std::array<std::uint64_t, isa::kNumSemaphores> waiter_{};
  std::array<unsigned, isa::kNumSemaphores> count_{};
};

}  // namespace tpu
