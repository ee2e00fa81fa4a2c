// SPDX-License-Identifier: Apache-2.0
// The host's link and the RTL of the board's.
#include "link/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "base/error.h"
#include "board_wire.h"

namespace tpu::link {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Bytes RandomBytes(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  Bytes bytes(count);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(rng());
  return bytes;
}

TEST(Link, KnowsTheBoard) {
  Board board;
  const Link link(std::make_unique<BoardWire>(board));
  EXPECT_EQ(link.info().clock_hz, 60'000'000U);
  EXPECT_EQ(link.info().memory_bytes, 65'536U);
}

// Ranges that begin and end anywhere; what lies beside them stays.
TEST(Link, WritesAndReadsAnyRangeUnderStalls) {
  Board board({.latency = 3,
               .ready_after_valid = true,
               .stalls = {.ar = 0.3, .r = 0.3, .aw = 0.3, .w = 0.3, .b = 0.3}});
  Bytes expected = RandomBytes(Board::kMemoryBytes, 1);
  board.memory() = expected;
  Link link(std::make_unique<BoardWire>(board));
  std::mt19937_64 rng(2);
  for (int i = 0; i < 40; ++i) {
    const std::size_t length = 1 + rng() % (i % 4 == 0 ? 2500 : 9);
    const auto address = static_cast<std::uint32_t>(rng() % (Board::kMemoryBytes - length));
    const Bytes written = RandomBytes(length, rng());
    std::ranges::copy(written, expected.begin() + address);
    link.WriteMemory(address, written);
    Bytes read(length);
    link.ReadMemory(address, read);
    ASSERT_EQ(read, written) << "address " << address << " length " << length;
  }
  EXPECT_EQ(board.memory(), expected);
  EXPECT_EQ(link.repeated(), 0U);
}

TEST(Link, WritesRegistersInOrderAndReadsMany) {
  Board board;
  Link link(std::make_unique<BoardWire>(board));
  std::vector<std::array<std::uint32_t, 2>> expected;
  for (std::uint32_t i = 0; i < 40; ++i) {
    expected.push_back({4 * (i % 5), i * 0x01010101});
    link.WriteRegister(expected.back()[0], expected.back()[1]);
  }
  link.Flush();
  EXPECT_EQ(board.writes(), expected);
  std::vector<std::uint32_t> values(600);
  for (std::uint32_t i = 0; i < values.size(); ++i) board.registers()[0x100 + 4 * i] = i * 7919;
  link.ReadRegisters(0x100, values);
  for (std::uint32_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], i * 7919) << i;
}

TEST(Link, ComputesChecksumsOnTheBoard) {
  Board board;
  board.memory() = RandomBytes(Board::kMemoryBytes, 3);
  Link link(std::make_unique<BoardWire>(board));
  const std::span<const std::uint8_t> memory = board.memory();
  for (const auto& [address, bytes] :
       {std::pair(0U, 1U), {3U, 2U}, {1021U, 6U}, {1024U, 1024U}, {777U, 5000U}}) {
    const std::vector<std::uint32_t> crcs = link.Checksums(address, bytes, 2048);
    for (std::uint32_t at = 0; at < bytes; at += 2048) {
      const std::uint32_t piece = std::min(2048U, bytes - at);
      EXPECT_EQ(crcs.at(at / 2048), Crc32(memory.subspan(address + at, piece)))
          << address << ", " << bytes;
    }
  }
}

TEST(Link, WaitsForTheInterrupt) {
  Board board;
  Link link(std::make_unique<BoardWire>(board));
  std::uint64_t before = board.cycles();
  EXPECT_FALSE(link.WaitForInterrupt(5000));
  EXPECT_GE(board.cycles() - before, 5000U);
  board.RaiseInterrupt(true);
  before = board.cycles();
  EXPECT_TRUE(link.WaitForInterrupt(1'000'000));
  EXPECT_LE(board.cycles() - before, 5000U);
}

// The figure; random data, as weights are.
TEST(Link, CarriesMoreThan85PercentOfTheWireInBothDirections) {
  Board board;
  Link link(std::make_unique<BoardWire>(board));
  Bytes bytes = RandomBytes(32 * 1024, 4);
  const double wire_cycles = static_cast<double>(bytes.size()) * 10 * Board::kBitCycles;
  std::uint64_t before = board.cycles();
  link.WriteMemory(0, bytes);
  link.Flush();
  EXPECT_LE(static_cast<double>(board.cycles() - before), wire_cycles / 0.85);
  before = board.cycles();
  link.ReadMemory(0, bytes);
  EXPECT_LE(static_cast<double>(board.cycles() - before), wire_cycles / 0.85);
}

TEST(Link, ReportsErrorsOfTheBus) {
  Board board;
  const auto message = ThrowsMessage<Error>(HasSubstr("bus answered with an error"));
  const Bytes bytes(10);
  {
    Link link(std::make_unique<BoardWire>(board));
    link.WriteMemory(Board::kMemoryBytes - 5, bytes);
    EXPECT_THAT([&] { link.Flush(); }, message);
    std::array<std::uint8_t, 4> read;
    EXPECT_THAT([&] { link.ReadMemory(0, read); }, message) << "until the next session";
  }
  {
    Link link(std::make_unique<BoardWire>(board));
    link.WriteRegister(Board::kRegisterBytes, 1);
    EXPECT_THAT([&] { link.Flush(); }, message);
  }
  {
    Link link(std::make_unique<BoardWire>(board));
    std::array<std::uint32_t, 1> value;
    EXPECT_THAT([&] { link.ReadRegisters(Board::kRegisterBytes, value); }, message);
  }
  {
    Link link(std::make_unique<BoardWire>(board));
    std::array<std::uint32_t, 2> values;
    EXPECT_THAT([&] { link.ReadRegisters(Board::kWrongRegister, values); }, message)
        << "the first of two";
  }
  Link link(std::make_unique<BoardWire>(board));
  EXPECT_THAT([&] { link.Checksums(Board::kMemoryBytes - 4, 8, 1024); }, message);
}

TEST(Link, RefusesWhatNoBoardDoes) {
  Board board;
  const auto message = ThrowsMessage<Error>(HasSubstr("refused"));
  {
    Link link(std::make_unique<BoardWire>(board));
    link.WriteRegister(2, 0);
    EXPECT_THAT([&] { link.Flush(); }, message);
  }
  Link link(std::make_unique<BoardWire>(board));
  EXPECT_THAT([&] { link.Checksums(0xFFFFFFF0, 0x20, 1024); }, message);
}

// A frame of which only a part came, with answers of the dead host's requests on their way.
TEST(Link, BeginsBehindAHostThatDied) {
  Board board;
  const Bytes bytes = RandomBytes(900, 5);
  for (std::size_t sent = 1; sent < 900; sent += 77) {
    Link link(std::make_unique<BoardWire>(board));
    link.WriteMemory(0, bytes);
    link.Flush();
    // Another host's requests, the last one cut.
    BoardWire dead(board);
    const Bytes read = ToWire({.number = 200, .command = Command::kReadMemory, .length = 800});
    const Bytes write = ToWire({.number = 201,
                                .command = Command::kWriteMemory,
                                .length = static_cast<std::uint32_t>(bytes.size()),
                                .bytes = bytes});
    dead.Send(read);
    dead.Send(std::span(write).first(sent));
    Link next(std::make_unique<BoardWire>(board));
    Bytes back(bytes.size());
    next.ReadMemory(0, back);
    ASSERT_EQ(back, bytes) << sent;
  }
}

TEST(Link, SaysThatTheBoardWasReset) {
  Board board;
  Link link(std::make_unique<BoardWire>(board));
  link.WriteRegister(0, 1);
  link.Flush();
  board.Reset();
  link.WriteRegister(0, 2);
  EXPECT_THAT([&] { link.Flush(); }, ThrowsMessage<Error>(HasSubstr("was reset")));
  EXPECT_EQ(board.writes().size(), 1U) << "nothing is done for a session that is over";
}

/// The answers to these requests, sent at once; fewer, if no more come.
std::vector<Answer> Answers(Board& board, const std::vector<Request>& requests) {
  BoardWire wire(board);
  Bytes bytes = {0};
  for (const Request& request : requests) {
    const Bytes frame = ToWire(request);
    bytes.insert(bytes.end(), frame.begin(), frame.end());
  }
  wire.Send(bytes);
  std::vector<Answer> answers;
  AnswerReader reader;
  std::array<std::uint8_t, 256> received;
  while (answers.size() < requests.size()) {
    const std::size_t count = wire.Receive(received, {});
    if (count == 0) break;
    for (std::size_t i = 0; i < count; ++i) {
      const auto taken = reader.Take(received[i]);
      if (!taken) continue;
      EXPECT_TRUE(*taken) << "a damaged frame";
      if (*taken) answers.push_back(**taken);
    }
  }
  return answers;
}

// Each one gets the word of its own place in the frame. The link of this project writes one
// register with a frame; another host may write several.
TEST(Link, WritesSeveralRegistersOfAFrame) {
  Board board;
  constexpr std::uint32_t kFirst = 0x1234;
  std::vector<std::array<std::uint32_t, 2>> expected;
  Bytes bytes;
  std::mt19937 rng(3);
  for (std::uint32_t i = 0; i < 5; ++i) {
    const auto word = static_cast<std::uint32_t>(rng());
    expected.push_back({kFirst + 4 * i, word});
    for (unsigned shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<std::uint8_t>(word >> shift));
    }
  }
  const std::vector<Answer> answers =
      Answers(board, {{.number = 1, .command = Command::kHello},
                      {.number = 2,
                       .command = Command::kWriteRegisters,
                       .address = kFirst,
                       .length = static_cast<std::uint32_t>(bytes.size()),
                       .bytes = bytes}});
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[1].status, Status::kOk);
  EXPECT_EQ(board.writes(), expected);
}

