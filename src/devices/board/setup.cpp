// SPDX-License-Identifier: Apache-2.0
#include "devices/board/setup.h"

#include <cstdint>

#include "base/error.h"

namespace tpu::devices {
namespace {

// More steps than any memory needs: what says so is no table.
constexpr std::uint32_t kMostSteps = 1000;
constexpr std::uint32_t kStepWords = 3;

std::uint32_t ReadWord(link::Link& link, std::uint32_t index) {
  link.WriteRegister(link::kSetupIndex, index);
  return link.ReadRegister(link::kSetupWord);
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
  if (steps != 0) link.WriteRegister(link::kSetupReady, 1);
  link.Flush();
}

}  // namespace tpu::devices
