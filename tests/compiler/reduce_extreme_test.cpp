// SPDX-License-Identifier: Apache-2.0
// REDUCE_MAX and REDUCE_MIN on the device against plain loops, over every set of axes.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "compiler/compile.h"
#include "lowered.h"
#include "run_on_golden.h"

namespace tpu::compiler {
namespace {

struct ReduceCase {
  ir::Shape shape;
  bool smallest;
};

/// The extreme of each set of elements whose indices differ in the reduced axes alone.
template <typename T>
std::vector<T> Reduced(const ReduceCase& c, unsigned axes, const std::vector<T>& values) {
  std::vector<std::int64_t> strides(c.shape.size());
  std::int64_t outputs = 1;
  for (std::size_t a = c.shape.size(); a-- > 0;) {
    if ((axes >> a & 1U) != 0) continue;
    strides[a] = outputs;
    outputs *= c.shape[a];
  }
  constexpr std::numeric_limits<T> kLimits;
  std::vector<T> result(static_cast<std::size_t>(outputs),
                        c.smallest ? kLimits.max() : kLimits.min());
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::int64_t at = 0;
    auto rest = static_cast<std::int64_t>(i);
    for (std::size_t a = c.shape.size(); a-- > 0;) {
      at += rest % c.shape[a] * strides[a];
      rest /= c.shape[a];
    }
    T& extreme = result[static_cast<std::size_t>(at)];
    extreme = c.smallest ? std::min(extreme, values[i]) : std::max(extreme, values[i]);
  }
  return result;
}

template <typename T>
void ExpectReduced(const ReduceCase& c, ElementType type, unsigned axes,
                   const isa::HardwareConfig& config) {
  ir::Graph graph;
  ir::Tensor x = {.name = "x", .type = type, .shape = c.shape, .scale = 0.5F};
  x.zero_point = type == ElementType::kInt8 ? 7 : 0;
  ir::Tensor y = x;
  y.name = "y";
  host_operators::ReduceExtreme op = {.axes = {}, .smallest = c.smallest};
  for (std::size_t a = 0; a < c.shape.size(); ++a) {
    if ((axes >> a & 1U) == 0) continue;
    op.axes.push_back(static_cast<std::int64_t>(a));
    y.shape[a] = 1;
  }
  graph.inputs = {graph.AddTensor(x)};
  graph.outputs = {graph.AddTensor(y)};
  graph.operators.push_back({.name = "reduce",
                             .inputs = graph.inputs,
                             .outputs = graph.outputs,
                             .attributes = ir::HostOperator{op}});
  const executable::Executable executable = Compile(graph, config);
  for (const executable::Step& step : executable.steps) {
    EXPECT_TRUE(std::holds_alternative<executable::DeviceProgram>(step)) << "a host call";
  }
  std::mt19937 random(axes);
  std::vector<T> values(static_cast<std::size_t>(x.Elements()));
  for (T& value : values) value = static_cast<T>(random());
  const auto outputs = RunOnGolden(executable, std::vector<std::vector<T>>{values});
  EXPECT_EQ(ValuesOf<T>(outputs.at(0)), Reduced(c, axes, values)) << "axes " << axes;
}

class ReduceExtreme : public ::testing::TestWithParam<ReduceCase> {};

TEST_P(ReduceExtreme, OfAnyAxesOnTheDevice) {
  const ReduceCase& c = GetParam();
  isa::HardwareConfig config = FourLanes();
  config.int16 = 1;
  for (unsigned axes = 1; axes < 1U << c.shape.size(); ++axes) {
    ExpectReduced<std::int8_t>(c, ElementType::kInt8, axes, FourLanes());
    ExpectReduced<std::int16_t>(c, ElementType::kInt16, axes, config);
  }
}

// The last one has more rows than a window.
INSTANTIATE_TEST_SUITE_P(Shapes, ReduceExtreme,
                         ::testing::Values(ReduceCase{{2, 3, 5, 4}, false},
                                           ReduceCase{{3, 1, 6}, true}, ReduceCase{{2, 7, 9}, true},
                                           ReduceCase{{16}, false}, ReduceCase{{600, 2}, false},
                                           ReduceCase{{600, 2}, true}));

}  // namespace
}  // namespace tpu::compiler
