// SPDX-License-Identifier: Apache-2.0
// The board as a device: what goes over the line, and what is done before.
#include "devices/board/board_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/error.h"
#include "board_wire.h"
#include "isa/registers.h"

namespace tpu::devices {
namespace {

using link::Board;
using link::BoardWire;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using Writes = std::vector<std::array<std::uint32_t, 2>>;

constexpr auto kControl = static_cast<std::uint32_t>(isa::Register::kControl);
constexpr auto kIrqClear = static_cast<std::uint32_t>(isa::Register::kIrqClear);
// What each session begins with.
const Writes kBegin = {{kControl, isa::bits::kControl_::soft_reset}, {kIrqClear, 1}};

BoardDevice Connect(Board& board, const BoardWire** wire = nullptr, BoardProgress progress = {}) {
  auto owned = std::make_unique<BoardWire>(board);
  if (wire != nullptr) *wire = owned.get();
  return BoardDevice(std::make_unique<link::Link>(std::move(owned)), std::move(progress));
}

TEST(BoardDevice, SendsOnlyPiecesThatDiffer) {
  Board board;
  const BoardWire* wire = nullptr;
  std::vector<std::uint64_t> progress;
  BoardDevice device = Connect(board, &wire, [&](std::uint64_t done, std::uint64_t all) {
    EXPECT_EQ(all, 40'000U);
    progress.push_back(done);
  });
  std::vector<std::uint8_t> bytes(40'000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * i >> 3);
  device.WriteMemory(100, bytes);
  EXPECT_TRUE(std::ranges::equal(std::span(board.memory()).subspan(100, bytes.size()), bytes));
  EXPECT_EQ(progress, (std::vector<std::uint64_t>{0, 16'384, 32'768, 40'000}));
  std::uint64_t before = wire->sent();
  device.WriteMemory(100, bytes);
  EXPECT_LE(wire->sent() - before, 200U);
  bytes[20'000] ^= 1U;
  before = wire->sent();
  device.WriteMemory(100, bytes);
  EXPECT_LE(wire->sent() - before, 17'000U);
  EXPECT_EQ(board.memory()[20'100], bytes[20'000]);
}

TEST(BoardDevice, NoticesMemoryThatDoesNotKeepItsBytes) {
  Board board;
  BoardDevice device = Connect(board, nullptr, [&](std::uint64_t done, std::uint64_t) {
    // Most of the first piece is there.
    if (done == 16'384) board.memory()[50] ^= 1U;
  });
  const std::vector<std::uint8_t> bytes(20'000, 0x5A);
  EXPECT_THAT([&] { device.WriteMemory(0, bytes); },
              ThrowsMessage<Error>(HasSubstr("does not keep what is written to addresses 0 to")));
}

TEST(BoardDevice, KnowsTheEndOfItsMemory) {
  Board board;
  BoardDevice device = Connect(board);
  std::vector<std::uint8_t> bytes(11);
  EXPECT_THAT([&] { device.ReserveMemory(Board::kMemoryBytes + 1); },
              ThrowsMessage<Error>(HasSubstr("65537 bytes from address 0 on are needed")));
  EXPECT_THAT([&] { device.ReadMemory(Board::kMemoryBytes - 10, bytes); },
              ThrowsMessage<Error>(HasSubstr("the board's memory has 65536")));
}

TEST(BoardDevice, SetsTheBoardUpOnce) {
  Board board;
  board.setup() = {3, 0x10804, 7, 0, 0x10808, 9, 2'000, 0x10804, 8, 0};
  const std::uint64_t before = board.cycles();
  Connect(board);
  Writes writes;
  for (const auto& write : board.writes()) {
    if (write[0] != link::kSetupIndex) writes.push_back(write);
  }
  Writes expected = kBegin;
  expected.insert(expected.end(),
                  {{0x10804, 7}, {0x10808, 9}, {0x10804, 8}, {link::kSetupReady, 1}});
  EXPECT_EQ(writes, expected);
  EXPECT_GE(board.cycles() - before, 2'000U);
  const std::size_t count = board.writes().size();
  Connect(board);
  EXPECT_EQ(
      Writes(board.writes().begin() + static_cast<std::ptrdiff_t>(count), board.writes().end()),
      kBegin);
}

/// No steps, and two lanes with eight delays and four shifts.
const std::vector<std::uint32_t> kTwoLanes = {0,
                                              2,
                                              Board::kSelect,
                                              Board::kFirstDelay,
                                              Board::kNextDelay,
                                              Board::kFirstShift,
                                              Board::kNextShift,
                                              8,
                                              4};

TEST(BoardDevice, LevelsReadsOfTheMemory) {
  Board board;
  board.setup() = kTwoLanes;
  board.lanes() = {{.right_shift = 2, .right_delay = 3, .right_delays = 5},
                   {.right_shift = 0, .right_delay = 1, .right_delays = 1}};
  BoardDevice device = Connect(board);
  EXPECT_EQ(board.lanes()[0].shift, 2U);
  EXPECT_EQ(board.lanes()[0].delay, 5U);
  EXPECT_EQ(board.lanes()[1].shift, 0U);
  EXPECT_EQ(board.lanes()[1].delay, 1U);
  const std::vector<std::uint8_t> written(3'000, 0x5A);
  std::vector<std::uint8_t> read(written.size());
  device.WriteMemory(64, written);
  device.ReadMemory(64, read);
  EXPECT_EQ(read, written);
  // The next host finds the board as it is.
  const std::size_t count = board.writes().size();
  Connect(board);
  for (std::size_t i = count; i < board.writes().size(); ++i) {
    EXPECT_NE(board.writes()[i][0], Board::kSelect);
  }
}

TEST(BoardDevice, NamesALaneThatNoTimingReadsRight) {
  Board board;
  board.setup() = kTwoLanes;
  board.lanes() = {{.right_shift = 1, .right_delay = 0, .right_delays = 8},
                   {.right_shift = 4, .right_delay = 0, .right_delays = 8}};
  EXPECT_THAT([&] { Connect(board); },
              ThrowsMessage<Error>(HasSubstr("no delay of 8 and no shift of 4 reads lane 1")));
}

TEST(BoardDevice, RefusesATableWithTooManyLanes) {
  Board board;
  board.setup() = kTwoLanes;
  board.setup()[1] = 17;
  EXPECT_THAT([&] { Connect(board); }, ThrowsMessage<Error>(HasSubstr("has 17 lanes")));
}

TEST(BoardDevice, RefusesATableThatIsNone) {
  Board board;
  board.setup() = {0xDEADBEEF};
  EXPECT_THAT([&] { Connect(board); }, ThrowsMessage<Error>(HasSubstr("has 3735928559 steps")));
}

TEST(BoardDevice, LeavesABoardWithoutATableAlone) {
  Board board;
  const BoardDevice device = Connect(board);
  EXPECT_EQ(device.ClockHz(), 60'000'000U);
  for (const auto& write : board.writes()) EXPECT_NE(write[0], link::kSetupReady);
}

TEST(OpenLine, NamesWhatIsWrongWithAName) {
  EXPECT_THAT([] { OpenLine("golden"); },
              ThrowsMessage<Error>(HasSubstr("golden: names no board")));
  EXPECT_THAT([] { OpenLine("uart:/dev/null@12x"); },
              ThrowsMessage<Error>(HasSubstr("no number of bits per second")));
  EXPECT_THAT([] { OpenLine("tcp:host"); }, ThrowsMessage<Error>(HasSubstr("names no port")));
  unsetenv("TPU_TOKEN");
  EXPECT_THAT([] { OpenLine("tcp:localhost:1"); },
              ThrowsMessage<Error>(HasSubstr("TPU_TOKEN is not set")));
}

}  // namespace
}  // namespace tpu::devices
