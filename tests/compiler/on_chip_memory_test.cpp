// SPDX-License-Identifier: Apache-2.0
// Places in the on-chip memories: round and round, and never across the end.
#include "compiler/program/on_chip_memory.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tpu::compiler {
namespace {

OnChipMemory SmallMemory() {
  return OnChipMemory({.ub_rows = 10, .acc_rows = 64, .param_rows = 5, .lut_tables = 2});
}

template <typename Action>
std::string DoesNotFitOf(const Action& action) {
  try {
    action();
  } catch (const DoesNotFit& error) {
    return error.what();
  }
  return "it fits";
}

TEST(OnChipMemory, GivesTheRowsBehindThePreviousOnes) {
  OnChipMemory memory = SmallMemory();
  EXPECT_EQ(memory.AllocateBuffer(4, "a"), 0);
  EXPECT_EQ(memory.AllocateBuffer(6, "a"), 4);
  EXPECT_EQ(memory.AllocateBuffer(3, "a"), 0);
  EXPECT_EQ(memory.AllocateBuffer(8, "a"), 0) << "rows 3 to 9 are too few";
}

TEST(OnChipMemory, KeepsToTheFreeRows) {
  OnChipMemory memory = SmallMemory();
  memory.SetFreeRows({.begin = 2, .end = 6});
  EXPECT_EQ(memory.BufferRows(), 4);
  EXPECT_EQ(memory.AllocateBuffer(3, "a"), 2);
  EXPECT_EQ(memory.AllocateBuffer(3, "a"), 2);
  memory.SetFreeRows({.begin = 0, .end = 10});
  EXPECT_EQ(memory.AllocateBuffer(5, "a"), 5);
  memory.SetFreeRows({.begin = 6, .end = 10});
  EXPECT_EQ(memory.AllocateBuffer(4, "a"), 6) << "row 10 lies behind the free rows";
}

TEST(OnChipMemory, GivesEntriesTablesAndHalvesInTurn) {
  OnChipMemory memory = SmallMemory();
  EXPECT_EQ(memory.AllocateParameters(3, "a"), 0);
  EXPECT_EQ(memory.AllocateParameters(2, "a"), 3);
  EXPECT_EQ(memory.AllocateParameters(1, "a"), 0);
  EXPECT_EQ(memory.AllocateLookup(1), 0);
  EXPECT_EQ(memory.AllocateLookup(1), 1);
  EXPECT_EQ(memory.AllocateLookup(1), 0);
  EXPECT_EQ(memory.NextAccumulators(), 32);
  EXPECT_EQ(memory.NextAccumulators(), 0);
}

TEST(OnChipMemory, SaysWhichLayerDoesNotFit) {
  OnChipMemory memory = SmallMemory();
  EXPECT_EQ(DoesNotFitOf([&] { memory.AllocateBuffer(11, "op3"); }),
            "op3: needs 11 rows of unified buffer, there are 10");
  EXPECT_EQ(DoesNotFitOf([&] { memory.AllocateParameters(6, "op3"); }),
            "op3: needs 6 parameter entries, the machine has 5");
}

TEST(OnChipMemory, NeighboursHaveHalvesOfTheRowsSideBySide) {
  OnChipMemory memory({.ub_rows = 10}, Overlap::kTwoSideBySide);
  EXPECT_EQ(memory.LayerRows(), 5);
  const std::int64_t first = memory.AllocateBuffer(3, "a");
  const std::int64_t second = memory.AllocateBuffer(5, "b");
  EXPECT_EQ(first + second, 5);
  EXPECT_EQ(memory.AllocateBuffer(2, "c"), first);
  EXPECT_EQ(memory.AllocateBuffer(5, "d"), second);
  EXPECT_EQ(memory.AllocateBuffer(8, "e"), 0) << "more than half";
}

TEST(OnChipMemory, ThreeLayersSideBySideHaveThirdsOfTheRows) {
  OnChipMemory memory({.ub_rows = 12}, Overlap::kThreeSideBySide);
  EXPECT_EQ(memory.LayerRows(), 4);
  std::set<std::int64_t> places;
  for (const char* layer : {"a", "b", "c"}) places.insert(memory.AllocateBuffer(4, layer));
  EXPECT_EQ(places, (std::set<std::int64_t>{0, 4, 8}));
}

}  // namespace
}  // namespace tpu::compiler
