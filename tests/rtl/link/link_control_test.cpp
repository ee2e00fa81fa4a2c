// SPDX-License-Identifier: Apache-2.0
// What a board answers a frame with, and what it does for it, alone: random frames of any kind,
// against the rules of docs/boards.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "Vtpu_link_control.h"
#include "link/protocol.h"
#include "tb/dut.h"
#include "tests/seeds.h"

namespace tpu {
namespace {

using link::Command;
using link::Status;

constexpr std::uint32_t kClockHz = 12'345'678;  // As in CMakeLists.txt.
constexpr std::uint32_t kBoardBytes = 0x12345;

struct Frame {
  bool good;
  std::uint8_t number;
  Command command = Command::kHello;
  std::uint32_t address;
  std::uint32_t length;
};

/// What the rules ask for.
struct Expected {
  std::uint8_t number = 0;
  Status status = Status::kOk;
  /// Memory, the registers or the interrupt is asked.
  bool does = false;
};

bool Writes(Command command) {
  return command == Command::kWriteMemory || command == Command::kWriteRegisters;
}

/// Whether a board does this at all.
bool IsAllowed(const Frame& frame) {
  const std::uint64_t end = std::uint64_t{frame.address} + frame.length;
  const bool in_block =
      frame.length != 0 &&
      frame.address % link::kBlockBytes + std::uint64_t{frame.length} <= link::kBlockBytes;
  switch (frame.command) {
    case Command::kHello:
    case Command::kWait:
      return true;
    case Command::kReadMemory:
    case Command::kWriteMemory:
      return in_block;
    case Command::kReadRegisters:
    case Command::kWriteRegisters:
      return in_block && frame.address % 4 == 0 && frame.length % 4 == 0;
    case Command::kChecksum:
      return frame.length != 0 && end <= std::uint64_t{1} << 32U;
  }
  return false;
}

/// The board's side of a session.
class Session {
 public:
  /// `failed`: accesses of this frame are answered with an error.
  Expected Take(const Frame& frame, bool failed) {
    const bool hello = frame.command == Command::kHello;
    const auto ahead = static_cast<std::int8_t>(frame.number - expected_);
    if (!frame.good || (open_ && !hello && ahead > 0)) return {expected_, Status::kResend};
    if (hello || ahead == 0) expected_ = static_cast<std::uint8_t>(frame.number + 1);
    if (hello) {
      open_ = true;
      error_ = false;
    }
    if (!open_) return {frame.number, Status::kNoSession};
    if (error_) return {frame.number, Status::kBusError};
    if (!IsAllowed(frame)) return {frame.number, Status::kRefused};
    if (hello || (ahead < 0 && Writes(frame.command))) return {frame.number, Status::kOk};
    error_ = failed && frame.command != Command::kWait;
    return {frame.number, error_ ? Status::kBusError : Status::kOk, true};
  }
  [[nodiscard]] std::uint8_t expected() const { return expected_; }

 private:
  bool open_ = false;
  bool error_ = false;
  std::uint8_t expected_ = 0;
};

class LinkControl {
 public:
  explicit LinkControl(unsigned seed) : dut_(seed), rng_(seed) {
    dut_->frame_valid = 0;
    Idle();
    dut_.Reset();
  }

  void Run(int frames) {
    for (int i = 0; i < frames; ++i) {
      for (std::uint32_t idle = Below(3); idle != 0; --idle) {
        Idle();
        dut_.Eval();
        ExpectNothing();
        dut_.Tick();
      }
      const Frame frame = RandomFrame();
      SCOPED_TRACE(fmt::format(
          "frame {}: good {}, number {}, command {}, address {:#x}, length {:#x}", i, frame.good,
          frame.number, static_cast<int>(frame.command), frame.address, frame.length));
      if (Below(30) == 0) {
        Interrupt(frame);
      } else {
        Answer(frame);
      }
      if (::testing::Test::HasFailure()) return;
    }
  }

 private:
  std::uint32_t Random() { return static_cast<std::uint32_t>(rng_()); }
  std::uint32_t Below(std::uint32_t end) { return Random() % end; }
  bool Flip() { return Below(2) != 0; }

