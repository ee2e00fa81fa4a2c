// SPDX-License-Identifier: Apache-2.0
// The netlist of a machine for ECP5 does what the golden model does. All
// flip-flops and memories start with random contents.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "devices/golden/golden_device.h"
#include "devices/rtl/machines.h"
#include "frontends/tflite/import.h"
#include "frontends/tflite/parse.h"
#include "npy/npy.h"
#include "runtime/config.h"
#include "runtime/session.h"
#include "tests/system/difference.h"
#include "tests/system/run_case.h"
#include "workloads/digits.h"

namespace tpu::devices {
RtlFactory MakeNetlistN4;
}  // namespace tpu::devices

namespace tpu::netlist_test {
namespace {

/// The machine with the parameters that its own registers show.
devices::Machine NetlistN4() {
  const auto device = devices::MakeNetlistN4({});
  return {.name = "netlist of N4",
          .config = runtime::ReadConfig(*device),
          .make = devices::MakeNetlistN4};
}

class NetlistDigits : public testing::TestWithParam<std::uint64_t> {};
class NetlistPrograms : public testing::TestWithParam<std::uint64_t> {};

// The seed is also that of the contents at the start.
TEST_P(NetlistDigits, GetTensorFlowLitesScores) {
  const devices::Machine machine = NetlistN4();
  const std::filesystem::path folder = TPU_SOURCE_DIR "/models/digits";
  const ir::Graph graph = tflite::Import(tflite::Load(folder / "digits.tflite"));
  const ir::Tensor& input = graph.tensors.at(graph.inputs.at(0));
  const executable::Executable executable = compiler::Compile(graph, machine.config);
  const auto digits = workloads::LoadDigits(folder / "testset.json");
  const npy::Array expected = npy::Read(folder / "expected.npy");
  const std::size_t scores = expected.bytes.size() / digits.size();

  const auto device = machine.make({.reset_seed = GetParam()});
  runtime::Session session(*device, executable);
  constexpr std::size_t kImages = 2;
  for (std::size_t i = 0; i < kImages; ++i) {
    const std::size_t image = GetParam() * kImages + i;
    SCOPED_TRACE(fmt::format("image {}", image));
    session.SetInput(input.name, workloads::QuantizeDigit(digits.at(image), input));
    session.Run({.watchdog = 100'000});
    const std::vector<std::uint8_t> actual = session.OutputBytes(0);
    const auto first = expected.bytes.begin() + static_cast<std::ptrdiff_t>(image * scores);
    EXPECT_EQ(actual, std::vector(first, first + static_cast<std::ptrdiff_t>(scores)));
  }
  RecordProperty("cycles", std::to_string(device->cycles()));
}

// All instructions, all units at once, with a memory that pauses at random.
TEST_P(NetlistPrograms, DoesWhatTheGoldenModelDoes) {
  const std::array machines = {NetlistN4()};
  const system_test::Case c = system_test::DrawCase(GetParam(), machines);
  devices::GoldenDevice golden(c.machine.config);
  const auto device = c.machine.make(c.memory);
  runtime::RunReport report;
  EXPECT_EQ(system_test::FindDifference(golden, *device, system_test::ToExecutable(c.program), {},
                                        report),
            "");
  RecordProperty("cycles", std::to_string(device->cycles()));
}

INSTANTIATE_TEST_SUITE_P(Seeds, NetlistDigits, testing::Range<std::uint64_t>(1, 4),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(Seeds, NetlistPrograms, testing::Range<std::uint64_t>(1, 17),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace tpu::netlist_test
