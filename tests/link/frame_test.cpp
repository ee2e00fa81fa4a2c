// SPDX-License-Identifier: Apache-2.0
// Frames on the wire against examples worked out by hand.
#include "link/frame.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tpu::link {
namespace {

TEST(Frame, IsStuffedAsInTheDefinitionOfTheMethod) {
  EXPECT_EQ(Stuff(Bytes{0}), (Bytes{1, 1}));
  EXPECT_EQ(Stuff(Bytes{0, 0}), (Bytes{1, 1, 1}));
  EXPECT_EQ(Stuff(Bytes{0x11, 0x22, 0, 0x33}), (Bytes{3, 0x11, 0x22, 2, 0x33}));
  EXPECT_EQ(Stuff(Bytes{0x11, 0, 0, 0}), (Bytes{2, 0x11, 1, 1, 1}));
  Bytes all(254);
  std::iota(all.begin(), all.end(), std::uint8_t{1});
  Bytes expected = {255};
  expected.insert(expected.end(), all.begin(), all.end());
  all.push_back(0xFF);
  expected.insert(expected.end(), {2, 0xFF});
  EXPECT_EQ(Stuff(all), expected);
}

TEST(Frame, HasTheCrcOfZlib) {
  const Bytes bytes = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
  EXPECT_EQ(Crc32(bytes), 0xCBF43926U);
  EXPECT_EQ(Crc32({}), 0U);
}

TEST(Frame, OfARequestIsHeaderBytesAndCrc) {
  const Bytes bytes = {0xAA};
  const Bytes header = {7, 3, 0x44, 0x33, 0x22, 0x11, 1, 0, 0, 0, 0xAA};
  const std::uint32_t crc = Crc32(header);
  Bytes frame = header;
  for (int i = 0; i < 4; ++i) frame.push_back(static_cast<std::uint8_t>(crc >> 8 * i));
  Bytes expected = Stuff(frame);
  expected.push_back(0);
  EXPECT_EQ(ToWire({.number = 7,
                    .command = Command::kWriteMemory,
                    .address = 0x11223344,
                    .length = 1,
                    .bytes = bytes}),
            expected);
}

// What the reader makes of a whole wire: the bytes of answers, nothing for damaged ones.
std::vector<std::optional<Bytes>> Read(const Bytes& wire) {
  AnswerReader reader;
  std::vector<std::optional<Bytes>> answers;
  for (const std::uint8_t byte : wire) {
    const auto frame = reader.Take(byte);
    if (!frame) continue;
    answers.push_back(*frame ? std::optional((*frame)->bytes) : std::nullopt);
  }
  return answers;
}

Bytes AnswerOnWire(const Bytes& bytes) {
  Bytes frame = {9, 0};
  frame.insert(frame.end(), bytes.begin(), bytes.end());
  const std::uint32_t crc = Crc32(frame);
  for (int i = 0; i < 4; ++i) frame.push_back(static_cast<std::uint8_t>(crc >> 8 * i));
  Bytes wire = Stuff(frame);
  wire.push_back(0);
  return wire;
}

TEST(AnswerReader, FindsAnswersBehindNoise) {
  Bytes wire = {0, 0, 77, 1, 2, 0};
  const Bytes one = AnswerOnWire({1, 0, 2});
  const Bytes none = AnswerOnWire({});
  wire.insert(wire.end(), one.begin(), one.end());
  wire.insert(wire.end(), none.begin(), none.end());
  const std::vector<std::optional<Bytes>> expected = {std::nullopt, Bytes{1, 0, 2}, Bytes{}};
  EXPECT_EQ(Read(wire), expected);
}

TEST(AnswerReader, SeesEveryFlippedBit) {
  const Bytes wire = AnswerOnWire({1, 2, 3, 0, 4});
  for (std::size_t i = 0; i < wire.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      Bytes damaged = wire;
      damaged[i] ^= static_cast<std::uint8_t>(1U << bit);
      damaged.push_back(0);
      for (const std::optional<Bytes>& answer : Read(damaged)) EXPECT_EQ(answer, std::nullopt);
    }
  }
}

}  // namespace
}  // namespace tpu::link