  Frame RandomFrame() {
    Frame frame{};
    frame.good = Below(12) != 0;
    // Mostly the number that comes next, or one near it
    const std::uint32_t ahead = Below(4) != 0 ? 0 : Below(2) != 0 ? Below(9) - 4 : Random();
    frame.number = static_cast<std::uint8_t>(session_.expected() + ahead);
    frame.command = static_cast<Command>(Below(20) == 0 ? 0 : Below(8) != 0 ? 2 + Below(7) : 1);
    // Blocks that are filled, or by a little not, and ranges that end with the address space, or a
    // little beyond
    const std::uint32_t length = Below(3) != 0 ? Below(30) : link::kBlockBytes + 4 - Below(9);
    const std::uint32_t end = Below(2) != 0 ? link::kBlockBytes + Below(6) - 3 : Random();
    frame.length = Below(12) != 0 ? length : length + (1U << (10 + Below(22)));
    frame.address = (Below(2) != 0 ? Random() << 10U : 0xFFFFFC00) + end - frame.length;
    if (Below(2) != 0) {
      frame.address &= ~3U;
      frame.length &= ~3U;
    }
    if (frame.command == Command::kWait) frame.length = Below(40);
    return frame;
  }

  /// Inputs that nobody may look at
  void Idle() {
    dut_->irq = 0;
    Show({.good = Below(2) != 0,
          .number = static_cast<std::uint8_t>(Random()),
          .command = static_cast<Command>(Below(8)),
          .address = Random(),
          .length = Random()});
    Noise();
  }
  void Noise() {
    dut_->memory_done = dut_->registers_done = 0;
    dut_->memory_failed = Flip();
    dut_->registers_failed = Flip();
    dut_->crc = Random();
    dut_->answer_done = Flip();
  }
  void Show(const Frame& frame) {
    dut_->frame_good = frame.good;
    dut_->frame_number = frame.number;
    dut_->frame_command = static_cast<std::uint8_t>(frame.command);
    dut_->frame_address = frame.address;
    dut_->frame_length = frame.length;
  }

  /// Which of memory_read, memory_write, memory_crc, registers_read, registers_write are asked.
  std::uint32_t Strobes() {
    const std::array strobes = {dut_->memory_read, dut_->memory_write, dut_->memory_crc,
                                dut_->registers_read, dut_->registers_write};
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < strobes.size(); ++i) bits |= std::uint32_t{strobes[i]} << i;
    return bits;
  }
  void ExpectNothing() {
    EXPECT_EQ(Strobes(), 0U);
    EXPECT_EQ(dut_->wr_en, 0);
    EXPECT_EQ(dut_->answer, 0);
    EXPECT_EQ(dut_->frame_taken, 0);
  }
  static std::uint32_t StrobeOf(Command command) {
    constexpr std::array kCommands = {Command::kReadMemory, Command::kWriteMemory,
                                      Command::kChecksum, Command::kReadRegisters,
                                      Command::kWriteRegisters};
    const auto* found = std::ranges::find(kCommands, command);
    return found == kCommands.end() ? 0 : 1U << static_cast<unsigned>(found - kCommands.begin());
  }

