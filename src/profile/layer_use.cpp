// SPDX-License-Identifier: Apache-2.0
#include "profile/layer_use.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <tuple>

#include "base/error.h"
#include "isa/tiles.h"
#include "profile/report.h"

namespace tpu::profile {
namespace {

using isa::Counter;

// Cycles in which rows of the instruction enter the array.
std::uint64_t ArrayRows(const isa::Instruction& instruction) {
  const auto* matmul = std::get_if<isa::Matmul>(&instruction);
  if (matmul == nullptr) return 0;
  return isa::TileCount(*matmul) * matmul->n_oh * matmul->n_ow;
}

// The layers of a program's instructions.
std::span<const std::uint32_t> LayersOf(const executable::Executable& executable,
                                        const executable::DeviceProgram& program,
                                        std::span<const isa::Instruction> instructions) {
  return std::span(executable.layer_of_instruction)
      .subspan(program.first_instruction, instructions.size());
}

// When the last instruction of each layer completed; 0 for layers without any.
std::vector<std::uint64_t> Ends(std::span<const isa::Instruction> program,
                                std::span<const std::uint32_t> layer_of_instruction,
                                std::size_t layers, const runtime::ProgramTrace& trace) {
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

// Cuts a program's trace into stretches.
class Replay {
 public:
  explicit Replay(std::span<const runtime::EventRun> runs) : runs_(runs) {}

  // The counters from the end of the last call up to cycle `end`, or to the end of the trace.
  runtime::Counters Until(std::uint64_t end) {
    runtime::Counters counters{};
    while (now_ < end && !runs_.empty()) {
      const runtime::EventRun& run = runs_.front();
      const std::uint64_t cycles = std::min<std::uint64_t>(run.cycles - used_, end - now_);
      for (std::size_t i = 0; i < counters.size(); ++i) {
        counters.at(i) += runtime::Counts(run.events, static_cast<Counter>(i)) ? cycles : 0;
      }
      now_ += cycles;
      used_ += cycles;
      if (used_ == run.cycles) {
        used_ = 0;
        runs_ = runs_.subspan(1);
      }
    }
    return counters;
  }

 private:
  std::span<const runtime::EventRun> runs_;
  std::uint64_t used_ = 0;  // Cycles of the first run that are counted.
  std::uint64_t now_ = 0;
};

// Tells which of the rows that enter the array are useful. Rows enter in program order.
class Rows {
 public:
  Rows(const executable::Executable& executable,
       std::span<const std::vector<isa::Instruction>> programs, const runtime::Course& course)
      : layers_(executable.layers.size()) {
    const auto steps = executable.DevicePrograms();
    for (const std::uint32_t program : course.programs) {
      const std::vector<isa::Instruction>& instructions = programs[program];
      const auto layers = LayersOf(executable, *steps[program], instructions);
      for (std::size_t i = 0; i < instructions.size(); ++i) {
        const std::uint64_t rows = ArrayRows(instructions[i]);
        if (rows == 0) continue;
        queue_.push_back({layers[i], rows});
        layers_.at(layers[i]).rows += rows;
      }
    }
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      layers_[i].full_rows =
          std::min(course.layer_macs[i] / PeakMacsPerCycle(executable.config), layers_[i].rows);
    }
  }

  // Lets the next `rows` rows in; how many of them are useful. Sums over a layer are exact.
  std::uint64_t Enter(std::uint64_t rows) {
    std::uint64_t useful = 0;
    while (rows > 0) {
      if (next_ == queue_.size()) throw Error("the trace of the run has too many rows");
      Rest& rest = queue_[next_];
      const std::uint64_t part = std::min(rows, rest.rows);
      OfLayer& layer = layers_[rest.layer];
      const std::uint64_t before = layer.Useful();
      layer.entered += part;
      useful += layer.Useful() - before;
      rows -= part;
      rest.rows -= part;
      if (rest.rows == 0) ++next_;
    }
    return useful;
  }

 private:
  struct Rest {
    std::uint32_t layer = 0;
    std::uint64_t rows = 0;
  };
  struct OfLayer {
    std::uint64_t rows = 0;
    std::uint64_t full_rows = 0;
    std::uint64_t entered = 0;
    [[nodiscard]] std::uint64_t Useful() const { return full_rows * entered / rows; }
  };

  std::vector<OfLayer> layers_;
  std::vector<Rest> queue_;
  std::size_t next_ = 0;
};

}  // namespace

Use& Use::operator+=(const Use& other) {
  std::ranges::transform(counters, other.counters, counters.begin(), std::plus<>());
  useful_cycles += other.useful_cycles;
  return *this;
}

std::vector<Use> LayerUse(const executable::Executable& executable,
                          std::span<const std::vector<isa::Instruction>> programs,
                          const runtime::Course& course, const runtime::InstructionTrace& trace) {
  std::vector<Use> uses(executable.layers.size());
  Rows rows(executable, programs, course);
  const auto steps = executable.DevicePrograms();
  for (std::size_t run = 0; run < course.programs.size(); ++run) {
    const std::uint32_t program = course.programs[run];
    const runtime::ProgramTrace& times = trace.at(run);
    const std::vector<isa::Instruction>& instructions = programs[program];
    std::vector<std::uint64_t> ends =
        Ends(instructions, LayersOf(executable, *steps[program], instructions), uses.size(), times);
    const auto last = std::ranges::max_element(ends);
    if (last != ends.end()) *last = times.cycles;
    Replay replay(times.events);
    for (std::size_t layer = 0; layer < ends.size(); ++layer) {
      Use use;
      use.counters = replay.Until(ends[layer]);
      use.useful_cycles = rows.Enter(runtime::Count(use.counters, Counter::kArrayActive));
      uses[layer] += use;
    }
  }
  return uses;
}

}  // namespace tpu::profile
