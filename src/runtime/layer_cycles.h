// How a run's cycles divide among the layers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isa/instruction.h"
#include "runtime/instruction_trace.h"

namespace tpu::runtime {

/// Cycles of each of `layers` layers in one run of a program; they sum to trace.cycles. Layers
/// overlap, so a layer is charged with the time by which it makes the program longer: from the
/// completion of all layers before it to the completion of its own last instruction. It may be 0.
/// What the machine needs to finish behind the last instruction belongs to the layer that ends
/// last. `program` and `layer_of_instruction` go together, one element per instruction. Throws
/// tpu::Error when the trace is not that of a complete run of the program.
std::vector<std::uint64_t> LayerCycles(std::span<const isa::Instruction> program,
                                       std::span<const std::uint32_t> layer_of_instruction,
                                       std::size_t layers, const ProgramTrace& trace);

}  // namespace tpu::runtime
