// SPDX-License-Identifier: Apache-2.0
#include "profile/layer_use.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "base/error.h"

namespace tpu::runtime {
namespace {

using isa::Counter;
using testing::ElementsAre;

constexpr std::uint32_t Bit(Counter counter) { return 1U << static_cast<unsigned>(counter); }
constexpr std::uint32_t kCycle = Bit(Counter::kCycles);
constexpr std::uint32_t kActive = kCycle | Bit(Counter::kArrayActive);
constexpr std::uint32_t kNoWork = kCycle | Bit(Counter::kArrayNoWork);

/// One program on a machine of 16 MACs per cycle.
struct Case {
  explicit Case(const std::vector<std::uint64_t>& macs_of_layers) {
    executable.config.n = 4;
    for (const std::uint64_t macs : macs_of_layers) executable.layers.push_back({"", "", macs});
  }

  void BeginProgram() {
    executable.steps.emplace_back(executable::DeviceProgram{
        .first_instruction = static_cast<std::uint32_t>(executable.layer_of_instruction.size())});
    programs.emplace_back();
    trace.emplace_back();
  }
  void Add(const isa::Instruction& instruction, std::uint32_t layer, std::uint64_t completed) {
    programs.back().push_back(instruction);
    executable.layer_of_instruction.push_back(layer);
    const isa::Unit unit = isa::UnitOf(isa::OpcodeOf(instruction));
    trace.back().units.at(static_cast<std::size_t>(unit)).completed.push_back(completed);
  }
  void EndProgram(const std::vector<EventRun>& events) {
    trace.back().events = events;
    for (const EventRun& run : events) trace.back().cycles += run.cycles;
  }

  [[nodiscard]] std::vector<profile::Use> Uses() const {
    return profile::LayerUse(executable, programs, course.value_or(OnceThrough(executable)), trace);
  }
  [[nodiscard]] std::vector<std::uint64_t> Counted(Counter counter) const {
    std::vector<std::uint64_t> counts;
    for (const profile::Use& use : Uses()) counts.push_back(Count(use.counters, counter));
    return counts;
  }
  [[nodiscard]] std::vector<std::uint64_t> Useful() const {
    std::vector<std::uint64_t> cycles;
    for (const profile::Use& use : Uses()) cycles.push_back(use.useful_cycles);
    return cycles;
  }

  executable::Executable executable;
  std::vector<std::vector<isa::Instruction>> programs;
  InstructionTrace trace;
  std::optional<Course> course;  ///< Else once through all programs.
};

isa::Matmul MatmulOfRows(std::uint32_t rows) {
  isa::Matmul matmul;
  matmul.n_ow = rows / 2;
  matmul.n_kh = 2;
  return matmul;
}

TEST(LayerUse, OverlappingLayersShareTheRun) {
  Case run({0, 0});
  run.BeginProgram();
  run.Add(isa::Load(), 0, 20);
  run.Add(isa::Load(), 1, 40);  // The second layer's load is early.
  run.Add(MatmulOfRows(40), 0, 70);
  run.Add(MatmulOfRows(20), 1, 90);
  run.Add(isa::Store(), 1, 120);
  run.EndProgram({{kNoWork, 25}, {kActive, 60}, {kNoWork, 40}});
  EXPECT_THAT(run.Counted(Counter::kCycles), ElementsAre(70, 55));
  EXPECT_THAT(run.Counted(Counter::kArrayActive), ElementsAre(45, 15));
  EXPECT_THAT(run.Counted(Counter::kArrayNoWork), ElementsAre(25, 40));
}

TEST(LayerUse, WhatEndsBeforeItsPredecessorCostsNothing) {
  Case run({0, 0, 0, 0});
  run.BeginProgram();
  run.Add(isa::Vector(), 0, 50);
  run.Add(isa::Store(), 3, 80);
  run.Add(isa::Load(), 1, 30);
  run.EndProgram({{kNoWork, 81}});
  // Layer 2 has no instructions.
  EXPECT_THAT(run.Counted(Counter::kCycles), ElementsAre(50, 0, 0, 31));
}

TEST(LayerUse, UsefulCyclesFollowTheRowsToTheirLayer) {
  // Layer 0 fills half of the array, layer 1 all of it. Layer 1's first ten rows enter in layer 0's
  // window.
  Case run({40 * 16 / 2, 20 * 16});
  run.BeginProgram();
  run.Add(MatmulOfRows(40), 0, 60);
  run.Add(MatmulOfRows(20), 1, 70);
  run.EndProgram({{kNoWork, 10}, {kActive, 60}});
  EXPECT_THAT(run.Counted(Counter::kArrayActive), ElementsAre(50, 10));
  EXPECT_THAT(run.Useful(), ElementsAre(20 + 10, 10));
}

TEST(LayerUse, UsefulCyclesOfALayerSumToItsMacs) {
  // A third of 30 rows in windows of 7, 10 and 13 cycles, each in a program of its own.
  Case run({30 * 16 / 3, 0, 0});
  std::uint32_t layer = 0;
  for (const std::uint32_t rows : {8U, 10U, 12U}) {
    run.BeginProgram();
    run.Add(MatmulOfRows(rows), 0, rows / 2);
    run.Add(isa::Vector(), ++layer % 3, rows);
    run.EndProgram({{kActive, rows}});
  }
  std::uint64_t useful = 0;
  for (const profile::Use& use : run.Uses()) useful += use.useful_cycles;
  EXPECT_EQ(useful, 10U);
}

TEST(LayerUse, WhatTheVectorUnitMultipliesIsNotUsefulToTheArray) {
  Case run({1'000'000});
  run.BeginProgram();
  run.Add(isa::Vector(), 0, 10);
  run.EndProgram({{kNoWork, 10}});
  EXPECT_THAT(run.Useful(), ElementsAre(0));
}

// The second program runs first, then twice the first one.
TEST(LayerUse, FollowsTheCourseOfTheRun) {
  Case c({64, 32});
  c.BeginProgram();
  c.Add(MatmulOfRows(4), 0, 5);
  c.BeginProgram();
  c.Add(MatmulOfRows(2), 1, 3);
  c.trace.clear();
  c.course = Course{.programs = {1, 0, 0}, .layer_macs = {128, 32}};
  for (const std::uint64_t rows : {2U, 4U, 4U}) {
    ProgramTrace& program = c.trace.emplace_back();
    program.units.at(static_cast<std::size_t>(isa::Unit::kMatmul)).completed = {rows};
    program.events = {{.events = kActive, .cycles = static_cast<std::uint32_t>(rows)}};
    program.cycles = rows;
  }
  EXPECT_THAT(c.Counted(Counter::kCycles), ElementsAre(8, 2));
  EXPECT_THAT(c.Useful(), ElementsAre(8, 2));
}

TEST(LayerUse, IncompleteOrForeignTraceIsRefused) {
  Case incomplete({0});
  incomplete.BeginProgram();
  incomplete.Add(isa::Load(), 0, 5);
  incomplete.trace.back().units = {};
  EXPECT_THROW(static_cast<void>(incomplete.Uses()), Error);
  Case foreign({0});
  foreign.BeginProgram();
  foreign.Add(MatmulOfRows(4), 0, 5);
  foreign.EndProgram({{kActive, 5}});
  EXPECT_THROW(static_cast<void>(foreign.Uses()), Error);
}

}  // namespace
}  // namespace tpu::runtime
