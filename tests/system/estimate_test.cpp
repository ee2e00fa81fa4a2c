// SPDX-License-Identifier: Apache-2.0
// The timing model says exactly how many cycles compiled programs take on the RTL: machines of
// several sizes, memories of several latencies, operators of random shapes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <random>

#include "compiler/compile.h"
#include "devices/rtl/machines.h"
#include "profile/measure.h"
#include "tests/system/machines.h"
#include "tools/tpu/estimated_cycles.h"
#include "workloads/workload.h"

namespace tpu::system_test {
namespace {

using ir::Activation;
using workloads::WindowShape;
using workloads::Workload;

/// Cycles from request to answer: at once nearly, as the bench's memory, and far away.
constexpr std::array<unsigned, 3> kLatencies = {4, 64, 200};

using Random = std::mt19937_64;

std::int32_t Pick(Random& random, std::int32_t low, std::int32_t high) {
  return std::uniform_int_distribution<std::int32_t>(low, high)(random);
}

WindowShape Window(Random& random, std::int32_t channels, std::int32_t kernel) {
  const std::int32_t stride = Pick(random, 1, 2);
  return workloads::Same({.image = {Pick(random, 5, 16), Pick(random, 5, 16)},
                          .channels = channels,
                          .kernel = {kernel, kernel},
                          .stride = {stride, stride},
                          .dilation = {1, 1},
                          .padding = {}});
}

struct Operator {
  const char* name;
  /// A network of this operator for lanes `n`.
  std::function<Workload(Random& random, std::int32_t n, std::uint64_t seed)> make;
};

const std::array<Operator, 7> kOperators = {{
    {"matmul",
     [](Random& r, std::int32_t n, std::uint64_t seed) {
       return workloads::Matmul(Pick(r, 1, 5 * n), Pick(r, 1, 5 * n), Pick(r, 1, 5 * n), seed);
     }},
    {"convolution",
     [](Random& r, std::int32_t n, std::uint64_t seed) {
       return workloads::Convolution(Window(r, Pick(r, 1, 2 * n), Pick(r, 1, 3)), Pick(r, 1, 2 * n),
                                     Activation::kRelu, seed);
     }},
    {"depthwise",
     [](Random& r, std::int32_t n, std::uint64_t seed) {
       return workloads::Depthwise(Window(r, Pick(r, 1, 2 * n), 3), Activation::kRelu6, seed);
     }},
    {"depthwise 2x2",
     [](Random& r, std::int32_t n, std::uint64_t seed) {
       return workloads::Depthwise(Window(r, Pick(r, 1, 2 * n), 2), Activation::kNone, seed);
     }},
    {"max pool",
     [](Random& r, std::int32_t n, std::uint64_t seed) {
       return workloads::Pool(ir::PoolKind::kMax, Window(r, Pick(r, 1, 3 * n), 3), seed);
     }},
    {"average pool",
     [](Random& r, std::int32_t n, std::uint64_t seed) {
       return workloads::Pool(ir::PoolKind::kAverage, Window(r, Pick(r, 1, 3 * n), 2), seed);
     }},
    {"add",
     [](Random& r, std::int32_t n, std::uint64_t seed) {
       return workloads::Elementwise(ir::BinaryKind::kAdd, {Pick(r, 1, 12), Pick(r, 1, 12)},
                                     Pick(r, 1, 3 * n), Activation::kRelu, seed);
     }},
}};

class EstimateOnRtl : public testing::TestWithParam<Machine> {};

TEST_P(EstimateOnRtl, IsExactAtEveryLatency) {
  const auto n = static_cast<std::int32_t>(GetParam().config.n);
  for (const Operator& op : kOperators) {
    for (std::uint64_t seed = 1; seed <= (n > 16 ? 3U : 8U); ++seed) {
      Random random(100 * static_cast<std::uint64_t>(n) + seed);
      const Workload workload = op.make(random, n, seed);
      const executable::Executable executable =
          compiler::Compile(workload.graph, GetParam().config);
      for (const unsigned latency : kLatencies) {
        SCOPED_TRACE(fmt::format("{}, seed {}, latency {}", op.name, seed, latency));
        const auto device = GetParam().make_rtl({.memory_latency = latency});
        const profile::Measurement run =
            profile::Runner(*device, executable).Run(runtime::BytesOf(workload.inputs));
        EXPECT_EQ(tools::EstimateCycles(executable, run.report.course, {.latency = latency}).cycles,
                  run.report.cycles);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, EstimateOnRtl, testing::ValuesIn(RtlMachines()),
                         [](const auto& info) { return info.param.name; });
// Programs of int8 on a machine with bf16.
INSTANTIATE_TEST_SUITE_P(WithBf16, EstimateOnRtl,
                         testing::Values(Machine{"n8_rtl", devices::kSmallN8Bf16.config,
                                                 devices::MakeSmallN8Bf16}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tpu::system_test
