// SPDX-License-Identifier: Apache-2.0
#include "tests/system/compare.h"

#include <gtest/gtest.h>

#include "devices/golden/golden_device.h"
#include "tests/system/difference.h"

namespace tpu::system_test {

runtime::RunReport ExpectSameMemory(runtime::Device& device,
                                    const executable::Executable& executable,
                                    const std::vector<std::vector<std::int8_t>>& inputs) {
  devices::GoldenDevice golden(executable.config);
  runtime::RunReport report;
  EXPECT_EQ(FindDifference(golden, device, executable, inputs, report), "");
  EXPECT_EQ(runtime::ArrayCycles(report.counters), report.cycles);
  return report;
}

}  // namespace tpu::system_test
