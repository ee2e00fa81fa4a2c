// SPDX-License-Identifier: Apache-2.0
// Byte stuffing in the RTL against the host's, whose known examples frame_test.cpp has.
#include <gtest/gtest.h>

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
  EXPECT_GE(taken, 500U);
  EXPECT_LE(taken, 512U);
  dut->out_ready = 1;
  Bytes sent;
  for (int cycle = 0; cycle < 254 * 2 + 10; ++cycle) {
    if (dut->out_valid != 0) sent.push_back(dut->out_data);
    dut.Tick();
    dut.Eval();
  }
  ASSERT_GE(sent.size(), 255U);
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

TEST(CobsDecode, SaysThatABlockIsNotComplete) {
  const std::vector<Decoded> decoded = Decode({5, 1, 2, 0, 2, 9, 0});
  ASSERT_EQ(decoded.size(), 2U);
  EXPECT_FALSE(decoded[0].good);
  EXPECT_TRUE(decoded[1].good);
  EXPECT_EQ(decoded[1].frame, Bytes{9});
}

}  // namespace
}  // namespace tpu