// Its checksum is right, but its bytes are not as many as its length says. The board counts to
// 2,047: what lies behind looks like another frame.
TEST(Link, TakesAFrameOfAnotherLengthForADamagedOne) {
  Board board;
  const Bytes before = board.memory();
  const Bytes header = {2, static_cast<std::uint8_t>(Command::kWriteMemory), 0, 0, 0, 0, 8, 0, 0,
                        0};
  ASSERT_EQ(header.size(), kHeaderBytes);
  for (const std::size_t bytes : {0U, 7U, 9U, 2048U + 8U}) {
    SCOPED_TRACE(bytes);
    Bytes written(bytes, 0x5A);
    if (bytes > 2048) std::ranges::copy(header, written.begin() + 2048 - kHeaderBytes);
    const std::vector<Answer> answers = Answers(
        board, {{.number = 1, .command = Command::kHello},
                {.number = 2, .command = Command::kWriteMemory, .length = 8, .bytes = written}});
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_EQ(answers[1].status, Status::kResend);
    EXPECT_EQ(answers[1].number, 2);
    EXPECT_EQ(board.memory(), before);
  }
}

// What is done in a few cycles is answered, too, while the end of a long answer still waits for the
// line.
TEST(Link, AnswersWhatComesBehindALongAnswer) {
  Board board;
  board.memory() = RandomBytes(Board::kMemoryBytes, 6);
  for (std::uint32_t length = 1000; length < 1010; ++length) {
    SCOPED_TRACE(length);
    const std::vector<Answer> answers =
        Answers(board, {{.number = 7, .command = Command::kHello},
                        {.number = 8, .command = Command::kReadMemory, .length = length},
                        {.number = 9, .command = Command::kReadMemory, .address = 1, .length = 0},
                        {.number = 10, .command = Command::kWait}});
    ASSERT_EQ(answers.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(answers[i].number, 7 + i);
      EXPECT_EQ(answers[i].status, i == 2 ? Status::kRefused : Status::kOk);
    }
    EXPECT_TRUE(std::ranges::equal(answers[1].bytes, std::span(board.memory()).first(length)));
  }
}

