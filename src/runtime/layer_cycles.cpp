#include "runtime/layer_cycles.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace tpu::runtime {
namespace {

// When the last instruction of each layer completed; 0 for layers without any.
std::vector<std::uint64_t> Ends(std::span<const isa::Instruction> program,
                                std::span<const std::uint32_t> layer_of_instruction,
                                std::size_t layers, const ProgramTrace& trace) {
  std::vector<std::uint64_t> ends(layers, 0);
  std::array<std::size_t, std::tuple_size_v<decltype(trace.units)>> next{};
  for (std::size_t i = 0; i < program.size(); ++i) {
    const auto unit = static_cast<std::size_t>(isa::UnitOf(isa::OpcodeOf(program[i])));
    const std::vector<std::uint64_t>& completed = trace.units.at(unit).completed;
    if (next.at(unit) == completed.size()) {
      throw Error::Format("the trace of the run lacks the completion of instruction {}", i);
    }
    std::uint64_t& end = ends.at(layer_of_instruction[i]);
    end = std::max(end, completed[next.at(unit)++]);
  }
  return ends;
}

}  // namespace

std::vector<std::uint64_t> LayerCycles(std::span<const isa::Instruction> program,
                                       std::span<const std::uint32_t> layer_of_instruction,
                                       std::size_t layers, const ProgramTrace& trace) {
  std::vector<std::uint64_t> cycles = Ends(program, layer_of_instruction, layers, trace);
  std::uint64_t end = 0;
  std::size_t last = 0;
  for (std::size_t layer = 0; layer < cycles.size(); ++layer) {
    const std::uint64_t own_end = cycles[layer];
    cycles[layer] = own_end > end ? own_end - end : 0;
    if (own_end <= end) continue;
    end = own_end;
    last = layer;
  }
  if (!cycles.empty()) cycles[last] += trace.cycles - end;
  return cycles;
}

}  // namespace tpu::runtime
