// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "isa/element_format.h"
#include "runtime/config.h"
#include "runtime/session.h"
#include "tests/system/fault_kinds.h"
#include "tests/system/program.h"

namespace tpu::system_test {
namespace {

using isa::ErrorCode;
using isa::Unit;

/// Bytes that one instruction reads or writes, or that hold it.
struct Piece {
  const char* kind;
  std::uint64_t begin;
  std::uint64_t end;
  Outcome expected;
};

/// Of the busy program, whose transfers are contiguous.
std::vector<Piece> Pieces(const isa::HardwareConfig& config) {
  std::vector<Piece> pieces;
  std::uint64_t granule = kProgramAddress;
  std::uint32_t index = 0;
  for (const isa::Instruction& instruction : BusyProgram(config)) {
    const std::uint64_t next =
        granule + isa::kGranuleBytes * isa::Granules(isa::OpcodeOf(instruction));
    pieces.push_back(
        {"fetch", granule, next, Stopped(ErrorCode::kBusRead, Unit::kFrontend, index)});
    granule = next;
    if (const auto* l = std::get_if<isa::Load>(&instruction)) {
      pieces.push_back({"load", l->dram_addr, l->dram_addr + l->rows * l->row_bytes,
                        Stopped(ErrorCode::kBusRead, Unit::kLoad, index)});
    } else if (const auto* w = std::get_if<isa::Weights>(&instruction)) {
      pieces.push_back(
          {"weights", w->dram_addr,
           w->dram_addr + static_cast<std::uint64_t>(isa::TileBytes(w->format, config)),
           Stopped(ErrorCode::kBusRead, Unit::kWeights, index)});
    } else if (const auto* s = std::get_if<isa::Store>(&instruction)) {
      pieces.push_back({"write", s->dram_addr, s->dram_addr + s->rows * s->row_bytes,
                        Stopped(ErrorCode::kBusWrite, Unit::kStore, index)});
    }
    ++index;
  }
  return pieces;
}

void FailBeat(FaultBench& bench, std::uint64_t address, tb::AxiResponse response,
              const Outcome& expected) {
  bench.Load(bench.busy());
  bench.device().FailRange(address, address + 1, response);
  bench.Start();
  const Outcome outcome = bench.Wait();
  bench.device().ForgetFaults();
  FaultBench::Expect(expected, outcome);
}

struct Instructions {
  std::vector<std::uint32_t> index;  ///< Program indices of a unit's instructions.
  std::size_t started = 0;
  std::size_t completed = 0;
};
using ByUnit = std::array<Instructions, 6>;

ByUnit Progress(const isa::HardwareConfig& config, const runtime::ProgramTrace& trace) {
  ByUnit units;
  std::uint32_t index = 0;
  for (const isa::Instruction& i : BusyProgram(config)) {
    units[static_cast<std::size_t>(isa::UnitOf(isa::OpcodeOf(i)))].index.push_back(index++);
  }
  for (std::size_t u = 0; u < units.size(); ++u) {
    units[u].started = trace.units[u].started.size();
    units[u].completed = trace.units[u].completed.size();
  }
  return units;
}

/// The semaphores of the busy program that are above zero.
std::uint32_t RaisedSemaphores(const std::vector<isa::Instruction>& program, const ByUnit& units) {
  std::array<int, isa::kNumSemaphores> counts{};
  const auto add = [&counts](std::uint32_t mask, int value) {
    for (std::size_t s = 0; s < counts.size(); ++s) counts[s] += (mask >> s & 1) != 0 ? value : 0;
  };
  for (const Instructions& unit : units) {
    for (std::size_t i = 0; i < unit.started; ++i) {
      const isa::Semaphores& semaphores = isa::SemaphoresOf(program[unit.index[i]]);
      add(semaphores.wait, -1);
      if (i < unit.completed) add(semaphores.post, 1);
    }
  }
  std::uint32_t raised = 0;
  for (std::size_t s = 0; s < counts.size(); ++s) raised |= (counts[s] > 0 ? 1U : 0U) << s;
  return raised;
}

/// What docs/isa.md, 9 says a timeout names, when all instructions have been decoded.
Outcome ExpectedTimeout(const isa::HardwareConfig& config, const ByUnit& units) {
  const std::vector<isa::Instruction> program = BusyProgram(config);
  const std::uint32_t raised = RaisedSemaphores(program, units);
  for (std::size_t u = 1; u < units.size(); ++u) {
    if (units[u].started == units[u].index.size()) continue;
    const std::uint32_t head = units[u].index[units[u].started];
    if ((isa::SemaphoresOf(program[head]).wait & ~raised) != 0) {
      return Stopped(ErrorCode::kSemTimeout, static_cast<Unit>(u), head);
    }
  }
  for (std::size_t u = 1; u < units.size(); ++u) {
    if (units[u].completed < units[u].index.size()) {
      return Stopped(ErrorCode::kBusTimeout, static_cast<Unit>(u),
                     units[u].index[units[u].completed]);
    }
  }
  return Completed();
}

/// Only instructions that have been fetched can wait for semaphores.
void RequireTimeout(const Outcome& outcome) {
  if (outcome.code == ErrorCode::kBusTimeout) return;
  if (outcome.code == ErrorCode::kSemTimeout && outcome.unit != Unit::kFrontend) return;
  throw Error::Format("ended with {}, expected a timeout", Describe(outcome));
}

/// The program may have made its last request of the dead channel.
void RequireDoneOrTimeout(const Outcome& outcome) {
  if (!outcome.done) RequireTimeout(outcome);
}

/// The busy program on a memory of which a channel goes dead after so many cycles.
Outcome RunUntilDead(FaultBench& bench, tb::AxiChannel channel, std::uint64_t cycles) {
  bench.Load(bench.busy());
  bench.Start();
  bench.device().Advance(cycles);
  bench.device().StopChannel(channel);
  return bench.Wait();
}

void StopChannel(FaultBench& bench, tb::AxiChannel channel, std::uint64_t cycles) {
  devices::RtlDevice& device = bench.device();
  runtime::InstructionTrace trace;
  device.TraceInstructions(&trace);
  const Outcome outcome = RunUntilDead(bench, channel, cycles);
  device.TraceInstructions(nullptr);
  device.StopAnswering(false);
  const ByUnit units = Progress(bench.config(), trace.back());
  const std::uint64_t fetched =
      runtime::Count(runtime::ReadCounters(device), isa::Counter::kFetchBeats);
  const std::uint64_t program_bytes =
      std::get<executable::DeviceProgram>(bench.busy().steps[0]).granules *
      std::uint64_t{isa::kGranuleBytes};
  if (fetched * bench.config().axi_data_width / 8 < program_bytes) {
    // What has not been fetched cannot wait. The front end may be the one that is blocked.
    RequireTimeout(outcome);
  } else {
    FaultBench::Expect(ExpectedTimeout(bench.config(), units), outcome);
  }
  // The memory is back: what is outstanding ends.
  constexpr std::uint64_t kDrainCycles = 1000;
  device.Advance(kDrainCycles);
}

/// A channel is dead until the machine has given up. What is unanswered by then comes `delay`
/// cycles later, while the next programs run.
void AnswerLate(FaultBench& bench, tb::AxiChannel channel, std::uint64_t cycles,
                std::uint64_t delay) {
  devices::RtlDevice& device = bench.device();
  RequireDoneOrTimeout(RunUntilDead(bench, channel, cycles));
  device.StopAnswering(false);
  device.DelayUnanswered(delay);
  const std::uint64_t due = device.cycles() + delay;
  do {
    bench.ExpectWorks();
  } while (device.cycles() < due);
}

/// A channel is dead, and stays so while the next program is started. `lost`: what the memory has
/// accepted of that one's requests and the first one's is never answered.
void StartOnDeadBus(FaultBench& bench, tb::AxiChannel channel, std::uint64_t cycles, bool lost) {
  devices::RtlDevice& device = bench.device();
  RequireDoneOrTimeout(RunUntilDead(bench, channel, cycles));
  if (lost) device.ForgetUnanswered();
  bench.Start();
  RequireTimeout(bench.Wait());
  device.StopAnswering(false);
  constexpr std::uint64_t kDrainCycles = 1000;
  device.Advance(kDrainCycles);
  bench.ExpectWorks();
  // One epoch may owe answers for ever; the next fault of this kind would block the other one.
  if (lost) device.HardReset();
}

}  // namespace

std::vector<Fault> BusFaults(const FaultBench& bench) {
  std::vector<Fault> faults;
  const std::uint64_t beat = bench.config().axi_data_width / 8;
  for (const Piece& piece : Pieces(bench.config())) {
    for (std::uint64_t address = piece.begin; address < piece.end; address += beat) {
      for (const auto response : {tb::AxiResponse::kSlaveError, tb::AxiResponse::kDecodeError}) {
        const bool slave = response == tb::AxiResponse::kSlaveError;
        faults.push_back({fmt::format("{} on {}", slave ? "SLVERR" : "DECERR", piece.kind),
                          fmt::format("address 0x{:x}", address),
                          [address, response, expected = piece.expected](FaultBench& b) {
                            FailBeat(b, address, response, expected);
                          }});
      }
    }
  }
  constexpr std::array kChannels = {"AR", "R", "AW", "W", "B"};
  constexpr std::uint64_t kTimes = 12;
  for (std::size_t channel = 0; channel < kChannels.size(); ++channel) {
    for (std::uint64_t time = 0; time < kTimes; ++time) {
      const std::uint64_t cycles = (time * bench.busy_cycles() + channel) / kTimes;
      faults.push_back({fmt::format("{} goes dead", kChannels[channel]),
                        fmt::format("after {} cycles", cycles), [channel, cycles](FaultBench& b) {
                          StopChannel(b, static_cast<tb::AxiChannel>(channel), cycles);
                        }});
      for (const bool lost : {false, true}) {
        faults.push_back(
            {fmt::format("start on a dead {}{}", kChannels[channel], lost ? ", answers lost" : ""),
             fmt::format("after {} cycles", cycles), [channel, cycles, lost](FaultBench& b) {
               StartOnDeadBus(b, static_cast<tb::AxiChannel>(channel), cycles, lost);
             }});
      }
    }
  }
  constexpr std::array<std::uint64_t, 11> kDelays = {1,   2,   3,    5,    10,   30,
                                                     100, 300, 1000, 3000, 10000};
  for (const auto channel : {tb::AxiChannel::kR, tb::AxiChannel::kB}) {
    for (std::uint64_t time = 0; time < kTimes; ++time) {
      // The program reads in its first half and writes in its second one.
      const std::uint64_t half = channel == tb::AxiChannel::kR ? 0 : bench.busy_cycles() / 2;
      const std::uint64_t cycles = half + time * bench.busy_cycles() / (2 * kTimes);
      for (const std::uint64_t delay : kDelays) {
        faults.push_back(
            {fmt::format("late answers on {}", kChannels[static_cast<std::size_t>(channel)]),
             fmt::format("dead after {} cycles, {} late", cycles, delay),
             [channel, cycles, delay](FaultBench& b) { AnswerLate(b, channel, cycles, delay); }});
      }
    }
  }
  return faults;
}

}  // namespace tpu::system_test
