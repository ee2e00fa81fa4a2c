// SPDX-License-Identifier: Apache-2.0
#include "training/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "tests/training/example_files.h"

namespace tpu::training {
namespace {

using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;

Checkpoint Sample() {
  Checkpoint checkpoint = {.model_crc32 = 0x12345678,
                           .examples_crc32 = 0x9ABCDEF0,
                           .options = {{"--batch", "32"}, {"--optimizer", "adam"}},
                           .history = {.losses = {2.5F, 1.25F},
                                       .weights_crc32 = {1, 0xFFFFFFFF},
                                       .evaluations = {{2, 0.75}}},
                           .state = {{"w", {2, 2}, Bytes(16, 7)}, {"b", {}, {1, 2, 3, 4}}}};
  checkpoint.history.cost.cycles = 1000;
  checkpoint.history.cost.macs = 5;
  checkpoint.history.cost.counters[3] = 77;
  checkpoint.history.evaluation_cost.cycles = 9;
  return checkpoint;
}

std::string Parsing(const Bytes& bytes) {
  return ErrorOf([&] { ParseCheckpoint(bytes, "c.ckpt"); });
}

std::string Comparing(const Checkpoint& found) {
  return ErrorOf([&] { RequireSameRun(found, Sample(), "c.ckpt"); });
}

class CheckpointFile : public ExampleFiles {};

TEST(Checkpoint, ComesBackAsItWas) {
  const Checkpoint sample = Sample();
  const Bytes bytes = Serialise(sample);
  const Checkpoint read = ParseCheckpoint(bytes, "c.ckpt");
  EXPECT_EQ(Serialise(read), bytes);
  EXPECT_EQ(read.model_crc32, sample.model_crc32);
  EXPECT_EQ(read.examples_crc32, sample.examples_crc32);
  EXPECT_EQ(read.options, sample.options);
  EXPECT_EQ(read.history.losses, sample.history.losses);
  EXPECT_EQ(read.history.weights_crc32, sample.history.weights_crc32);
  EXPECT_EQ(read.history.evaluations, sample.history.evaluations);
  EXPECT_EQ(read.history.cost.counters, sample.history.cost.counters);
  EXPECT_EQ(read.history.cost.cycles, 1000U);
  EXPECT_EQ(read.history.evaluation_cost.cycles, 9U);
  ASSERT_EQ(read.state.size(), 2U);
  EXPECT_EQ(read.state[0].name, "w");
  EXPECT_EQ(read.state[0].shape, (tensor::Shape{2, 2}));
  EXPECT_EQ(read.state[1].bytes, (Bytes{1, 2, 3, 4}));
  EXPECT_EQ(Comparing(read), "no error");
}

TEST(Checkpoint, BytesArePinned) {
  const Bytes bytes = Serialise(Sample());
  const std::string text(bytes.begin(), bytes.end());
  EXPECT_EQ(text.substr(0, 12), std::string("TPUTRAIN\x01\0\0\0", 12));
  EXPECT_EQ(bytes[12] + 256U * bytes[13], bytes.size());
  EXPECT_EQ(text.substr(20, 8), "\x78\x56\x34\x12\xF0\xDE\xBC\x9A");
  EXPECT_EQ(text.substr(28, 31),
            std::string("\x02\0\0\0\0\0\0\0\x07\0\0\0\0\0\0\0--batch\x02\0\0\0\0\0\0\0", 31));
}

TEST(Checkpoint, DamageOfAnyByteIsSeen) {
  const Bytes good = Serialise(Sample());
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const unsigned bit : {0U, 7U}) {
      Bytes bytes = good;
      bytes[i] = static_cast<std::uint8_t>(bytes[i] ^ 1U << bit);
      EXPECT_THAT(Parsing(bytes), HasSubstr("c.ckpt: is ")) << i;
    }
  }
  Bytes bytes = good;
  bytes[40] ^= 1U;
  EXPECT_THAT(Parsing(bytes), HasSubstr("c.ckpt: is damaged: its CRC-32"));
}

