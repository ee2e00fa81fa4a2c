// SPDX-License-Identifier: Apache-2.0
// The public headers: what they refuse. examples/ shows what they do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tpu/device.h"
#include "tpu/error.h"
#include "tpu/program.h"
#include "tpu/session.h"

namespace tpu {
namespace {

using testing::HasSubstr;

template <typename Action>
std::string ErrorOf(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// Copies the first 16 bytes of a memory of 64 bytes to address 32.
Program Copy(const HardwareConfig& config = {}) {
  return Program::Assemble(
      "load row_bytes=16 pixel_bytes=16 post=0\nstore dram_addr=32 row_bytes=16 pixel_bytes=16 "
      "wait=0\n",
      "copy.s", config, 64);
}

TEST(Devices, AreFoundByName) {
  EXPECT_NE(MakeDevice("golden", {}), nullptr);
  EXPECT_THAT(ErrorOf([] { MakeDevice("board", {}); }),
              HasSubstr("there is no device board; there are: golden"));
}

TEST(Devices, HaveOneNameEach) {
  EXPECT_EQ(
      ErrorOf([] {
        RegisterDevice(
            {.name = "golden", .description = "", .abilities = {}, .machines = {}, .make = {}});
      }),
      "there is a device golden already");
}

/// A kind that is one machine, and keeps what it was made with.
DeviceKind OneMachine(DeviceOptions& made_with) {
  return {.name = "one",
          .description = "one machine",
          .abilities = {.waves = true},
          .machines = {{"N8", {.n = 8}}},
          .make = [&made_with](const HardwareConfig& config, const DeviceOptions& options) {
            made_with = options;
            return MakeDevice("golden", config);
          }};
}

TEST(Devices, AreMadeAsTheirMachinesWithWhatTheyAreAbleTo) {
  static DeviceOptions made_with;
  RegisterDevice(OneMachine(made_with));
  EXPECT_EQ(FindDevice("one").machines.at(0).name, "N8");
  EXPECT_NE(MakeDevice("one", {.n = 8}, {.wave_file = "w.fst"}), nullptr);
  EXPECT_EQ(made_with.wave_file, "w.fst");
  EXPECT_EQ(ErrorOf([] { MakeDevice("one", {}); }),
            "no device one has the parameters N = 16, UB_ROWS = 16384, ... of the program; its "
            "machines are N8; devices with any parameters are: golden");
  EXPECT_EQ(ErrorOf([] { MakeDevice("golden", {}, {.wave_file = "w.fst"}); }),
            "w.fst: the device golden records no signals");
}

TEST(Session, RunsWhatWasAssembled) {
  const auto device = MakeDevice("golden", {});
  Session session(*device, Copy());
  std::vector<std::int8_t> memory(64);
  for (std::size_t i = 0; i < 16; ++i) memory[i] = static_cast<std::int8_t>(i + 1);
  session.SetInput<std::int8_t>("memory", memory);
  session.Run();
  std::vector<std::int8_t> expected = memory;
  for (std::size_t i = 0; i < 16; ++i) expected[32 + i] = memory[i];
  EXPECT_EQ(session.Output<std::int8_t>("memory"), expected);
}

TEST(Session, NamesWrongTensorsTypesAndSizes) {
  const auto device = MakeDevice("golden", {});
  Session session(*device, Copy());
  EXPECT_EQ(ErrorOf([&] { session.SetInput<std::int8_t>("x", {}); }),
            "the program has no input named x; it has: memory");
  EXPECT_EQ(ErrorOf([&] { (void)session.Output<float>("memory"); }),
            "output memory has elements of type int8, not float32");
  EXPECT_EQ(ErrorOf([&] { session.SetInput<std::int8_t>("memory", {}); }),
            "input memory takes 64 values, got 0");
}

TEST(Session, RefusesProgramsForOtherMachines) {
  const auto device = MakeDevice("golden", {});
  HardwareConfig other;
  other.ub_rows = 1024;
  EXPECT_THAT(ErrorOf([&] { Session(*device, Copy(other)); }), HasSubstr("UB_ROWS"));
}

TEST(Program, ComesBackFromItsFile) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "sdk_test.tpu";
  Copy().Save(path);
  const Program read = Program::Load(path);
  std::filesystem::remove(path);
  EXPECT_EQ(read.config(), HardwareConfig{});
  ASSERT_EQ(read.inputs().size(), 1U);
  EXPECT_EQ(read.inputs()[0].name, "memory");
  EXPECT_EQ(read.inputs()[0].shape, std::vector<std::int64_t>{64});
}

TEST(Program, ErrorsNameTheFile) {
  EXPECT_THAT(ErrorOf([] { Program::Assemble("lod", "bad.s", {}, 64); }), HasSubstr("bad.s:1:1"));
  EXPECT_THAT(ErrorOf([] { Model::Load("nowhere.tflite"); }), HasSubstr("nowhere.tflite"));
}

}  // namespace
}  // namespace tpu
