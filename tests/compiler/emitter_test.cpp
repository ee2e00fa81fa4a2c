// SPDX-License-Identifier: Apache-2.0
// What the emitter appends is what was handed over, in the same order and nothing else.
#include "compiler/program/emitter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <variant>
#include <vector>

namespace tpu::compiler {
namespace {

using testing::ElementsAre;

isa::Instruction Weights(std::uint32_t tiles) {
  isa::Weights weights;
  weights.tiles = tiles;
  return weights;
}

// The tiles of each instruction of a program that Weights made.
std::vector<std::uint32_t> Tiles(const SequentialProgram& program) {
  std::vector<std::uint32_t> tiles;
  for (const SequentialInstruction& instruction : program) {
    tiles.push_back(std::get<isa::Weights>(instruction.instruction).tiles);
  }
  return tiles;
}

TEST(Emitter, AppendsInOrderAndSplitsAtHostCalls) {
  Emitter emitter({}, false);
  emitter.BeginLayer({.name = "a"});
  emitter.Emit(Weights(1), {});
  emitter.Emit(Weights(2), {{.space = Space::kLookup, .write = true, .begin = 3, .end = 4}});
  emitter.BeginLayer({.name = "b"});
  emitter.Call({.attributes = host_operators::Softmax{}});
  emitter.Emit(Weights(3), {});
  const SequentialNetwork network = emitter.Take();
  ASSERT_EQ(network.steps.size(), 3U);
  const auto& first = std::get<SequentialProgram>(network.steps[0]);
  EXPECT_THAT(Tiles(first), ElementsAre(1, 2));
  EXPECT_TRUE(first[0].accesses.empty());
  ASSERT_EQ(first[1].accesses.size(), 1U);
  EXPECT_EQ(first[1].accesses[0].begin, 3U);
  EXPECT_EQ(first[1].layer, 0U);
  EXPECT_EQ(std::get<executable::HostCall>(network.steps[1]).layer, 1U);
  EXPECT_THAT(Tiles(std::get<SequentialProgram>(network.steps[2])), ElementsAre(3));
}

// Legal operators that come from one operator of the model.
TEST(Emitter, MakesOneLayerOfNeighboursWithOneNameAndOperator) {
  Emitter emitter({}, false);
  emitter.BeginLayer({.name = "a", .op = "MEAN", .macs = 2});
  emitter.BeginLayer({.name = "a", .op = "MEAN", .macs = 3, .host = true});
  emitter.BeginLayer({.name = "a", .op = "SUM", .macs = 4});
  const SequentialNetwork network = emitter.Take();
  ASSERT_EQ(network.layers.size(), 2U);
  EXPECT_EQ(network.layers[0].macs, 5U);
  EXPECT_TRUE(network.layers[0].host);
  EXPECT_EQ(network.layers[1].macs, 4U);
}

TEST(Emitter, KeepsConstantsApart) {
  Emitter emitter({}, false);
  EXPECT_EQ(emitter.AddConstant({1, 2, 3}), 0U);
  EXPECT_EQ(emitter.AddConstant({4}), 64U);
  const SequentialNetwork network = emitter.Take();
  ASSERT_EQ(network.constants.size(), 2U);
  EXPECT_THAT(network.constants[0].bytes, ElementsAre(1, 2, 3));
  EXPECT_EQ(network.constants[1].address, 64U);
}

TEST(Emitter, TriesWithThisLayerAndTheOneBefore) {
  Emitter emitter({}, true);
  std::uint32_t tiles = 0;
  for (const char* layer : {"a", "b", "c"}) {
    emitter.BeginLayer({.name = layer});
    emitter.Emit(Weights(++tiles), {});
  }
  emitter.AllocateBuffer(5);
  Emitter trial = emitter.Trial();
  EXPECT_FALSE(trial.TriesTilings());
  EXPECT_THAT(Tiles(trial.LastProgram()), ElementsAre(2, 3));
  EXPECT_EQ(trial.AllocateBuffer(1), 5);
  EXPECT_EQ(trial.LayerName(), "c");
  trial.Emit(Weights(9), {});
  EXPECT_THAT(Tiles(emitter.LastProgram()), ElementsAre(1, 2, 3));
}

struct Loaded {
  std::uint64_t address = 0;
  std::uint32_t row_bytes = 0;
  std::uint32_t rows = 0;
  std::uint32_t row = 0;
  friend bool operator==(const Loaded&, const Loaded&) = default;
};

// Two channel blocks of eight lanes of 6 x 4 pixels: 16 bytes a pixel, 64 an image row, 384 a
// block. A UB row has a quarter of the channels of two pixels, one below the other.
std::vector<Loaded> LoadsOfRowPairs(ir::Range rows, ir::Range columns) {
  const Placement placement = {.address = 10'000,
                               .layout = Layout::kRowPairs,
                               .images = {.h = 6, .w = 4, .c = 16},
                               .format = isa::kFormatOf<Bfloat16>};
  const Tile tile = Tile::InPieces(100, rows, columns, kSquare);
  Emitter emitter({.n = 8}, false);
  emitter.BeginLayer({});
  emitter.LoadWide(placement, 0, {.begin = 0, .end = 2}, tile);
  std::vector<Loaded> loads;
  for (const SequentialInstruction& instruction : emitter.LastProgram()) {
    const auto& load = std::get<isa::Load>(instruction.instruction);
    EXPECT_EQ(load.format, isa::NumberFormat::kInt8);
    EXPECT_EQ(load.pixel_bytes, 16U);
    EXPECT_EQ(load.row_stride, 128U);
    EXPECT_EQ(load.plane_stride, static_cast<std::uint32_t>(2 * tile.plane));
    loads.push_back({load.dram_addr, load.row_bytes, load.rows, load.row});
  }
  return loads;
}

TEST(Emitter, LoadsUpperAndLowerRowsOfRowPairs) {
  EXPECT_EQ(LoadsOfRowPairs({.begin = 0, .end = 3}, {.begin = 0, .end = 4}),
            (std::vector<Loaded>{{10'000, 64, 6, 100}, {10'064, 64, 6, 148}}));
  EXPECT_EQ(
      LoadsOfRowPairs({.begin = 1, .end = 3}, {.begin = 1, .end = 3}),
      (std::vector<Loaded>{
          {10'144, 32, 2, 100}, {10'528, 32, 2, 104}, {10'208, 32, 2, 116}, {10'592, 32, 2, 120}}));
}

}  // namespace
}  // namespace tpu::compiler
