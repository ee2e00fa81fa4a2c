// From a sequential list of instructions to a program whose units run freely: finds the conflicts
// between instructions and orders them with semaphores.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/instruction.h"

namespace tpu::compiler {

enum class Space : std::uint8_t { kUnifiedBuffer, kAccumulators, kParameters, kLookup, kMemory };
inline constexpr std::size_t kNumSpaces = 5;

/// Rows (UB, accumulators, parameters, tables) or bytes (memory) [begin, end) that an instruction
/// reads or writes. May cover more than what is really touched, never less.
struct Access {
  Space space = Space::kUnifiedBuffer;
  bool write = false;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// An instruction without semaphores, in an order in which execution one by one is right.
/// Memory that no instruction writes (constants) needs no access.
struct SequentialInstruction {
  isa::Instruction instruction;
  std::vector<Access> accesses;
  std::uint32_t layer = 0;
};

/// Sets the wait and post masks so that every pair of conflicting instructions is ordered
/// (docs/isa.md, 2 and 8), with no wait that others already imply. Keeps the order of the list.
void Synchronize(std::vector<SequentialInstruction>& program);

}  // namespace tpu::compiler
