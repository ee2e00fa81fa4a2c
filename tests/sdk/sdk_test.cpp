// SPDX-License-Identifier: Apache-2.0
// The public headers: what they refuse. examples/ shows what they do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tpu/device.h"
#include "tpu/error.h"
#include "tpu/model.h"
#include "tpu/program.h"
#include "tpu/run.h"
#include "tpu/session.h"

namespace tpu {
namespace {

using testing::ElementsAre;
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
            "no device one has the parameters N = 16, UB_ROWS = 16384, ...; its machines are N8; "
            "devices with any parameters are: golden");
  EXPECT_EQ(ErrorOf([] { MakeDevice("golden", {}, {.wave_file = "w.fst"}); }),
            "w.fst: the device golden records no signals");
}

TEST(Devices, AreReplacedByOthersOfTheirName) {
  ReplaceDevice({.name = "exchanged",
                 .description = "",
                 .abilities = {},
                 .machines = {{"first", {.n = 4}}},
                 .make = {}});
  const DeviceKind& first = FindDevice("exchanged");
  const std::size_t kinds = DeviceKinds().size();
  ReplaceDevice({.name = "exchanged",
                 .description = "",
                 .abilities = {},
                 .machines = {{"second", {.n = 8}}},
                 .make = {}});
  EXPECT_EQ(FindDevice("exchanged").machines.at(0).name, "second");
  EXPECT_EQ(first.machines.at(0).name, "first") << "who has seen it may go on with it";
  EXPECT_EQ(DeviceKinds().size(), kinds);
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

/// A golden model that takes 250 cycles, and whose counter i reads 1000 * i.
class SlowDevice final : public Device {
 public:
  void ReserveMemory(std::uint64_t bytes) override { golden_->ReserveMemory(bytes); }
  void WriteMemory(std::uint64_t address, std::span<const std::uint8_t> bytes) override {
    golden_->WriteMemory(address, bytes);
  }
  void ReadMemory(std::uint64_t address, std::span<std::uint8_t> bytes) override {
    golden_->ReadMemory(address, bytes);
  }
  std::uint32_t ReadRegister(std::uint32_t offset) override {
    constexpr std::uint32_t kCounters = 0x100;  // docs/registers_tables.md, COUNTER_BASE
    if (offset < kCounters) return golden_->ReadRegister(offset);
    return offset % 8 == 0 ? 1000 * ((offset - kCounters) / 8) : 0;
  }
  void WriteRegister(std::uint32_t offset, std::uint32_t value) override {
    golden_->WriteRegister(offset, value);
  }
  bool WaitForInterrupt(std::uint64_t max_cycles) override {
    left_ -= std::min(left_, max_cycles);
    return left_ == 0;
  }

 private:
  std::unique_ptr<Device> golden_ = MakeDevice("golden", {});
  std::uint64_t left_ = 250;
};

TEST(Session, ReportsCountersByTheirNames) {
  std::set<std::string_view> names;
  for (const CounterInfo& counter : CounterInfos()) {
    EXPECT_TRUE(names.insert(counter.name).second) << counter.name;
    EXPECT_FALSE(counter.description.empty()) << counter.name;
  }
  SlowDevice device;
  Session session(device, Copy());
  const Report report = session.Run();
  EXPECT_EQ(report.counters.size(), CounterInfos().size());
  // The numbers are those of docs/registers_tables.md.
  EXPECT_EQ(report.Counter("cycles"), 0U);
  EXPECT_EQ(report.Counter("array_active"), 1000U);
  EXPECT_EQ(report.Counter("load_beats"), 23'000U);
  EXPECT_EQ(ErrorOf([&] { (void)report.Counter("loads"); }),
            "there is no hardware counter loads; tpu::CounterInfos() lists them");
}

TEST(Session, ReportsProgressAndGivesUp) {
  SlowDevice device;
  Session session(device, Copy());
  std::vector<std::uint64_t> seen;
  RunOptions options;
  options.progress = [&seen](std::uint64_t cycles) { seen.push_back(cycles); };
  options.progress_interval = 100;
  session.Run(options);
  EXPECT_THAT(seen, ElementsAre(100, 200));
  SlowDevice another;
  options.max_cycles = 200;
  EXPECT_EQ(ErrorOf([&] { Session(another, Copy()).Run(options); }),
            "the program did not end within 200 cycles");
  options.progress_interval = 0;
  EXPECT_EQ(ErrorOf([&] { session.Run(options); }), "progress_interval is 0; should be at least 1");
}

TEST(Model, TellsItsOperatorsAndTensors) {
  const Model model = Model::Load(TPU_SOURCE_DIR "/models/digits/digits.tflite");
  ASSERT_EQ(model.inputs().size(), 1U);
  const TensorInfo image = model.inputs()[0];
  EXPECT_EQ(image.shape, (std::vector<std::int64_t>{1, 8, 8, 1}));
  EXPECT_EQ(image.type, ElementType::kInt8);
  EXPECT_GT(image.scale, 0.0F);
  EXPECT_FALSE(image.constant);
  ASSERT_EQ(model.outputs().size(), 1U);
  EXPECT_EQ(model.outputs()[0].shape, (std::vector<std::int64_t>{1, 10}));

  const std::vector<OperatorInfo> operators = model.operators();
  std::vector<std::string> types;
  for (const OperatorInfo& op : operators) types.push_back(op.type);
  EXPECT_THAT(types, ElementsAre("CONV_2D", "CONV_2D", "MAX_POOL_2D", "FULLY_CONNECTED"));
  const OperatorInfo& conv = operators.at(0);
  EXPECT_EQ(conv.name, "op0");
  ASSERT_EQ(conv.inputs.size(), 3U);
  EXPECT_EQ(conv.inputs[0].name, image.name);
  EXPECT_TRUE(conv.inputs[1].constant);
  EXPECT_EQ(conv.inputs[1].channel_scales.size(),
            static_cast<std::size_t>(conv.inputs[1].shape.at(0)));
  EXPECT_EQ(conv.inputs[2].type, ElementType::kInt32);
  ASSERT_EQ(conv.outputs.size(), 1U);
  EXPECT_EQ(operators.at(1).inputs.at(0).name, conv.outputs[0].name);
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
