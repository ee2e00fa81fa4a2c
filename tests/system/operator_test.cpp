// SPDX-License-Identifier: Apache-2.0
// Compiled operators of random shapes: the RTL leaves the same memory as the golden model.
#include <gtest/gtest.h>

#include <random>

#include "compiler/compile.h"
#include "tests/system/compare.h"
#include "tests/system/machines.h"
#include "workloads/workload.h"

namespace tpu::system_test {
namespace {

using ir::Activation;
using ir::BinaryKind;
using ir::PoolKind;
using workloads::WindowShape;
using workloads::Workload;

/// Shapes that are drawn small enough for a simulated run of some ten thousand cycles.
class ShapeSource {
 public:
  explicit ShapeSource(std::uint64_t seed) : rng_(seed) {}

  std::int32_t Pick(std::int32_t low, std::int32_t high) {
    return std::uniform_int_distribution<std::int32_t>(low, high)(rng_);
  }

  WindowShape Window(std::int32_t max_channels, std::int32_t max_dilation) {
    WindowShape s;
    s.image = {Pick(3, 14), Pick(3, 14)};
    s.channels = Pick(1, max_channels);
    s.kernel = {Pick(1, 4), Pick(1, 4)};
    s.stride = {Pick(1, 2), Pick(1, 2)};
    s.dilation = {Pick(1, max_dilation), Pick(1, max_dilation)};
    // A window must cover at least one pixel of the padded image, and one of the image wherever it
    // lies.
    s.padding = {Pick(0, s.kernel.h - 1), Pick(0, s.kernel.w - 1), Pick(0, s.kernel.h - 1),
                 Pick(0, s.kernel.w - 1)};
    const ir::Extent out = ir::WindowOutput(s.image, s.kernel, s.stride, s.dilation, s.padding);
    return out.h > 0 && out.w > 0 ? s : Window(max_channels, max_dilation);
  }

  Activation AnyActivation() { return Pick(0, 1) != 0 ? Activation::kRelu : Activation::kNone; }

 private:
  std::mt19937_64 rng_;
};

/// Every third seed gives the machine a memory that stalls at random.
void Check(const Machine& machine, const Workload& workload, std::uint64_t seed) {
  const executable::Executable executable = compiler::Compile(workload.graph, machine.config);
  const auto device =
      MakeRtl(machine, seed % 3 == 0 ? std::optional<std::uint64_t>(seed) : std::nullopt);
  ExpectSameMemory(*device, executable, workload.inputs);
}

class SystemOperatorTest : public testing::TestWithParam<Machine> {
 protected:
  /// Calls `make` with a source of shapes for a few seeds and checks what it makes. Wide machines
  /// are slow to simulate and get fewer.
  template <typename Make>
  void ForSeeds(std::uint64_t count, Make make) {
    const std::uint64_t seeds = GetParam().config.n > 16 ? count : 3 * count;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      SCOPED_TRACE(fmt::format("seed {}", seed));
      ShapeSource shapes(seed * 1000 + GetParam().config.n);
      Check(GetParam(), make(shapes, seed), seed);
    }
  }
  std::int32_t n() const { return static_cast<std::int32_t>(GetParam().config.n); }
};

TEST_P(SystemOperatorTest, Matmul) {
  ForSeeds(4, [this](ShapeSource& s, std::uint64_t seed) {
    return workloads::Matmul(s.Pick(1, 4 * n()), s.Pick(1, 5 * n()), s.Pick(1, 4 * n()), seed);
  });
}

TEST_P(SystemOperatorTest, MatrixVector) {
  ForSeeds(2, [this](ShapeSource& s, std::uint64_t seed) {
    return workloads::Matmul(1, s.Pick(n(), 12 * n()), s.Pick(n(), 6 * n()), seed);
  });
}

TEST_P(SystemOperatorTest, Convolution) {
  ForSeeds(5, [this](ShapeSource& s, std::uint64_t seed) {
    const WindowShape shape = s.Window(2 * n() + 3, 2);
    return workloads::Convolution(shape, s.Pick(1, 2 * n()), s.AnyActivation(), seed);
  });
}

TEST_P(SystemOperatorTest, ConvolutionOfFewChannels) {
  ForSeeds(3, [this](ShapeSource& s, std::uint64_t seed) {
    const WindowShape shape = s.Window(3, 1);
    return workloads::Convolution(shape, s.Pick(1, 2 * n()), s.AnyActivation(), seed);
  });
}

TEST_P(SystemOperatorTest, Depthwise) {
  ForSeeds(3, [this](ShapeSource& s, std::uint64_t seed) {
    return workloads::Depthwise(s.Window(2 * n() + 1, 2), s.AnyActivation(), seed);
  });
}

// The vector unit does 3 x 3 windows in a way of their own.
TEST_P(SystemOperatorTest, Depthwise3x3) {
  ForSeeds(2, [this](ShapeSource& s, std::uint64_t seed) {
    WindowShape shape = s.Window(2 * n() + 1, 2);
    shape.image = {s.Pick(5, 20), s.Pick(5, 20)};
    shape.kernel = {3, 3};
    shape.stride = {s.Pick(1, 2), s.Pick(1, 2)};
    shape.dilation = {s.Pick(1, 2), 1};
    return workloads::Depthwise(Same(shape), s.AnyActivation(), seed);
  });
}

TEST_P(SystemOperatorTest, MaxPool) {
  ForSeeds(2, [this](ShapeSource& s, std::uint64_t seed) {
    return workloads::Pool(PoolKind::kMax, s.Window(2 * n() + 1, 1), seed);
  });
}

TEST_P(SystemOperatorTest, AveragePool) {
  ForSeeds(2, [this](ShapeSource& s, std::uint64_t seed) {
    return workloads::Pool(PoolKind::kAverage, s.Window(2 * n() + 1, 1), seed);
  });
}

TEST_P(SystemOperatorTest, Elementwise) {
  constexpr std::array kKinds = {BinaryKind::kAdd, BinaryKind::kSub, BinaryKind::kMul,
                                 BinaryKind::kMaximum, BinaryKind::kMinimum};
  ForSeeds(kKinds.size(), [&](ShapeSource& s, std::uint64_t seed) {
    return workloads::Elementwise(kKinds.at(seed % kKinds.size()), {s.Pick(1, 9), s.Pick(1, 9)},
                                  s.Pick(1, 2 * n() + 1), s.AnyActivation(), seed);
  });
}

INSTANTIATE_TEST_SUITE_P(, SystemOperatorTest, testing::ValuesIn(RtlMachines()),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace tpu::system_test
