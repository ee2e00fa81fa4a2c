// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/error.h"
#include "runtime/config.h"
#include "tests/system/fault_kinds.h"
#include "tests/system/program.h"

namespace tpu::system_test {
namespace {

using isa::Register;
using runtime::WriteRegister;
namespace control = isa::bits::kControl_;

/// The busy program until a random cycle before its end.
void RunSome(FaultBench& bench) {
  bench.Load(bench.busy());
  bench.Start();
  bench.device().Advance(bench.Below(bench.busy_cycles()));
}

void ExpectIdle(FaultBench& bench) {
  const std::uint32_t status = runtime::ReadRegister(bench.device(), Register::kStatus);
  if (status != 0) throw Error::Format("STATUS is 0x{:x} after a reset", status);
}

void SoftReset(FaultBench& bench) {
  RunSome(bench);
  runtime::SoftReset(bench.device());
  ExpectIdle(bench);
}

void SoftResetWithStart(FaultBench& bench) {
  RunSome(bench);
  WriteRegister(bench.device(), Register::kControl, control::soft_reset | control::start);
  runtime::SoftReset(bench.device());
  ExpectIdle(bench);
}

void SoftResetTwice(FaultBench& bench) {
  RunSome(bench);
  WriteRegister(bench.device(), Register::kControl, control::soft_reset);
  bench.device().Advance(bench.Below(40));
  runtime::SoftReset(bench.device());
  ExpectIdle(bench);
}

void HardReset(FaultBench& bench) {
  RunSome(bench);
  bench.device().HardReset();
  ExpectIdle(bench);
}

/// A machine whose memory has died is no worse for it.
void HardResetOfADeadBus(FaultBench& bench) {
  RunSome(bench);
  bench.device().StopAnswering(true);
  bench.device().Advance(bench.Below(200));
  bench.device().HardReset();
  bench.device().StopAnswering(false);
  ExpectIdle(bench);
}

void Doorbell(FaultBench& bench) {
  RunSome(bench);
  WriteRegister(bench.device(), Register::kControl, control::start | control::irq_enable);
  FaultBench::Expect(Completed(), bench.Wait());
}

void Write(FaultBench& bench, std::uint32_t offset) {
  RunSome(bench);
  const bool watchdog = offset == static_cast<std::uint32_t>(Register::kWatchdog);
  // Longer than any wait.
  const std::uint32_t value =
      static_cast<std::uint32_t>(bench.rng()()) | (watchdog ? 0x10000U : 0U);
  bench.device().WriteRegister(offset, value);
  Outcome outcome = bench.Wait();
  // The write may have come when the program had just ended, and have cleared its interrupt.
  if (offset == static_cast<std::uint32_t>(Register::kIrqClear)) outcome.ended = outcome.done;
  FaultBench::Expect(Completed(), outcome);
}

void Add(std::vector<Fault>& faults, const char* kind, int times,
         const std::function<void(FaultBench&)>& inject) {
  for (int i = 0; i < times; ++i) faults.push_back({kind, fmt::format("{}", i), inject});
}

}  // namespace

std::vector<Fault> HostFaults(const FaultBench& /*bench*/) {
  std::vector<Fault> faults;
  Add(faults, "soft reset", 60, SoftReset);
  Add(faults, "soft reset with start", 20, SoftResetWithStart);
  Add(faults, "two soft resets", 20, SoftResetTwice);
  Add(faults, "hard reset", 60, HardReset);
  Add(faults, "hard reset of a dead bus", 30, HardResetOfADeadBus);
  Add(faults, "doorbell while running", 40, Doorbell);
  for (std::uint32_t offset = 0; offset < 0x200; offset += 4) {
    if (offset == static_cast<std::uint32_t>(Register::kControl)) continue;
    faults.push_back({"register written while running", fmt::format("0x{:03x}", offset),
                      [offset](FaultBench& b) { Write(b, offset); }});
  }
  for (const Register reg : {Register::kProgAddrLo, Register::kProgAddrHi, Register::kProgGranules,
                             Register::kWatchdog, Register::kIrqClear}) {
    Add(faults, "register written while running", 10,
        [offset = static_cast<std::uint32_t>(reg)](FaultBench& b) { Write(b, offset); });
  }
  return faults;
}

}  // namespace tpu::system_test