  /// The frame, until it is taken.
  void Answer(const Frame& frame) {
    const bool failed = Below(10) == 0;
    const bool waits = frame.command == Command::kWait;
    const bool of_memory = StrobeOf(frame.command) < StrobeOf(Command::kReadRegisters);
    const Expected expected = session_.Take(frame, failed);
    const std::uint32_t crc = Random();
    // Of the interrupt, if one comes while the board waits for it
    const std::uint32_t rises = Below(2) != 0 ? Below(2 * frame.length + 8) : ~0U;
    // Counted from the cycle in which the access begins
    std::uint32_t access = 1 + Below(8);
    const std::uint32_t answer_waits = Below(4);
    std::uint32_t strobes = 0;
    std::uint32_t answered = 0;
    std::uint32_t cycle = 0;
    bool ended = !expected.does || waits;
    std::vector<std::uint32_t> values;
    dut_->frame_valid = 1;
    for (bool taken = false; !taken; ++cycle) {
      ASSERT_LT(cycle, 200U) << "no answer";
      Show(frame);
      Noise();
      dut_->irq = cycle >= rises;
      if (ended && expected.does && !waits) dut_->crc = crc;
      if (strobes != 0 && !ended && --access == 0) {
        (of_memory ? dut_->memory_done : dut_->registers_done) = 1;
        (of_memory ? dut_->memory_failed : dut_->registers_failed) = failed;
        ended = true;
      }
      dut_.Eval();
      if (Strobes() != 0) {
        EXPECT_EQ(strobes, 0U) << "asked twice";
        strobes = Strobes();
        if (strobes >= StrobeOf(Command::kReadRegisters)) {
          EXPECT_EQ(dut_->registers_last_word,
                    (frame.address % link::kBlockBytes + frame.length) / 4 - 1);
        }
      }
      if (dut_->wr_en != 0) {
        EXPECT_TRUE(ended);
        EXPECT_EQ(dut_->wr_word, values.size());
        values.push_back(dut_->wr_data);
      }
      if (dut_->answer != 0) {
        EXPECT_TRUE(ended);
        dut_->answer_done = answered++ == answer_waits;
        dut_.Eval();
        EXPECT_EQ(dut_->answer_number, expected.number);
        EXPECT_EQ(dut_->answer_status, static_cast<int>(expected.status));
        ExpectBytes(frame, expected);
      }
      taken = dut_->answer != 0 && dut_->answer_done != 0;
      EXPECT_EQ(dut_->frame_taken, taken);
      dut_.Tick();
    }
    dut_->frame_valid = 0;
    EXPECT_EQ(strobes, expected.does ? StrobeOf(frame.command) : 0U);
    if (expected.status != Status::kOk) {
      EXPECT_TRUE(values.empty());
    } else if (frame.command == Command::kHello) {
      EXPECT_EQ(values, (std::vector{frame.address, link::kVersion, kClockHz, kBoardBytes}));
    } else if (frame.command == Command::kChecksum) {
      EXPECT_EQ(values, std::vector{crc});
    } else if (waits) {
      ExpectWaited(frame, values, cycle - answer_waits, rises);
    } else {
      EXPECT_TRUE(values.empty());
    }
  }
  void ExpectBytes(const Frame& frame, const Expected& expected) {
    const bool reads =
        frame.command == Command::kReadMemory || frame.command == Command::kReadRegisters;
    std::uint32_t count = frame.command == Command::kHello ? 16 : reads ? frame.length : 4;
    if (expected.status != Status::kOk || Writes(frame.command)) count = 0;
    EXPECT_EQ(dut_->answer_count, count);
    if (count != 0) EXPECT_EQ(dut_->answer_first, reads ? frame.address % link::kBlockBytes : 0);
  }
  /// `answered`: the cycle of the answer, some cycles of which are the control's own.
  static void ExpectWaited(const Frame& frame, const std::vector<std::uint32_t>& values,
                           std::uint32_t answered, std::uint32_t rises) {
    constexpr std::uint32_t kOwn = 6;
    const std::uint32_t end = std::min(frame.length, rises);
    EXPECT_GE(answered, end);
    EXPECT_LE(answered, end + kOwn + 1);
    ASSERT_EQ(values.size(), 1U);
    if (rises <= frame.length) EXPECT_EQ(values[0], 1U);
    if (rises > frame.length + kOwn) EXPECT_EQ(values[0], 0U);
  }

  /// A reset in some cycle of the frame ends the session.
  void Interrupt(const Frame& frame) {
    dut_->frame_valid = 1;
    for (std::uint32_t cycle = Below(8); cycle != 0; --cycle) {
      Show(frame);
      Noise();
      dut_->answer_done = 0;
      dut_.Tick();
    }
    dut_->frame_valid = 0;
    dut_->rst = 1;
    dut_.Tick();
    dut_->rst = 0;
    session_ = Session();
  }

  tb::Dut<Vtpu_link_control> dut_;
  std::mt19937_64 rng_;
  Session session_;
};

TEST(LinkControl, AnswersAnyFramesByTheRules) {
  for (const unsigned seed : Seeds(4)) {
    SCOPED_TRACE(seed);
    LinkControl(seed).Run(3000);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace tpu
