// SPDX-License-Identifier: Apache-2.0
// Addresses of tensors in memory: those whose lifetimes do not meet share them.
#include "compiler/place/place_tensors.h"

#include <gtest/gtest.h>

#include "network.h"

namespace tpu::compiler {
namespace {

std::vector<Placement> PlacedInMemory(const ir::Graph& graph) {
  const isa::HardwareConfig config;
  Emitter emitter(config, false);
  return PlaceTensors(graph, NoResidency(graph, config), emitter);
}

TEST(PlaceTensors, MemoryIsSharedWhereLifetimesDoNotMeet) {
  Network network(1);
  const ir::TensorId x = network.Input({1, 2, 2, 16});               // 64 bytes.
  const ir::TensorId a = network.Conv(x, 32, {.h = 1, .w = 1}, {});  // 128 bytes.
  const ir::TensorId b = network.Conv(a, 32, {.h = 1, .w = 1}, {});
  const ir::TensorId c = network.Conv(b, 32, {.h = 1, .w = 1}, {});
  const ir::TensorId y = network.Conv(c, 16, {.h = 1, .w = 1}, {});
  network.graph().outputs = {y};
  const std::vector<Placement> placements = PlacedInMemory(network.graph());
  // The largest first. An input and an output keep their places from the first operator to the
  // last one.
  EXPECT_EQ(placements[a].address, 0U);
  EXPECT_EQ(placements[b].address, 128U);
  EXPECT_EQ(placements[c].address, 0U);
  EXPECT_EQ(placements[x].address, 256U);
  EXPECT_EQ(placements[y].address, 320U);
}

TEST(PlaceTensors, SeveralChannelBlocksBetweenOperatorsAreBlocked) {
  Network network(1);
  const ir::TensorId x = network.Input({1, 2, 2, 32});
  const ir::TensorId wide = network.Conv(x, 32, {.h = 1, .w = 1}, {});
  const ir::TensorId narrow = network.Conv(wide, 16, {.h = 1, .w = 1}, {});
  network.graph().outputs = {network.Conv(narrow, 32, {.h = 1, .w = 1}, {})};
  const std::vector<Placement> placements = PlacedInMemory(network.graph());
  EXPECT_EQ(placements[x].layout, Layout::kNhwc) << "an input";
  EXPECT_EQ(placements[wide].layout, Layout::kBlocked);
  EXPECT_EQ(placements[narrow].layout, Layout::kNhwc) << "one block";
}

TEST(PlaceTensors, AReshapeIsTheSameBytes) {
  Network network(1);
  const ir::TensorId a = network.Apply(network.Input({1, 2, 2, 16}));
  const ir::TensorId b = network.Shape(a, {4, 16});
  network.graph().outputs = {network.Apply(b)};
  const std::vector<Placement> placements = PlacedInMemory(network.graph());
  EXPECT_EQ(placements[a].address, placements[b].address);
  EXPECT_EQ(placements[a].images, (Images{.h = 2, .w = 2, .c = 16}));
  EXPECT_EQ(placements[b].images, (Images{.w = 4, .c = 16}));
}

TEST(PlaceTensors, ElementsOfMoreBytesTakeMoreMemory) {
  Network network(1);
  const ir::TensorId x = network.Input({1, 2, 2, 16});
  const ir::TensorId real = network.Make(ir::Dequantize{}, {x}, {1, 2, 2, 16});
  network.graph().tensors[real].type = ElementType::kFloat32;
  network.graph().outputs = {real};
  const isa::HardwareConfig config;
  Emitter emitter(config, false);
  const std::vector<Placement> placements =
      PlaceTensors(network.graph(), NoResidency(network.graph(), config), emitter);
  EXPECT_EQ(placements[x].format.Name(), "int8");
  EXPECT_EQ(placements[real].format.Name(), "float32");
  EXPECT_EQ(placements[real].ImageBytes(16), 256);
  EXPECT_EQ(emitter.Take().memory.Bytes(), 64U + 256U);
}

TEST(PlaceTensors, ConstantsThatAreActivationsArePlacedAndWeightsAreNot) {
  Network network(1);
  const ir::TensorId x = network.Input({1, 2, 2, 16});
  const ir::TensorId weights = network.Weights({16, 1, 1, 16}, 1);
  const ir::TensorId a = network.Make(ir::Conv2D{}, {x, weights}, {1, 2, 2, 16});
  const ir::TensorId constant = network.Constant({1, 2, 2, 16});
  network.graph().outputs = {network.Combine(a, constant, ir::BinaryKind::kAdd)};
  const isa::HardwareConfig config;
  Emitter emitter(config, false);
  PlaceTensors(network.graph(), NoResidency(network.graph(), config), emitter);
  const SequentialNetwork placed = emitter.Take();
  ASSERT_EQ(placed.constants.size(), 1U);
  const auto bytes = network.graph().tensors[constant].DataBytes();
  EXPECT_EQ(placed.constants[0].bytes, std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
}

TEST(PlaceTensors, ResidentTensorsTakeNoMemory) {
  Network network(1);
  const ir::TensorId x = network.Input({1, 2, 2, 16});
  const ir::TensorId a = network.Conv(x, 32, {.h = 1, .w = 1}, {});
  network.graph().outputs = {network.Conv(a, 16, {.h = 1, .w = 1}, {})};
  const isa::HardwareConfig config;
  ResidencyPlan residency = NoResidency(network.graph(), config);
  residency.row[a] = 7;
  Emitter emitter(config, false);
  EXPECT_EQ(PlaceTensors(network.graph(), residency, emitter)[a].row, 7);
  EXPECT_EQ(emitter.Take().memory.Bytes(), 128U) << "input and output of 64 bytes";
}

}  // namespace
}  // namespace tpu::compiler
