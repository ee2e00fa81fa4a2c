// SPDX-License-Identifier: Apache-2.0
// Programs that are stopped in the middle, with all units at work: the machine must drain the bus,
// say why, and run again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "compiler/compile.h"
#include "runtime/config.h"
#include "runtime/session.h"
#include "tests/system/compare.h"
#include "tests/system/machines.h"
#include "workloads/workload.h"

namespace tpu::system_test {
namespace {

using runtime::Session;
using workloads::Workload;

/// Keeps load, weights, matmul, vector and store busy at once on every machine.
Workload BusyConvolution(std::uint64_t seed) {
  return workloads::Convolution(workloads::Same({.image = {9, 11},
                                                 .channels = 40,
                                                 .kernel = {3, 3},
                                                 .stride = {1, 1},
                                                 .dilation = {1, 1},
                                                 .padding = {}}),
                                24, ir::Activation::kNone, seed);
}

class SystemRecoveryTest : public testing::TestWithParam<Machine> {
 protected:
  static constexpr std::uint64_t kSeeds = 8;

  /// A machine of its own for each seed, the convolution on it, and a random point in its run.
  template <typename Stop>
  void ForSeeds(Stop stop) {
    const Workload workload = BusyConvolution(1);
    const executable::Executable executable = compiler::Compile(workload.graph, GetParam().config);
    const auto reference = MakeRtl(GetParam());
    const runtime::RunReport report = ExpectSameMemory(*reference, executable, workload.inputs);
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      SCOPED_TRACE(fmt::format("seed {}", seed));
      std::mt19937_64 rng(seed);
      const auto device =
          MakeRtl(GetParam(), seed % 2 == 0 ? std::optional<std::uint64_t>(seed) : std::nullopt);
      Session session(*device, executable);
      session.SetInput(executable.inputs.at(0).name, workload.inputs.at(0));
      stop(*device, session, report, rng);
      // Without a soft reset the next start does the same.
      if (seed % 3 == 0) runtime::SoftReset(*device);
      ExpectSameMemory(*device, executable, workload.inputs);
    }
  }
};

std::uint64_t Below(std::uint64_t limit, std::mt19937_64& rng) {
  return std::uniform_int_distribution<std::uint64_t>(0, limit - 1)(rng);
}

TEST_P(SystemRecoveryTest, AfterAReadError) {
  using isa::Counter;
  ForSeeds([](devices::RtlDevice& device, Session& session, const runtime::RunReport& report,
              std::mt19937_64& rng) {
    const std::uint64_t beats = runtime::Count(report.counters, Counter::kFetchBeats) +
                                runtime::Count(report.counters, Counter::kLoadBeats) +
                                runtime::Count(report.counters, Counter::kWeightsBeats);
    device.FailReadBeat(Below(beats, rng), tb::AxiResponse::kSlaveError);
    try {
      session.Run({.max_cycles = 500'000});
      ADD_FAILURE() << "the program ended without an error";
    } catch (const runtime::DeviceError& error) {
      EXPECT_EQ(isa::Name(error.code()), "BUS_READ");
      EXPECT_EQ(error.layer(), "conv");
    }
  });
}

TEST_P(SystemRecoveryTest, AfterAWriteError) {
  ForSeeds([](devices::RtlDevice& device, Session& session, const runtime::RunReport&,
              std::mt19937_64& rng) {
    device.FailWriteResponse(Below(3, rng), tb::AxiResponse::kDecodeError);
    try {
      session.Run({.max_cycles = 500'000});
      ADD_FAILURE() << "the program ended without an error";
    } catch (const runtime::DeviceError& error) {
      EXPECT_EQ(isa::Name(error.code()), "BUS_WRITE");
      EXPECT_EQ(isa::Name(error.unit()), "store");
      EXPECT_EQ(error.layer(), "conv");
    }
  });
}

TEST_P(SystemRecoveryTest, AfterASoftReset) {
  ForSeeds([](devices::RtlDevice& device, Session& session, const runtime::RunReport& report,
              std::mt19937_64& rng) {
    EXPECT_THROW(session.Run({.max_cycles = 1 + Below(report.cycles - 1, rng)}), Error);
    runtime::SoftReset(device);
  });
}

// The memory goes dead in the middle of a program. What it owes then comes while the next program
// runs, which must not take it for its own.
TEST_P(SystemRecoveryTest, FromAnswersThatComeLate) {
  constexpr std::uint32_t kWatchdog = 300;
  ForSeeds([](devices::RtlDevice& device, Session& session, const runtime::RunReport& report,
              std::mt19937_64& rng) {
    const std::uint64_t cycles = 1 + Below(report.cycles - 1, rng);
    EXPECT_THROW(session.Run({.max_cycles = cycles, .watchdog = kWatchdog}), Error);
    device.StopChannel(Below(2, rng) == 0 ? tb::AxiChannel::kR : tb::AxiChannel::kB);
    device.Advance(4 * kWatchdog);
    device.StopAnswering(false);
    device.DelayUnanswered(Below(400, rng));
  });
}

INSTANTIATE_TEST_SUITE_P(, SystemRecoveryTest, testing::ValuesIn(RtlMachines()),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace tpu::system_test
