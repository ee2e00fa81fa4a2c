// SPDX-License-Identifier: Apache-2.0
// SOFTMAX on int8 and int16 before operators of the device: programs on the golden model against
// the host's kernel, whose bytes are TensorFlow Lite Micro's.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <string>

#include "compiler/compile.h"
#include "run_on_golden.h"

namespace tpu::compiler {
namespace {

isa::HardwareConfig MachineOf(std::uint32_t lanes, bool int16) {
  isa::HardwareConfig config;
  config.n = lanes;
  config.int16 = int16 ? 1 : 0;
  config.axi_data_width = 8 * lanes;
  if (lanes < 16) {
    config.ub_rows = 512;
    config.acc_rows = 64;
    config.param_rows = 16;
  }
  return config;
}

// SOFTMAX, and with `behind` an operator that leaves all bytes as they are.
template <typename T = std::int8_t>
ir::Graph SoftmaxGraph(const ir::Shape& shape, float scale, float beta, bool behind = true) {
  constexpr bool kIsByte = sizeof(T) == 1;
  constexpr ElementType kType = ElementTypeOf<T>::value;
  ir::Graph graph;
  const ir::TensorId x =
      graph.AddTensor({.name = "x", .type = kType, .shape = shape, .scale = scale});
  const auto add = [&](std::string name, ir::TensorId input, ir::Attributes op) {
    const ir::TensorId y = graph.AddTensor({.name = name,
                                            .type = kType,
                                            .shape = shape,
                                            .scale = kIsByte ? 1.0F / 256 : 1.0F / 32768,
                                            .zero_point = kIsByte ? -128 : 0});
    graph.operators.push_back(
        {.name = std::move(name), .inputs = {input}, .outputs = {y}, .attributes = std::move(op)});
    return y;
  };
  ir::TensorId y = add("softmax", x, ir::Softmax{.beta = beta});
  if (behind) y = add("relu", y, ir::Unary{.kind = ir::UnaryKind::kRelu});
  graph.inputs = {x};
  graph.outputs = {y};
  return graph;
}

bool UsesHost(const executable::Executable& executable) {
  return std::ranges::any_of(executable.steps, [](const executable::Step& step) {
    return std::holds_alternative<executable::HostCall>(step);
  });
}

// Values all alike, all but one alike, near each other, and any.
template <typename T>
std::vector<T> SomeRows(std::int64_t rows, std::int64_t length, std::mt19937& random) {
  constexpr std::int32_t kLeast = std::numeric_limits<T>::min();
  constexpr std::int32_t kMost = std::numeric_limits<T>::max();
  constexpr std::uint32_t kAny = kMost - kLeast;
  std::vector<T> values;
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto first = static_cast<T>(random());
    const std::uint32_t spread = std::array{0U, 0U, 3U, kAny / 6, kAny, kAny}[random() % 6];
    const auto begin = values.size();
    for (std::int64_t i = 0; i < length; ++i) {
      const std::int32_t offset = static_cast<std::int32_t>(random() % (spread + 1));
      values.push_back(static_cast<T>(std::clamp(first + offset, kLeast, kMost)));
    }
    if (random() % 3 == 0) values[begin + random() % static_cast<std::size_t>(length)] = kMost;
  }
  return values;
}

template <typename T = std::int8_t>
void ExpectHostsBytes(std::uint32_t lanes, const ir::Shape& shape, float scale, float beta,
                      Rounding rounding) {
  SCOPED_TRACE(fmt::format("N{} scale {} beta {} length {} rounding {}", lanes, scale, beta,
                           shape.back(), static_cast<int>(rounding)));
  const isa::HardwareConfig machine = MachineOf(lanes, true);
  const ir::Graph graph = SoftmaxGraph<T>(shape, scale, beta);
  const CompileOptions options = {.rounding = rounding};
  const executable::Executable device = Compile(graph, machine, options);
  const executable::Executable host =
      Compile(SoftmaxGraph<T>(shape, scale, beta, false), machine, options);
  ASSERT_FALSE(UsesHost(device));
  ASSERT_TRUE(UsesHost(host));
  std::mt19937 random(static_cast<std::uint32_t>(shape.back()));
  const std::vector<std::vector<T>> inputs = {
      SomeRows<T>(graph.tensors[0].Elements() / shape.back(), shape.back(), random)};
  ASSERT_EQ(RunOnGolden(device, inputs), RunOnGolden(host, inputs));
}

TEST(Softmax, OnTheDeviceHasTheHostsBytes) {
  for (const auto rounding : {Rounding::kDouble, Rounding::kSingle}) {
    // One row, one column, rows and columns in part of a row of lanes.
    for (const ir::Shape& shape : {ir::Shape{1, 1}, ir::Shape{7, 1}, ir::Shape{1, 9}, ir::Shape{16},
                                   ir::Shape{2, 3, 16}, ir::Shape{1, 5, 2, 35}}) {
      ExpectHostsBytes(4, shape, 0.1F, 1.0F, rounding);
      ExpectHostsBytes(16, shape, 0.02F, 0.5F, rounding);
    }
    ExpectHostsBytes(16, {4, 40, 128}, 0.08F, 0.3F, rounding);
  }
}

TEST(Softmax, OfMoreRowsThanParameterEntries) {
  ExpectHostsBytes(4, {77, 6}, 0.05F, 1.0F, Rounding::kDouble);
  ExpectHostsBytes(16, {1100, 20}, 0.05F, 1.0F, Rounding::kDouble);
}

// Sums from 2^26 on, whose logarithm takes two tables; from 2^28 on, whose quotients may be 0; near
// 2^31.
TEST(Softmax, OfLongRows) {
  for (const std::int64_t length : {127, 128, 129, 511, 512, 1000, 4095}) {
    ExpectHostsBytes(16, {12, length}, 0.01F, 0.5F, Rounding::kDouble);
    ExpectHostsBytes(16, {3, length}, 0.2F, 1.0F, Rounding::kSingle);
  }
  ExpectHostsBytes(4, {2, 500}, 0.01F, 0.5F, Rounding::kDouble);
}

TEST(Softmax, OfExponentialsThatAreAllOrNothing) {
  ExpectHostsBytes(16, {20, 50}, 100.0F, 10.0F, Rounding::kDouble);
  ExpectHostsBytes(16, {20, 50}, 1e-6F, 1.0F, Rounding::kDouble);
}

TEST(Softmax, OfInt16OnTheDeviceHasTheHostsBytes) {
  for (const auto rounding : {Rounding::kDouble, Rounding::kSingle}) {
    for (const ir::Shape& shape : {ir::Shape{1, 1}, ir::Shape{7, 1}, ir::Shape{1, 9}, ir::Shape{16},
                                   ir::Shape{2, 3, 16}, ir::Shape{1, 5, 2, 35}}) {
      ExpectHostsBytes<std::int16_t>(4, shape, 0.0004F, 1.0F, rounding);
      ExpectHostsBytes<std::int16_t>(16, shape, 0.0001F, 0.5F, rounding);
    }
    ExpectHostsBytes<std::int16_t>(16, {70, 128}, 0.0003F, 0.3F, rounding);
  }
}

// Values that are apart by 1 up to all of them: places everywhere in the table of exponentials.
TEST(Softmax, OfInt16InAllOfTheTable) {
  for (const float scale : {1e-7F, 1e-5F, 0.0001526F, 0.001F, 0.01F, 0.3F, 1.0F, 2.4F}) {
    ExpectHostsBytes<std::int16_t>(16, {20, 200}, scale, 1.0F, Rounding::kDouble);
  }
}

// Rows of 128 values and more, whose sums' logarithms take two tables.
TEST(Softmax, OfLongRowsOfInt16) {
  for (const std::int64_t length : {127, 128, 129, 1000, 4095}) {
    ExpectHostsBytes<std::int16_t>(16, {6, length}, 0.00001F, 0.5F, Rounding::kDouble);
    ExpectHostsBytes<std::int16_t>(16, {3, length}, 0.0002F, 1.0F, Rounding::kSingle);
  }
}

// At the end of a network the host does it at no cost; longer rows have sums of more than 32 bits.
TEST(Softmax, StaysOnTheHostElsewhere) {
  const isa::HardwareConfig config = MachineOf(16, true);
  EXPECT_TRUE(UsesHost(Compile(SoftmaxGraph({2, 20}, 0.1F, 1.0F, false), config, {})));
  EXPECT_TRUE(UsesHost(Compile(SoftmaxGraph({1, 4096}, 0.1F, 1.0F), config, {})));
  EXPECT_TRUE(UsesHost(Compile(SoftmaxGraph<std::int16_t>({1, 4096}, 0.1F, 1.0F), config, {})));
  // Distances times 2^15 have more than 32 bits.
  EXPECT_TRUE(UsesHost(Compile(SoftmaxGraph<std::int16_t>({1, 20}, 3.0F, 1.0F), config, {})));
}

}  // namespace
}  // namespace tpu::compiler
