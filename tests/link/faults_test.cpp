// SPDX-License-Identifier: Apache-2.0
// Faults on the wire: every session ends as one without faults, and the board has written each
// register once, in order.
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "board_wire.h"
#include "link/link.h"

namespace tpu::link {
namespace {

struct Outcome {
  Bytes read;
  std::vector<std::uint32_t> checksums;
  std::vector<std::array<std::uint32_t, 2>> writes;
  std::vector<std::uint32_t> values;
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t repeated = 0;
  bool operator==(const Outcome& other) const {
    return read == other.read && checksums == other.checksums && writes == other.writes &&
           values == other.values;
  }
};

// What an inference does: bytes, registers, a doorbell, a wait, results.
Outcome Session(const Faults& to_board, const Faults& to_host) {
  Board board;
  auto owned = std::make_unique<BoardWire>(board, to_board, to_host);
  const BoardWire& wire = *owned;
  Link link(std::move(owned));
  Bytes input(150);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::uint8_t>(i * i);
  link.WriteMemory(1024 - 70, input);
  for (std::uint32_t i = 0; i < 3; ++i) link.WriteRegister(8, i);
  board.RaiseInterrupt(true);
  while (!link.WaitForInterrupt(1000)) {
  }
  Outcome outcome;
  outcome.values.resize(3);
  link.ReadRegisters(4, outcome.values);
  outcome.checksums = link.Checksums(1000, 64, 32);
  outcome.read.resize(input.size());
  link.ReadMemory(1024 - 70, outcome.read);
  outcome.writes = board.writes();
  outcome.sent = wire.sent();
  outcome.received = wire.received();
  outcome.repeated = link.repeated();
  return outcome;
}

// One fault of a kind at every few bytes of the session, in one direction.
void Sweep(Fault::Kind kind, bool to_board) {
  const Outcome expected = Session({}, {});
  EXPECT_EQ(expected.repeated, 0U);
  const std::uint64_t bytes = to_board ? expected.sent : expected.received;
  constexpr std::uint64_t kFaults = 60;
  std::mt19937_64 rng(7);
  std::uint64_t noticed = 0;
  for (std::uint64_t i = 0; i < kFaults; ++i) {
    const std::uint64_t at = i * bytes / kFaults;
    const auto flipped = static_cast<std::uint8_t>(1 + rng() % 255);
    SCOPED_TRACE(fmt::format("byte {} of {}, xor {}", at, bytes, flipped));
    const Faults faults = [&](std::uint64_t n) {
      return n == at ? Fault{.kind = kind, .flipped = flipped} : Fault{};
    };
    const Outcome outcome = to_board ? Session(faults, {}) : Session({}, faults);
    ASSERT_EQ(outcome, expected);
    // In either direction the session has more bytes then.
    if (outcome.sent > expected.sent || outcome.received > expected.received) ++noticed;
  }
  // A zero that comes twice, and a damaged answer to a repeated request, change nothing.
  EXPECT_GE(noticed, kFaults * 8 / 10);
}

TEST(Faults, BytesLostOnTheWayToTheBoard) { Sweep(Fault::Kind::kLost, true); }
TEST(Faults, BytesLostOnTheWayToTheHost) { Sweep(Fault::Kind::kLost, false); }
TEST(Faults, BytesDoubledOnTheWayToTheBoard) { Sweep(Fault::Kind::kDoubled, true); }
TEST(Faults, BytesDoubledOnTheWayToTheHost) { Sweep(Fault::Kind::kDoubled, false); }
TEST(Faults, BytesFlippedOnTheWayToTheBoard) { Sweep(Fault::Kind::kFlipped, true); }
TEST(Faults, BytesFlippedOnTheWayToTheHost) { Sweep(Fault::Kind::kFlipped, false); }

// One byte in 400 in both directions, so that repetitions are hit, too.
TEST(Faults, ManyAtOnce) {
  const Outcome expected = Session({}, {});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 rng(seed);
    const Faults faults = [&](std::uint64_t) {
      if (rng() % 400 != 0) return Fault{};
      return Fault{.kind = static_cast<Fault::Kind>(1 + rng() % 3),
                   .flipped = static_cast<std::uint8_t>(1 + rng() % 255)};
    };
    ASSERT_EQ(Session(faults, faults), expected);
  }
}

}  // namespace
}  // namespace tpu::link