TEST(Checkpoint, EveryTruncationIsSeen) {
  const Bytes good = Serialise(Sample());
  for (std::size_t size = 0; size < good.size(); ++size) {
    const Bytes bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_THAT(Parsing(bytes), HasSubstr(size < 8 ? "is no checkpoint" : "is truncated")) << size;
  }
  Bytes longer = good;
  longer.push_back(0);
  EXPECT_THAT(Parsing(longer), HasSubstr("is damaged"));
}

// What has a right CRC-32 all the same must not be read outside of the file.
TEST(Checkpoint, LengthsAreChecked) {
  const Bytes good = Serialise(Sample());
  for (std::size_t i = 28; i + 12 < good.size(); ++i) {
    Bytes bytes = good;
    for (std::size_t k = 0; k < 8; ++k) bytes[i + k] = 0xFF;
    const std::uint32_t crc = Crc32(std::span(bytes).first(bytes.size() - 4));
    std::memcpy(bytes.data() + bytes.size() - 4, &crc, 4);
    Parsing(bytes);
  }
}

TEST(Checkpoint, OtherVersionsAreRefused) {
  Bytes bytes = Serialise(Sample());
  bytes[8] = 2;
  EXPECT_THAT(Parsing(bytes), HasSubstr("c.ckpt: is of version 2; only 1 can be read"));
}

TEST(Checkpoint, OfAnotherRunSaysWhatDiffers) {
  Checkpoint other = Sample();
  other.options[0].second = "16";
  EXPECT_THAT(Comparing(other), HasSubstr("was made with --batch 16, this run is with --batch 32"));
  other = Sample();
  other.options.emplace_back("--weight-decay", "0.1");
  EXPECT_THAT(Comparing(other),
              HasSubstr("was made with --weight-decay 0.1, this run is without --weight-decay"));
  other = Sample();
  other.options.pop_back();
  EXPECT_THAT(Comparing(other),
              HasSubstr("was made without --optimizer, this run is with --optimizer adam"));
  other = Sample();
  other.state[0].shape = {4};
  EXPECT_THAT(Comparing(other), HasSubstr("is of another model: tensor 0 of its state is w float32 "
                                          "[4], expected is w float32 [2, 2]"));
  other = Sample();
  other.state.pop_back();
  EXPECT_THAT(Comparing(other), HasSubstr("tensor 1 of its state is nothing, expected is b"));
  other = Sample();
  other.model_crc32 = 1;
  EXPECT_THAT(Comparing(other), AllOf(HasSubstr("of another model"), HasSubstr("00000001")));
  other = Sample();
  other.examples_crc32 = 1;
  EXPECT_THAT(Comparing(other), HasSubstr("was made with other examples"));
  other = Sample();
  other.state[0].bytes.pop_back();
  EXPECT_THAT(Comparing(other), HasSubstr("is damaged: w has 15 bytes, expected are 16"));
}

TEST_F(CheckpointFile, IsReplaced) {
  const std::string path = Path("a.ckpt");
  ReplaceFile(path, Bytes{1, 2, 3});
  ReplaceFile(path, Bytes{4, 5});
  EXPECT_EQ(ReadBytes(path), (Bytes{4, 5}));
  EXPECT_FALSE(fs::exists(path + ".partial"));
}

TEST_F(CheckpointFile, StaysWhenTheDiskIsFull) {
  const std::string path = Path("a.ckpt");
  ReplaceFile(path, Bytes{1, 2, 3});
  fs::create_symlink("/dev/full", path + ".partial");
  EXPECT_THAT(ErrorOf([&] { ReplaceFile(path, Bytes(100'000)); }),
              AllOf(HasSubstr("a.ckpt"), HasSubstr("No space left on device")));
  EXPECT_EQ(ReadBytes(path), (Bytes{1, 2, 3}));
  EXPECT_FALSE(fs::exists(fs::symlink_status(path + ".partial")));
}

TEST_F(CheckpointFile, IsNoDeviceAndNeedsAFolder) {
  EXPECT_THAT(ErrorOf([] { ReplaceFile("/dev/full", Bytes{1}); }),
              HasSubstr("/dev/full: cannot be replaced: it is no regular file"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  EXPECT_THAT(ErrorOf([&] { ReplaceFile(Path("none/a.ckpt"), Bytes{1}); }),
              HasSubstr("No such file or directory"));
}

}  // namespace
}  // namespace tpu::training
