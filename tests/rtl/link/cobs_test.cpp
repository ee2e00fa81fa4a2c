// SPDX-License-Identifier: Apache-2.0
// Byte stuffing in the RTL against the host's, whose known examples frame_test.cpp has.
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <vector>

#include "Vtpu_cobs_decode.h"
#include "Vtpu_cobs_encode.h"
#include "link/frame.h"
#include "tb/dut.h"

namespace tpu {
namespace {

using link::Bytes;

// Frames in which zeros are seldom, frequent, or lie where a block is full.
std::vector<Bytes> Frames() {
  std::mt19937_64 rng(1);
  std::vector<Bytes> frames = {{0}, {0, 0}, {1}, {1, 0}};
  for (const std::size_t length : {253U, 254U, 255U, 508U, 509U, 762U, 1040U}) {
    frames.emplace_back(length, 0x11);
    frames.back().push_back(0);
    frames.emplace_back(length, 0x22);
    frames.emplace_back(length, 0);
  }
  for (int i = 0; i < 60; ++i) {
    Bytes frame(1 + rng() % 1040);
    const std::uint64_t zeros = 1 + rng() % 400;
    for (std::uint8_t& byte : frame) {
      byte = rng() % zeros == 0 ? 0 : static_cast<std::uint8_t>(1 + rng() % 255);
    }
    frames.push_back(frame);
  }
  return frames;
}

TEST(CobsEncode, IsTheHostsUnderStalls) {
  tb::Dut<Vtpu_cobs_encode> dut;
  dut->in_valid = 0;
  dut->out_ready = 0;
  dut.Reset();
  std::mt19937_64 rng(2);
  for (const Bytes& frame : Frames()) {
    Bytes expected = link::Stuff(frame);
    expected.push_back(0);
    const std::uint64_t in_rate = rng() % 4;
    const std::uint64_t out_rate = rng() % 4;
    Bytes sent;
    std::size_t at = 0;
    for (int cycle = 0; sent.size() < expected.size() && cycle < 20'000; ++cycle) {
      dut->in_valid = at <= frame.size() && rng() % 4 >= in_rate;
      dut->in_end = at == frame.size();
      dut->in_data = at < frame.size() ? frame[at] : 0x5A;
      dut->out_ready = rng() % 4 >= out_rate;
      dut.Eval();
      if (dut->in_valid != 0 && dut->in_ready != 0) ++at;
      if (dut->out_valid != 0 && dut->out_ready != 0) sent.push_back(dut->out_data);
      dut.Tick();
    }
    ASSERT_EQ(sent, expected) << "frame of " << frame.size() << " bytes";
  }
}

// Frames behind each other, bytes and ends in every cycle that takes one.
TEST(CobsEncode, TakesFramesWithoutGaps) {
  tb::Dut<Vtpu_cobs_encode> dut;
  dut->in_valid = 1;
  dut->out_ready = 1;
  dut.Reset();
  Bytes expected;
  Bytes sent;
  // A byte, or the end of a frame
  std::vector<std::optional<std::uint8_t>> in;
  for (const Bytes& frame : Frames()) {
    const Bytes stuffed = link::Stuff(frame);
    expected.insert(expected.end(), stuffed.begin(), stuffed.end());
    expected.push_back(0);
    in.insert(in.end(), frame.begin(), frame.end());
    in.emplace_back();
  }
  std::size_t at = 0;
  for (int cycle = 0; sent.size() < expected.size() && cycle < 200'000; ++cycle) {
    dut->in_valid = at < in.size();
    dut->in_end = at < in.size() && !in[at];
    dut->in_data = at < in.size() ? in[at].value_or(0x5A) : 0x5A;
    dut.Eval();
    if (dut->in_valid != 0 && dut->in_ready != 0) ++at;
    if (dut->out_valid != 0) sent.push_back(dut->out_data);
    dut.Tick();
  }
  EXPECT_EQ(sent, expected);
}

// Whenever a reset comes, nothing is left of what came before.
TEST(CobsEncode, ForgetsAFrameInAReset) {
  const Bytes frame = {1, 2, 0, 3};
  Bytes expected = link::Stuff(frame);
  expected.push_back(0);
  for (std::size_t moment = 0; moment < 12; ++moment) {
    SCOPED_TRACE(moment);
    tb::Dut<Vtpu_cobs_encode> dut;
    dut->in_valid = 0;
    dut->out_ready = 0;
    dut.Reset();
    Bytes sent;
    // Bytes and an end, as many as come until the reset; then the frame.
    for (std::size_t cycle = 0; cycle < moment; ++cycle) {
      dut->in_valid = 1;
      dut->in_end = cycle % 5 == 4;
      dut->in_data = static_cast<std::uint8_t>(9 * (cycle % 3));
      dut.Tick();
    }
    dut->in_end = 1;
    dut.Reset(1);
    dut->out_ready = 1;
    for (std::size_t at = 0, cycle = 0; cycle < 40; ++cycle) {
      dut->in_valid = at <= frame.size();
      dut->in_end = at == frame.size();
      dut->in_data = at < frame.size() ? frame[at] : 0x5A;
      dut.Eval();
      if (dut->in_valid != 0 && dut->in_ready != 0) ++at;
      if (dut->out_valid != 0) sent.push_back(dut->out_data);
      dut.Tick();
    }
    EXPECT_EQ(sent, expected);
  }
}

// The output stands while frames come in: none is lost, and none overtakes.
TEST(CobsEncode, WaitsForRoom) {
  tb::Dut<Vtpu_cobs_encode> dut;
  dut->in_valid = 1;
  dut->in_end = 0;
  dut->in_data = 7;
  dut->out_ready = 0;
  dut.Reset();
  std::size_t taken = 0;
  for (int cycle = 0; cycle < 2'000; ++cycle) {
    taken += dut->in_ready;
    dut.Tick();
    dut.Eval();
  }
  // Of 512 places four stay free, the code of each block has one, and a byte has left the ring.
  EXPECT_EQ(taken, 512U - 4 - 2 + 1);
  EXPECT_EQ(dut->out_valid, 1) << "without being asked";
  dut->out_ready = 1;
  Bytes sent;
  for (int cycle = 0; cycle < 255; ++cycle) {
    if (dut->out_valid != 0) sent.push_back(dut->out_data);
    dut.Tick();
    dut.Eval();
  }
  ASSERT_EQ(sent.size(), 255U) << "a byte a cycle";
  EXPECT_EQ(sent[0], 255);
  EXPECT_EQ(Bytes(sent.begin() + 1, sent.begin() + 255), Bytes(254, 7));
}

struct Decoded {
  Bytes frame;
  bool good = false;
};

std::vector<Decoded> Decode(const Bytes& wire) {
  tb::Dut<Vtpu_cobs_decode> dut;
  dut->in_valid = 0;
  dut->out_ready = 1;
  dut.Reset();
  std::mt19937_64 rng(3);
  std::vector<Decoded> frames;
  Decoded open;
  for (std::size_t at = 0; at < wire.size();) {
    dut->in_valid = rng() % 3 != 0;
    dut->out_ready = rng() % 3 != 0;
    dut->in_data = wire[at];
    dut.Eval();
    if (dut->out_valid != 0) open.frame.push_back(dut->out_data);
    if (dut->out_end != 0) {
      open.good = dut->out_good != 0;
      frames.push_back(open);
      open = {};
    }
    if (dut->in_valid != 0 && dut->in_ready != 0) ++at;
    dut.Tick();
  }
  return frames;
}

TEST(CobsDecode, TakesTheHostsFrames) {
  Bytes wire = {0, 0};
  for (const Bytes& frame : Frames()) {
    const Bytes stuffed = link::Stuff(frame);
    wire.insert(wire.end(), stuffed.begin(), stuffed.end());
    wire.insert(wire.end(), 1 + frame.size() % 2, 0);
  }
  const std::vector<Decoded> decoded = Decode(wire);
  ASSERT_EQ(decoded.size(), Frames().size());
  for (std::size_t i = 0; i < decoded.size(); ++i) {
    EXPECT_TRUE(decoded[i].good);
    EXPECT_EQ(decoded[i].frame, Frames()[i]);
  }
}

// Whenever a reset comes, nothing is left of what came before.
TEST(CobsDecode, ForgetsAFrameInAReset) {
  const Bytes before = {5, 1, 2, 3, 4, 1};
  const Bytes after = {2, 9, 0};
  for (std::size_t count = 0; count <= before.size(); ++count) {
    SCOPED_TRACE(count);
    tb::Dut<Vtpu_cobs_decode> dut;
    dut->in_valid = 0;
    dut->out_ready = 1;
    dut.Reset();
    dut->in_valid = 1;
    for (std::size_t i = 0; i < count; ++i) {
      dut->in_data = before[i];
      dut.Tick();
    }
    dut->in_data = 3;
    dut.Reset(1);
    // No frame has begun.
    dut->in_data = 0;
    dut.Eval();
    EXPECT_EQ(dut->out_end, 0);
    Bytes frame;
    for (const std::uint8_t byte : after) {
      dut->in_data = byte;
      dut.Eval();
      if (dut->out_valid != 0) frame.push_back(dut->out_data);
      EXPECT_EQ(dut->out_end, byte == 0);
      if (byte == 0) EXPECT_EQ(dut->out_good, 1);
      dut.Tick();
    }
    EXPECT_EQ(frame, Bytes{9});
  }
}

TEST(CobsDecode, SaysThatABlockIsNotComplete) {
  const std::vector<Decoded> decoded = Decode({5, 1, 2, 0, 2, 9, 0});
  ASSERT_EQ(decoded.size(), 2U);
  EXPECT_FALSE(decoded[0].good);
  EXPECT_TRUE(decoded[1].good);
  EXPECT_EQ(decoded[1].frame, Bytes{9});
}

}  // namespace
}  // namespace tpu
