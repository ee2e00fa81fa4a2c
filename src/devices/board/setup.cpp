// SPDX-License-Identifier: Apache-2.0
#include "devices/board/setup.h"

#include <cstdint>

#include "base/error.h"
#include "devices/board/levelling.h"

namespace tpu::devices {
namespace {

// More steps than any memory needs: what says so is no table.
constexpr std::uint32_t kMostSteps = 1000;
constexpr std::uint32_t kStepWords = 3;
// More lanes, delays or shifts than any memory has.
constexpr std::uint32_t kMostLanes = 16;
constexpr std::uint32_t kMostSettings = 64;

std::uint32_t ReadWord(link::Link& link, std::uint32_t index) {
  link.WriteRegister(link::kSetupIndex, index);
  return link.ReadRegister(link::kSetupWord);
}

/// What stands behind the steps.
ReadTiming ReadTimingAt(link::Link& link, std::uint32_t first) {
  ReadTiming timing{.lanes = ReadWord(link, first)};
  if (timing.lanes == 0) return timing;
  std::uint32_t index = first;
  for (std::uint32_t* word :
       {&timing.select, &timing.first_delay, &timing.next_delay, &timing.first_shift,
        &timing.next_shift, &timing.delays, &timing.shifts}) {
    *word = ReadWord(link, ++index);
  }
  if (timing.lanes > kMostLanes || timing.delays > kMostSettings || timing.shifts > kMostSettings) {
    throw Error::Format(
        "{}: the board's table of setup has {} lanes, {} delays and {} shifts; at most {}, {} and "
        "{} are expected",
        link.Name(), timing.lanes, timing.delays, timing.shifts, kMostLanes, kMostSettings,
        kMostSettings);
  }
  return timing;
}

}  // namespace

void SetUp(link::Link& link) {
  if (link.ReadRegister(link::kSetupReady) != 0) return;
  const std::uint32_t steps = ReadWord(link, 0);
  if (steps > kMostSteps) {
    throw Error::Format("{}: the board's table of setup has {} steps; at most {} are expected",
                        link.Name(), steps, kMostSteps);
  }
  for (std::uint32_t step = 0; step < steps; ++step) {
    const std::uint32_t first = 1 + kStepWords * step;
    const std::uint32_t address = ReadWord(link, first);
    const std::uint32_t value = ReadWord(link, first + 1);
    const std::uint32_t cycles = ReadWord(link, first + 2);
    link.WriteRegister(address, value);
    if (cycles != 0) link.WaitForInterrupt(cycles);
  }
  const ReadTiming timing = ReadTimingAt(link, 1 + kStepWords * steps);
  if (timing.lanes != 0) LevelReads(link, timing);
  if (steps != 0 || timing.lanes != 0) link.WriteRegister(link::kSetupReady, 1);
  link.Flush();
}

}  // namespace tpu::devices
