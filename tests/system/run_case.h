// SPDX-License-Identifier: Apache-2.0
// Random programs on simulated machines and on the golden model.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "devices/rtl/machines.h"
#include "runtime/session.h"
#include "tests/system/random_program.h"

namespace tpu::system_test {

struct Case {
  devices::Machine machine;
  /// The memory behind the simulated machine: latencies of reads and of responses, pauses on each
  /// channel, from none to most of the time. The bus checker is on.
  devices::RtlOptions memory;
  RandomProgram program;
};

inline constexpr std::array<devices::Machine, 4> kTestMachines = {
    devices::kSmallN4, devices::kSmallN8, devices::kN16, devices::kSmallN32};
inline constexpr std::array<devices::Machine, 3> kBf16Machines = {
    devices::kSmallN4Bf16, devices::kSmallN8Bf16, devices::kN16Bf16};

/// Everything drawn from the seed: one of the machines, its memory, a program of some tens to
/// hundreds of instructions. Throws tpu::Error when the verifier objects to the program.
Case DrawCase(std::uint64_t seed, std::span<const devices::Machine> machines);

struct CaseResult {
  /// A difference, an error the machine reports, a broken bus rule, no end; empty: none of them.
  std::string failure;
  runtime::RunReport report;
  /// Cycles of the body in which n units had an instruction started and not completed, by n.
  std::array<std::uint64_t, 6> cycles_by_units{};
};

/// Runs the program on a new machine and on the golden model.
CaseResult RunCase(const Case& c);

}  // namespace tpu::system_test
