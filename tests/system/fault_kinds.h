// SPDX-License-Identifier: Apache-2.0
// All faults that the campaign injects, kind by kind.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "executable/executable.h"
#include "tests/system/fault_bench.h"

namespace tpu::system_test {

struct Fault {
  std::string kind;  ///< As the table calls it.
  std::string what;  ///< Which one of its kind.
  /// Injects it, and checks all that must hold until the machine is asked to recover. Throws
  /// tpu::Error.
  std::function<void(FaultBench&)> inject;
};

/// Errors of the bus: responses at every beat, channels that go dead at random times.
std::vector<Fault> BusFaults(const FaultBench& bench);
/// Programs that the front end must refuse: every illegal opcode, field value and reserved bit;
/// truncated ones and ones that lie nowhere.
std::vector<Fault> EncodingFaults(const FaultBench& bench);
/// Instructions that leave a memory, waits that are never met, a semaphore that overflows.
std::vector<Fault> ProgramFaults(const FaultBench& bench);
/// Resets, doorbells and register writes at random cycles of a run.
std::vector<Fault> HostFaults(const FaultBench& bench);

}  // namespace tpu::system_test
