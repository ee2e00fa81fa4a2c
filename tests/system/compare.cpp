#include "tests/system/compare.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "golden_backend/golden_device.h"

namespace tpu::system_test {
namespace {

struct Ended {
  runtime::RunReport report;
  std::vector<std::uint8_t> memory;
};

Ended RunOn(runtime::Device& device, const isa::Executable& executable,
            const std::vector<std::vector<std::int8_t>>& inputs) {
  runtime::Session session(device, executable);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    session.SetInput(executable.inputs.at(i).name, inputs[i]);
  }
  Ended ended;
  ended.report = session.Run({.max_cycles = 5'000'000, .watchdog = 10'000});
  ended.memory.resize(executable.memory_bytes);
  device.ReadMemory(0, ended.memory);
  return ended;
}

std::string DescribePlace(const isa::Executable& executable, std::uint64_t address) {
  for (const isa::TensorBinding& output : executable.outputs) {
    if (address >= output.address && address - output.address < output.Bytes()) {
      return fmt::format("output {} element {}", output.name, address - output.address);
    }
  }
  return "outside the outputs";
}

}  // namespace

runtime::RunReport ExpectSameMemory(runtime::Device& device, const isa::Executable& executable,
                                    const std::vector<std::vector<std::int8_t>>& inputs) {
  golden_backend::GoldenDevice golden(executable.config);
  const Ended expected = RunOn(golden, executable, inputs);
  const Ended actual = RunOn(device, executable, inputs);
  const auto [e, a] = std::ranges::mismatch(expected.memory, actual.memory);
  if (e != expected.memory.end()) {
    const auto address = static_cast<std::uint64_t>(e - expected.memory.begin());
    ADD_FAILURE() << fmt::format("byte 0x{:x} ({}): got {}, expected {}", address,
                                 DescribePlace(executable, address), *a, *e);
  }
  EXPECT_EQ(runtime::ArrayCycles(actual.report.counters), actual.report.cycles);
  return actual.report;
}

}  // namespace tpu::system_test
