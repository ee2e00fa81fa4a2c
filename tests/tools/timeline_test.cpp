// SPDX-License-Identifier: Apache-2.0
// The timeline that `tpu run` writes, in the Chrome trace-event format.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "executable/executable_file.h"
#include "tests/tools/command_tester.h"

namespace tpu::tools {
namespace {

using nlohmann::json;

class Timeline : public CommandTester {
 protected:
  void SetUp() override {
    CommandTester::SetUp();
    const Outcome outcome = Tpu("run good.tflite --timeline t.json --report r.json");
    ASSERT_EQ(outcome.status, 0) << outcome.output;
    report_ = json::parse(Read("r.json"));
    const json timeline = json::parse(Read("t.json"));
    for (const json& event : timeline.at("traceEvents")) {
      if (event.at("ph") == "M") {
        ASSERT_EQ(event.at("name"), "thread_name");
        names_[event.at("tid")] = event.at("args").at("name");
      } else {
        ASSERT_EQ(event.at("ph"), "X");
        tracks_[names_.at(event.at("tid"))].push_back(event);
      }
    }
  }

  /// Cycles of the slices that `chosen` picks.
  template <typename Chosen>
  [[nodiscard]] std::uint64_t CyclesOf(const std::string& track, Chosen chosen) const {
    std::uint64_t cycles = 0;
    for (const json& slice : tracks_.at(track)) {
      if (chosen(slice)) cycles += slice.at("dur").get<std::uint64_t>();
    }
    return cycles;
  }
  [[nodiscard]] std::uint64_t CyclesNamed(const std::string& track, const std::string& name) const {
    return CyclesOf(track, [&](const json& slice) { return slice.at("name") == name; });
  }
  [[nodiscard]] std::uint64_t Counted(const std::string& counter) const {
    return report_.at("counters").at(counter);
  }

  json report_;
  std::map<int, std::string> names_;
  std::map<std::string, std::vector<json>> tracks_;
};

TEST_F(Timeline, SlicesFollowEachOtherThroughTheWholeRun) {
  EXPECT_EQ(tracks_.size(), 7U);
  for (const auto& [name, slices] : tracks_) {
    std::uint64_t end = 0;
    for (const json& slice : slices) {
      EXPECT_EQ(slice.at("ts"), end) << name << slice;
      EXPECT_GT(slice.at("dur"), 0) << name << slice;
      EXPECT_EQ(slice.at("pid"), 0);
      EXPECT_FALSE(slice.at("cname").get<std::string>().empty());
      end += slice.at("dur").get<std::uint64_t>();
    }
    EXPECT_EQ(end, report_.at("cycles")) << name;
  }
}

TEST_F(Timeline, HasEveryInstructionOnceUnderItsLayer) {
  std::set<std::uint32_t> instructions;
  for (const auto& [name, slices] : tracks_) {
    for (const json& slice : slices) {
      if (slice.at("cat") != "instruction") continue;
      const std::uint32_t index = slice.at("args").at("instruction");
      EXPECT_TRUE(instructions.insert(index).second) << slice;
      const executable::Layer& layer =
          executable().layers[executable().layer_of_instruction.at(index)];
      EXPECT_EQ(slice.at("name"), layer.name + " " + layer.op);
    }
  }
  EXPECT_EQ(instructions.size(), executable().layer_of_instruction.size());
}

TEST_F(Timeline, AgreesWithTheCounters) {
  for (const std::string& state : {"active", "wait weights", "weight shift", "wait input",
                                   "wait dependence", "wait space", "wait other", "no work"}) {
    std::string counter = "array_" + state;
    std::ranges::replace(counter, ' ', '_');
    EXPECT_EQ(CyclesNamed("array", state), Counted(counter)) << state;
  }
  for (const std::string& state :
       {"active", "stall port", "stall operand", "stall output", "wait", "no work"}) {
    std::string counter = "vector_" + state;
    std::ranges::replace(counter, ' ', '_');
    EXPECT_EQ(CyclesNamed("lanes", state), Counted(counter)) << state;
  }
  for (const std::string& unit : {"load", "weights", "store"}) {
    const auto is_instruction = [](const json& s) { return s.at("cat") == "instruction"; };
    EXPECT_EQ(CyclesOf(unit, is_instruction), Counted(unit + "_busy")) << unit;
    // The counter also counts what the next instruction waits while others run.
    const auto is_wait = [](const json& s) { return s.at("args").contains("semaphore"); };
    EXPECT_LE(CyclesOf(unit, is_wait), Counted(unit + "_wait")) << unit;
  }
}

TEST_F(Timeline, WaitsNameTheClassOfTheSemaphoreAndWhoPostsIt) {
  const std::vector<std::string> classes = {"wait input", "wait dependence", "wait space",
                                            "wait other"};
  const auto program = executable::Programs(executable()).at(0);
  std::size_t waits = 0;
  for (const std::string& unit : {"load", "weights", "vector", "store"}) {
    for (const json& slice : tracks_.at(unit)) {
      const json& args = slice.at("args");
      if (!args.contains("semaphore")) continue;
      ++waits;
      const std::uint32_t semaphore = args.at("semaphore");
      const std::uint32_t poster = args.at("posted by instruction");
      EXPECT_EQ(slice.at("name"), classes.at(semaphore / 8)) << slice;
      EXPECT_NE(isa::SemaphoresOf(program.at(args.at("instruction"))).wait >> semaphore & 1U, 0U);
      EXPECT_NE(isa::SemaphoresOf(program.at(poster)).post >> semaphore & 1U, 0U) << slice;
      // It ends when the poster has completed: posting and starting take a few cycles.
      std::uint64_t posted = 0;
      for (const auto& [name, slices] : tracks_) {
        for (const json& other : slices) {
          if (other.at("cat") != "instruction" || other.at("args").at("instruction") != poster)
            continue;
          posted = other.at("ts").get<std::uint64_t>() + other.at("dur").get<std::uint64_t>();
        }
      }
      const std::uint64_t end =
          slice.at("ts").get<std::uint64_t>() + slice.at("dur").get<std::uint64_t>();
      EXPECT_GE(end, posted) << slice;
      EXPECT_LE(end, posted + 8) << slice;
    }
  }
  EXPECT_GE(waits, 2U);
}

}  // namespace
}  // namespace tpu::tools
