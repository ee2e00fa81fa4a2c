// SPDX-License-Identifier: Apache-2.0
#include "golden/machine.h"

#include <algorithm>
#include <limits>

#include "golden/execute.h"
#include "isa/encoding.h"

namespace tpu::golden {
namespace {

const isa::HardwareConfig& Checked(const isa::HardwareConfig& config) {
  for (const std::uint32_t n : {4U, 8U, 16U, 32U, 64U}) {
    if (config.n == n) return config;
  }
  throw Error::Format("array size {} is not supported, use 4, 8, 16, 32 or 64", config.n);
}

/// Runs `body`; turns a Fault in it into `result`. Returns whether there was none.
template <typename Body>
bool Attempt(isa::Unit unit, std::string_view what, RunResult& result, Body body) {
  try {
    body();
    return true;
  } catch (const Fault& fault) {
    result.error = fault.code();
    result.unit = unit;
    result.message = fmt::format("instruction {} ({}): {}: {}", result.instruction, what,
                                 isa::Name(fault.code()), fault.what());
    return false;
  }
}

/// The instructions of a program in memory, one after the other.
class Fetcher {
 public:
  Fetcher(const State& state, std::uint64_t address, std::uint32_t granules)
      : state_(state), address_(address), granules_(granules) {}

  [[nodiscard]] bool done() const { return granules_ == 0; }

  isa::Instruction Next() {
    std::vector<std::uint8_t> bytes;
    FetchGranule(bytes);
    const isa::Formats formats = isa::FormatsOf(state_.config);
    auto decoded = isa::Decode(bytes, formats);
    if (IsTruncated(decoded) && granules_ > 0) {
      FetchGranule(bytes);
      decoded = isa::Decode(bytes, formats);
    }
    if (const auto* error = std::get_if<isa::DecodeError>(&decoded)) {
      throw Fault(error->code, error->message);
    }
    return std::get<isa::Decoded>(decoded).instruction;
  }

 private:
  static bool IsTruncated(const std::variant<isa::Decoded, isa::DecodeError>& decoded) {
    const auto* error = std::get_if<isa::DecodeError>(&decoded);
    return error != nullptr && error->code == isa::ErrorCode::kTruncated;
  }

  void FetchGranule(std::vector<std::uint8_t>& bytes) {
    const std::size_t old_size = bytes.size();
    bytes.resize(old_size + isa::kGranuleBytes);
    ReadMemory(state_, address_, std::span(bytes).subspan(old_size));
    address_ += isa::kGranuleBytes;
    --granules_;
  }

  const State& state_;
  std::uint64_t address_;
  std::uint32_t granules_;
};

/// Takes one from each semaphore of `mask`. In program order a post that has not happened yet never
/// will.
void Wait(std::uint32_t mask, State& state) {
  for (unsigned s = 0; s < isa::kNumSemaphores; ++s) {
    if ((mask >> s & 1) == 0) continue;
    if (state.semaphores[s] == 0) {
      throw Fault(
          isa::ErrorCode::kSemTimeout,
          fmt::format("waits for semaphore {}, which no earlier instruction posts often enough",
                      s));
    }
    --state.semaphores[s];
  }
}

void Post(std::uint32_t mask, State& state) {
  for (unsigned s = 0; s < isa::kNumSemaphores; ++s) {
    if ((mask >> s & 1) == 0) continue;
    if (state.semaphores[s] == isa::kMaxSemaphore) {
      throw Fault(isa::ErrorCode::kSemOverflow,
                  fmt::format("posts semaphore {} above {}", s, isa::kMaxSemaphore));
    }
    ++state.semaphores[s];
  }
}

void Step(const isa::Instruction& instruction, State& state) {
  const isa::Semaphores& semaphores = isa::SemaphoresOf(instruction);
  Wait(semaphores.wait, state);
  std::visit([&state](const auto& i) { Execute(i, state); }, instruction);
  Post(semaphores.post, state);
}

}  // namespace

Machine::Machine(const isa::HardwareConfig& config, std::vector<std::uint8_t>& memory)
    : state_(Checked(config), memory) {}

RunResult Machine::Run(std::uint64_t program_address, std::uint32_t granules) {
  if (program_address % isa::kGranuleBytes != 0) {
    throw Error::Format("program address 0x{:x} is not a multiple of {}", program_address,
                        isa::kGranuleBytes);
  }
  state_.weight_fifo.clear();
  state_.semaphores.fill(0);
  RunResult result;
  Fetcher fetcher(state_, program_address, granules);
  while (!fetcher.done()) {
    isa::Instruction instruction;
    const isa::Unit frontend = isa::Unit::kFrontend;
    if (!Attempt(frontend, "fetch", result, [&] { instruction = fetcher.Next(); })) return result;
    const isa::Opcode opcode = isa::OpcodeOf(instruction);
    const bool ok = Attempt(isa::UnitOf(opcode), isa::Mnemonic(opcode), result,
                            [&] { Step(instruction, state_); });
    if (!ok) return result;
    ++result.instruction;
  }
  result.instruction = 0;
  return result;
}

}  // namespace tpu::golden
