// SPDX-License-Identifier: Apache-2.0
// A network as lowering leaves it: instructions without semaphores, in an order in which execution
// one by one is right, and what the host does between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "compiler/program/memory.h"
#include "executable/executable.h"
#include "isa/hardware_config.h"
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

/// Memory that no instruction writes (constants) needs no access.
struct SequentialInstruction {
  isa::Instruction instruction;
  std::vector<Access> accesses;
  std::uint32_t layer = 0;
};

/// The instructions that the device runs between two steps of the host.
using SequentialProgram = std::vector<SequentialInstruction>;

using SequentialStep =
    std::variant<SequentialProgram, executable::HostCall, executable::Branch, executable::Loop>;

struct SequentialNetwork {
  explicit SequentialNetwork(const isa::HardwareConfig& machine)
      : config(machine), memory(machine.axi_addr_width) {}

  isa::HardwareConfig config;
  Memory memory;
  std::vector<executable::Layer> layers;
  std::vector<executable::Segment> constants;
  std::vector<executable::State> states;  ///< Inside of branches and loops.
  /// No program is empty.
  std::vector<SequentialStep> steps;
};

}  // namespace tpu::compiler
