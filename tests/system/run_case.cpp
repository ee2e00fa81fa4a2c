// SPDX-License-Identifier: Apache-2.0
#include "tests/system/run_case.h"

#include <algorithm>
#include <random>
#include <vector>

#include "base/error.h"
#include "devices/golden/golden_device.h"
#include "tests/system/difference.h"

namespace tpu::system_test {
namespace {

std::array<std::uint64_t, 6> CyclesByUnits(const runtime::ProgramTrace& trace) {
  std::vector<int> change(trace.cycles + 2);
  for (const runtime::UnitTrace& unit : trace.units) {
    std::uint64_t idle_from = 0;
    for (std::size_t k = 0; k < unit.completed.size(); ++k) {
      ++change[std::max(unit.started[k], idle_from)];
      --change[unit.completed[k]];
      idle_from = unit.completed[k];
    }
  }
  std::array<std::uint64_t, 6> cycles{};
  int units = 0;
  for (std::uint64_t cycle = 1; cycle <= trace.cycles; ++cycle) {
    units += change[cycle];
    ++cycles[static_cast<std::size_t>(units)];
  }
  return cycles;
}

devices::RtlOptions RandomMemory(std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  const auto one_of = [&rng](const auto& values) { return values[rng() % values.size()]; };
  constexpr std::array<unsigned, 5> kLatencies = {1, 4, 16, 64, 250};
  constexpr std::array<double, 4> kPauses = {0, 0.05, 0.3, 0.8};
  devices::RtlOptions options;
  options.reset_seed = seed;
  options.memory_latency = one_of(kLatencies);
  options.response_latency = one_of(kLatencies);
  if (rng() % 4 != 0) {
    options.stall_seed = seed;
    options.stalls = {.ar = one_of(kPauses),
                      .r = one_of(kPauses),
                      .aw = one_of(kPauses),
                      .w = one_of(kPauses),
                      .b = one_of(kPauses)};
    options.ready_after_valid = rng() % 4 == 0;
  }
  return options;
}

}  // namespace

Case DrawCase(std::uint64_t seed, std::span<const devices::Machine> machines) {
  const devices::Machine& machine = machines[seed % machines.size()];
  const int instructions = 20 + static_cast<int>(std::mt19937_64(seed)() % 280);
  return {machine, RandomMemory(seed), MakeRandomProgram(machine.config, instructions, seed)};
}

CaseResult RunCase(const Case& c) {
  CaseResult result;
  const executable::Executable executable = ToExecutable(c.program);
  devices::GoldenDevice golden(c.machine.config);
  const auto device = c.machine.make(c.memory);
  runtime::InstructionTrace trace;
  device->TraceInstructions(&trace);
  try {
    result.failure = FindDifference(golden, *device, executable, {}, result.report);
  } catch (const Error& error) {
    result.failure = error.what();
  }
  if (result.failure.empty()) result.cycles_by_units = CyclesByUnits(trace.at(1));
  return result;
}

}  // namespace tpu::system_test
