#include "tools/tpu/timeline.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "executable_file/executable_file.h"

namespace tpu::tools {
namespace {

using Json = nlohmann::ordered_json;
using Units = decltype(runtime::ProgramTrace::units);

void NameTracks(Json& events) {
  for (std::size_t unit = 1; unit < std::tuple_size_v<Units>; ++unit) {
    events.push_back({{"name", "thread_name"},
                      {"ph", "M"},
                      {"pid", 0},
                      {"tid", unit},
                      {"args", {{"name", isa::Name(static_cast<isa::Unit>(unit))}}}});
  }
}

void AddProgram(Json& events, const isa::Executable& executable, const isa::DeviceProgram& program,
                const runtime::ProgramTrace& trace, std::uint64_t begin) {
  std::array<std::size_t, std::tuple_size_v<Units>> next{};
  const std::vector<isa::Instruction> instructions =
      executable_file::Instructions(executable, program);
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const auto unit = static_cast<std::size_t>(isa::UnitOf(isa::OpcodeOf(instructions[i])));
    const runtime::UnitTrace& times = trace.units.at(unit);
    const std::size_t k = next.at(unit)++;
    const std::uint64_t before = k == 0 ? 0 : times.completed.at(k - 1);
    const std::uint64_t start = std::max(times.started.at(k), before);
    const isa::Layer& layer =
        executable.layers[executable.layer_of_instruction[program.first_instruction + i]];
    events.push_back({{"name", fmt::format("{} {}", layer.name, layer.op)},
                      {"ph", "X"},
                      {"pid", 0},
                      {"tid", unit},
                      {"ts", begin + start},
                      {"dur", times.completed.at(k) - start},
                      {"args", {{"instruction", i}}}});
  }
}

}  // namespace

Json Timeline(const isa::Executable& executable, const runtime::InstructionTrace& trace) {
  Json events = Json::array();
  NameTracks(events);
  std::uint64_t begin = 0;
  std::size_t run = 0;
  for (const isa::Step& step : executable.steps) {
    const auto* program = std::get_if<isa::DeviceProgram>(&step);
    if (program == nullptr) continue;
    AddProgram(events, executable, *program, trace.at(run), begin);
    begin += trace[run++].cycles;
  }
  return {{"traceEvents", std::move(events)}};
}

}  // namespace tpu::tools
