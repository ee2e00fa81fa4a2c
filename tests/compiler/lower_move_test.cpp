// SPDX-License-Identifier: Apache-2.0
// Copies as pairs of a LOAD and a STORE.
#include "compiler/lower/lower_move.h"

#include <gtest/gtest.h>

#include "lowered.h"

namespace tpu::compiler {
namespace {

using Loops = std::vector<ir::Move::Loop>;

Lowered CopyOf(const Loops& loops, ir::Range free_rows = {.begin = 0, .end = 4096}) {
  Emitter emitter = MakeEmitter();
  emitter.SetFreeRows(free_rows);
  LowerCopy(1000, 5000, loops, emitter);
  return Lowered(emitter);
}

TEST(LowerCopy, AStripOfBytesIsOneRow) {
  const Lowered lowered = CopyOf({{.count = 100, .from_stride = 1, .to_stride = 1}});
  ASSERT_EQ(lowered.Kinds(), "load store");
  const auto load = lowered.At<isa::Load>(0);
  const auto store = lowered.At<isa::Store>(0);
  EXPECT_EQ(load.dram_addr, 1000U);
  EXPECT_EQ(load.row_bytes, 100U);
  EXPECT_EQ(load.rows, 1U);
  EXPECT_EQ(store.dram_addr, 5000U);
  EXPECT_EQ(store.row_bytes, 100U);
  EXPECT_EQ(store.row, load.row);
  // 100 bytes are 25 rows of the buffer, which the store waits for.
  const Access& written = lowered.Program()[0].accesses.back();
  EXPECT_TRUE(written.write);
  EXPECT_EQ(written.end - written.begin, 25U);
  const Access& read = lowered.Program()[1].accesses.back();
  EXPECT_FALSE(read.write);
  EXPECT_EQ(read.begin, written.begin);
  EXPECT_EQ(read.end, written.end);
}

// Six bytes of every ten, made dense.
TEST(LowerCopy, EachSideHasItsOwnRows) {
  const Lowered lowered = CopyOf({{.count = 7, .from_stride = 10, .to_stride = 6},
                                  {.count = 6, .from_stride = 1, .to_stride = 1}});
  ASSERT_EQ(lowered.Kinds(), "load store");
  const auto load = lowered.At<isa::Load>(0);
  EXPECT_EQ(load.row_bytes, 6U);
  EXPECT_EQ(load.rows, 7U);
  EXPECT_EQ(load.row_stride, 10U);
  const auto store = lowered.At<isa::Store>(0);
  EXPECT_EQ(store.row_bytes, 42U);
  EXPECT_EQ(store.rows, 1U);
}

// Rows go backwards, which no transfer does: one pair for each row.
TEST(LowerCopy, WhatATransferCannotSayIsALoopOfTheProgram) {
  const Lowered lowered = CopyOf({{.count = 3, .from_stride = -20, .to_stride = 8},
                                  {.count = 8, .from_stride = 1, .to_stride = 1}});
  ASSERT_EQ(lowered.Kinds(), "load store load store load store");
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(lowered.At<isa::Load>(i).dram_addr, 1000U - 20 * i);
    EXPECT_EQ(lowered.At<isa::Store>(i).dram_addr, 5000U + 8 * i);
  }
}

std::vector<std::uint32_t> PieceSizes(const Lowered& lowered) {
  std::vector<std::uint32_t> sizes;
  std::uint64_t next = 1000;
  for (const isa::Load& load : lowered.All<isa::Load>()) {
    EXPECT_EQ(load.dram_addr, next) << "behind the piece before";
    next += load.row_bytes;
    sizes.push_back(load.row_bytes);
  }
  return sizes;
}

TEST(LowerCopy, LargeCopiesAreCutIntoEqualPieces) {
  const Loops loops = {{.count = 20000, .from_stride = 1, .to_stride = 1}};
  EXPECT_EQ(PieceSizes(CopyOf(loops)), (std::vector<std::uint32_t>{6666, 6667, 6667}))
      << "8192 bytes at most";
}

TEST(LowerCopy, PiecesTakeHalfTheBufferAtMost) {
  const Loops loops = {{.count = 100, .from_stride = 1, .to_stride = 1}};
  EXPECT_EQ(PieceSizes(CopyOf(loops, {.begin = 0, .end = 20})),
            (std::vector<std::uint32_t>{33, 33, 34}))
      << "ten rows of four bytes";
}

// The second and third of four elements of a row, to the front of the output's second row.
PlacedGraph MoveOfType(ElementType type) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.type = type, .shape = {4}});
  const ir::TensorId y = source.Add({.type = type, .shape = {2, 2}});
  const ir::Move move = {
      .copies = {{.from = 1, .to = 2, .loops = {{.count = 2, .from_stride = 1, .to_stride = 1}}}}};
  source.Append("move", move, {x}, y);
  return source;
}

TEST(LowerMove, PositionsCountElements) {
  for (const ElementType type : {ElementType::kInt8, ElementType::kInt16, ElementType::kInt64}) {
    const auto bytes = static_cast<std::uint64_t>(ElementBytes(type));
    SCOPED_TRACE(ElementTypeName(type));
    const Lowered lowered = MoveOfType(type).Lower();
    ASSERT_EQ(lowered.Kinds(), "load store");
    EXPECT_EQ(lowered.At<isa::Load>(0).dram_addr, PlacedGraph::TensorAddress(0) + bytes);
    EXPECT_EQ(lowered.At<isa::Load>(0).row_bytes, 2 * bytes);
    EXPECT_EQ(lowered.At<isa::Store>(0).dram_addr, PlacedGraph::TensorAddress(1) + 2 * bytes);
  }
}

TEST(LowerMove, RefusesAnInputThatIsNotThere) {
  PlacedGraph source = MoveOfType(ElementType::kInt8);
  std::get<ir::Move>(source.graph().operators[0].attributes).copies[0].input = 1;
  ExpectError([&] { return source.Lower(); }, "move (MOVE): input 1 is missing");
}

}  // namespace
}  // namespace tpu::compiler
