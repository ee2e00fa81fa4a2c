// SPDX-License-Identifier: Apache-2.0
// SQUARED_DIFFERENCE on int8: what IVECTOR computes against the host's kernel, to which machines
// without int16 leave the operator.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <variant>
#include <vector>

#include "compiler/compile.h"
#include "run_on_golden.h"

namespace tpu::compiler {
namespace {

using Int8s = std::vector<std::int8_t>;

struct Operand {
  ir::Shape shape;
  float scale = 0.02F;
  std::int32_t zero_point = 0;
};

bool CallsHost(const executable::Executable& executable) {
  return std::ranges::any_of(executable.steps, [](const auto& step) {
    return std::holds_alternative<executable::HostCall>(step);
  });
}

// On this machine and in this rounding. The output has the larger operand's shape.
void ExpectSameAsHosts(const std::array<Operand, 2>& operands, isa::HardwareConfig config,
                       Rounding rounding) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> bytes(-128, 127);
  ir::Graph graph;
  std::vector<Int8s> inputs;
  ir::Tensor output = {.name = "y", .scale = 0.03F, .zero_point = -128};
  for (const Operand& operand : operands) {
    ir::Tensor tensor = {.name = "x",
                         .shape = operand.shape,
                         .scale = operand.scale,
                         .zero_point = operand.zero_point};
    if (tensor.Elements() >= output.Elements()) output.shape = operand.shape;
    Int8s values(static_cast<std::size_t>(tensor.Elements()));
    for (std::int8_t& value : values) value = static_cast<std::int8_t>(bytes(random));
    inputs.push_back(std::move(values));
    graph.inputs.push_back(graph.AddTensor(std::move(tensor)));
  }
  graph.outputs = {graph.AddTensor(std::move(output))};
  graph.operators.push_back({.name = "op",
                             .inputs = graph.inputs,
                             .outputs = graph.outputs,
                             .attributes = ir::SquaredDifference{}});
  const executable::Executable device = Compile(graph, config, {.rounding = rounding});
  config.int16 = 0;
  const executable::Executable host = Compile(graph, config, {.rounding = rounding});
  EXPECT_FALSE(CallsHost(device));
  EXPECT_TRUE(CallsHost(host));
  EXPECT_EQ(ValuesOf<std::int8_t>(RunOnGolden(device, inputs).at(0)),
            ValuesOf<std::int8_t>(RunOnGolden(host, inputs).at(0)));
}

class SquaredDifferences : public testing::TestWithParam<Rounding> {
 protected:
  // Both orders of the operands, and each of them with the larger scale. The buffer holds a part.
  static void ExpectCorrect(const Operand& a, const Operand& b) {
    const isa::HardwareConfig config = {
        .n = 4, .ub_rows = 128, .acc_rows = 32, .param_rows = 16, .axi_data_width = 32, .int16 = 1};
    for (const float scale : {0.02F, 0.011F, 0.047F}) {
      SCOPED_TRACE(scale);
      Operand scaled = b;
      scaled.scale = scale;
      ExpectSameAsHosts({a, scaled}, config, GetParam());
      ExpectSameAsHosts({scaled, a}, config, GetParam());
    }
  }
};

TEST_P(SquaredDifferences, OfOneShape) {
  ExpectCorrect({{3, 5, 7}, 0.02F, 127}, {{3, 5, 7}, 0.02F, -128});
}

// As in layer normalisation. The last block of channels is not full.
TEST_P(SquaredDifferences, FromEachRowsMean) {
  ExpectCorrect({{2, 9, 39}, 0.02F, -7}, {{2, 9, 1}, 0.02F, 100});
  ExpectCorrect({{2, 9, 3}, 0.02F, -128}, {{2, 1, 1}, 0.02F, 127});
}

TEST_P(SquaredDifferences, OfOtherBroadcasts) {
  ExpectCorrect({{4, 3, 10}, 0.02F, -7}, {{3, 10}, 0.02F, 5});
  // More axes than images have, with a channel that is repeated.
  ExpectCorrect({{2, 3, 2, 2, 9}, 0.02F, -7}, {{2, 1, 2, 1, 1}, 0.02F, 5});
}

INSTANTIATE_TEST_SUITE_P(Roundings, SquaredDifferences,
                         testing::Values(Rounding::kDouble, Rounding::kSingle));

}  // namespace
}  // namespace tpu::compiler