// Whenever a reset comes, the next session begins at once, and nothing of the one before is done.
TEST(Link, BeginsBehindAReset) {
  const Bytes hello = ToWire({.number = 1, .command = Command::kHello});
  const std::array<std::uint8_t, 8> values = {1, 2, 3, 4, 5, 6, 7, 8};
  const Bytes write =
      ToWire({.number = 2, .command = Command::kWriteRegisters, .length = 8, .bytes = values});
  const Bytes read = ToWire({.number = 3, .command = Command::kReadMemory, .length = 40});
  const Bytes crc = ToWire({.number = 4, .command = Command::kChecksum, .length = 99});
  Bytes session = {0};
  for (const Bytes* frame : {&hello, &write, &read, &crc, &read}) {
    session.insert(session.end(), frame->begin(), frame->end());
  }
  for (int moment = 300; moment < 5'500; moment += 11) {
    SCOPED_TRACE(moment);
    Board board({.latency = 8, .stalls = {.ar = 0.5, .r = 0.5}});
    for (const std::uint8_t byte : session) board.driver().Send(byte);
    for (int cycle = 0; cycle < moment; ++cycle) board.Tick();
    board.Reset();
    const std::size_t writes = board.writes().size();
    const std::vector<Answer> answers = Answers(
        board, {{.number = 9, .command = Command::kHello},
                {.number = 10, .command = Command::kReadMemory, .address = 4, .length = 5}});
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_EQ(answers[0].number, 9);
    EXPECT_EQ(answers[1].number, 10);
    EXPECT_EQ(board.writes().size(), writes);
  }
}

/// Nobody is there.
class SilentWire final : public Wire {
 public:
  void Send(std::span<const std::uint8_t>) override {}
  std::size_t Receive(std::span<std::uint8_t>, std::chrono::milliseconds) override { return 0; }
  [[nodiscard]] std::string Name() const override { return "/dev/nobody"; }
  [[nodiscard]] unsigned BytesPerSecond() const override { return 100'000; }
};

/// Something else is there, and talks all the time.
class NoisyWire final : public Wire {
 public:
  explicit NoisyWire(std::uint8_t mask) : mask_(mask) {}
  void Send(std::span<const std::uint8_t>) override {}
  std::size_t Receive(std::span<std::uint8_t> bytes, std::chrono::milliseconds) override {
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(rng_() | mask_);
    return bytes.size();
  }
  [[nodiscard]] std::string Name() const override { return "/dev/nobody"; }
  [[nodiscard]] unsigned BytesPerSecond() const override { return 100'000; }

 private:
  std::uint8_t mask_;
  std::mt19937_64 rng_{1};
};

TEST(Link, SaysThatNoBoardAnswers) {
  const auto message = ThrowsMessage<Error>(HasSubstr("/dev/nobody: no board answers"));
  EXPECT_THAT([] { Link link(std::make_unique<SilentWire>()); }, message);
  EXPECT_THAT([] { Link link(std::make_unique<NoisyWire>(0)); }, message);
  EXPECT_THAT([] { Link link(std::make_unique<NoisyWire>(1)); }, message) << "without any zero";
}

}  // namespace
}  // namespace tpu::link
