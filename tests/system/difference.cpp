// SPDX-License-Identifier: Apache-2.0
#include "tests/system/difference.h"

#include <fmt/format.h>

#include <algorithm>

namespace tpu::system_test {
namespace {

std::vector<std::uint8_t> MemoryAfterRun(runtime::Device& device,
                                         const executable::Executable& executable,
                                         const std::vector<std::vector<std::int8_t>>& inputs,
                                         runtime::RunReport& report) {
  runtime::Session session(device, executable);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    session.SetInput(executable.inputs.at(i).name, inputs[i]);
  }
  runtime::RunOptions options;
  options.max_cycles = 5'000'000;
  options.watchdog = 10'000;
  report = session.Run(options);
  std::vector<std::uint8_t> memory(executable.memory_bytes);
  device.ReadMemory(0, memory);
  return memory;
}

std::string DescribePlace(const executable::Executable& executable, std::uint64_t address) {
  for (const executable::TensorBinding& output : executable.outputs) {
    if (address >= output.address && address - output.address < output.Bytes()) {
      return fmt::format("output {} element {}", output.name, address - output.address);
    }
  }
  return "outside the outputs";
}

}  // namespace

std::string FindDifference(runtime::Device& golden, runtime::Device& device,
                           const executable::Executable& executable,
                           const std::vector<std::vector<std::int8_t>>& inputs,
                           runtime::RunReport& report) {
  runtime::RunReport golden_report;
  const std::vector<std::uint8_t> expected =
      MemoryAfterRun(golden, executable, inputs, golden_report);
  const std::vector<std::uint8_t> actual = MemoryAfterRun(device, executable, inputs, report);
  const auto [e, a] = std::ranges::mismatch(expected, actual);
  if (e == expected.end()) return "";
  const auto address = static_cast<std::uint64_t>(e - expected.begin());
  return fmt::format("byte 0x{:x} ({}): got {}, expected {}", address,
                     DescribePlace(executable, address), *a, *e);
}

}  // namespace tpu::system_test
