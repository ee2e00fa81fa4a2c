// SPDX-License-Identifier: Apache-2.0
// Which tensors stay in the unified buffer, and where.
#include "compiler/place/residency.h"

#include <gtest/gtest.h>

#include <optional>

#include "network.h"

namespace tpu::compiler {
namespace {

// Tensors of 8 x 8 pixels and 32 channels, two blocks of 64 rows, between `count` convolutions.
ir::Graph ConvolutionChain(int count) {
  Network network(1);
  ir::TensorId y = network.Input({1, 8, 8, 16});
  for (int i = 0; i < count; ++i) y = network.Conv(y, 32, {.h = 1, .w = 1}, {});
  network.graph().outputs = {y};
  return network.graph();
}

std::optional<std::int64_t> RowAfter(const ResidencyPlan& plan, const ir::Graph& graph,
                                     std::size_t op) {
  return plan.row[graph.operators[op].outputs[0]];
}

TEST(PlanResidency, TakesTurnsAtBothEndsOfTheBuffer) {
  const ir::Graph graph = ConvolutionChain(4);
  const isa::HardwareConfig config;
  const std::int64_t end = config.ub_rows;
  const ResidencyPlan plan = PlanResidency(graph, config);
  EXPECT_EQ(RowAfter(plan, graph, 0), 0);
  EXPECT_EQ(RowAfter(plan, graph, 1), end - 128);
  EXPECT_EQ(RowAfter(plan, graph, 2), 0) << "the first tensor is not needed any more";
  EXPECT_EQ(RowAfter(plan, graph, 3), std::nullopt) << "an output";
  EXPECT_EQ(plan.row[graph.inputs[0]], std::nullopt);
  EXPECT_EQ(plan.free, (std::vector<ir::Range>{{.begin = 128, .end = end},
                                               {.begin = 128, .end = end - 128},
                                               {.begin = 128, .end = end - 128},
                                               {.begin = 128, .end = end}}));
}

// The first operator reads its input from memory: a quarter of the buffer is for its tiles.
TEST(PlanResidency, LeavesRoomForTiles) {
  const ir::Graph graph = ConvolutionChain(2);
  isa::HardwareConfig config;
  config.ub_rows = 170;  // 128 and 42, which is a quarter.
  EXPECT_EQ(RowAfter(PlanResidency(graph, config), graph, 0), 0);
  config.ub_rows = 169;
  EXPECT_EQ(RowAfter(PlanResidency(graph, config), graph, 0), std::nullopt);
}

TEST(PlanResidency, AReshapeStaysWithWhatItReshapes) {
  Network network(1);
  const ir::TensorId a = network.Conv(network.Input({1, 8, 8, 16}), 32, {.h = 1, .w = 1}, {});
  const ir::TensorId b = network.Shape(a, {1, 4, 16, 32});
  network.graph().outputs = {network.Conv(b, 32, {.h = 1, .w = 1}, {})};
  const ResidencyPlan plan = PlanResidency(network.graph(), {});
  EXPECT_EQ(plan.row[a], 0);
  EXPECT_EQ(plan.row[b], 0);
}

TEST(NoResidency, LeavesTheWholeBuffer) {
  const ir::Graph graph = ConvolutionChain(3);
  const isa::HardwareConfig config;
  const ResidencyPlan plan = NoResidency(graph, config);
  for (const auto& row : plan.row) EXPECT_EQ(row, std::nullopt);
  EXPECT_EQ(plan.free, std::vector<ir::Range>(3, {.begin = 0, .end = config.ub_rows}));
}

}  // namespace
}  // namespace tpu::compiler
