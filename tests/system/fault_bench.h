// SPDX-License-Identifier: Apache-2.0
// One simulated machine into which faults are injected, and what must hold afterwards.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "devices/rtl/machines.h"
#include "executable/executable.h"
#include "isa/instruction.h"

namespace tpu::system_test {

/// Faults by kind, in the order in which kinds first appear.
class FaultTally {
 public:
  struct Row {
    std::string kind;
    int injected = 0;
    int failed = 0;
  };
  void Add(const std::string& kind, bool failed);
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

 private:
  std::vector<Row> rows_;
};

/// What STATUS and ERROR say at the end of a run.
struct Outcome {
  bool ended = false;  ///< The interrupt came.
  bool done = false;
  isa::ErrorCode code = isa::ErrorCode::kNone;
  isa::Unit unit = isa::Unit::kFrontend;
  std::uint32_t index = 0;
};
std::string Describe(const Outcome& outcome);
inline Outcome Stopped(isa::ErrorCode code, isa::Unit unit, std::uint32_t index) {
  return {.ended = true, .done = false, .code = code, .unit = unit, .index = index};
}
inline Outcome Completed() { return {.ended = true, .done = true}; }

/// All units at work, with two of most instructions; reads kSourceAddress .. kTargetAddress, writes
/// behind (tests/system/program.h).
std::vector<isa::Instruction> BusyProgram(const isa::HardwareConfig& config);

/// Runs programs one after the other on one machine with the bus checker on. Every function that
/// checks throws tpu::Error.
class FaultBench {
 public:
  /// With `stall_seed` the memory pauses at random.
  FaultBench(const devices::Machine& machine, std::optional<std::uint64_t> stall_seed);

  [[nodiscard]] devices::RtlDevice& device() { return *device_; }
  [[nodiscard]] const isa::HardwareConfig& config() const { return machine_.config; }
  std::mt19937_64& rng() { return rng_; }
  std::uint64_t Below(std::uint64_t n) { return rng_() % n; }

  /// Puts the program and the bytes around it into memory, and its address into the registers.
  void Load(const executable::Executable& executable);
  void Start();
  Outcome Wait();
  /// The outcome is the expected one.
  static void Expect(const Outcome& expected, const Outcome& actual);
  /// Nothing but the target area differs from what Load has written.
  void ExpectRestUntouched();
  /// The busy program gives what the golden model gives.
  void ExpectWorks();
  /// By a soft reset or, without, by the next start, at random.
  void Recover();

  /// Cycles that the busy program takes.
  [[nodiscard]] std::uint64_t busy_cycles() const { return busy_cycles_; }
  [[nodiscard]] const executable::Executable& busy() const { return busy_; }

 private:
  devices::Machine machine_;
  std::mt19937_64 rng_;
  std::unique_ptr<devices::RtlDevice> device_;
  std::vector<std::uint8_t> image_;  ///< What Load has written.
  executable::Executable busy_;
  std::vector<std::uint8_t> busy_result_;  ///< Memory after the busy program.
  std::uint64_t busy_cycles_ = 0;
};

}  // namespace tpu::system_test
