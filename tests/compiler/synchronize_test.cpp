// SPDX-License-Identifier: Apache-2.0
// Waits and posts of short instruction lists.
#include "compiler/schedule/synchronize.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "asm/verifier.h"

namespace tpu::compiler {
namespace {

Access Touch(Space space, bool write, std::uint64_t begin, std::uint64_t end) {
  return {.space = space, .write = write, .begin = begin, .end = end};
}
Access Reads(std::uint64_t begin, std::uint64_t end) {
  return Touch(Space::kUnifiedBuffer, false, begin, end);
}
Access Writes(std::uint64_t begin, std::uint64_t end) {
  return Touch(Space::kUnifiedBuffer, true, begin, end);
}

// One row of the unified buffer.
SequentialInstruction LoadTo(std::uint32_t row) {
  isa::Load load;
  load.row = row;
  return {.instruction = load, .accesses = {Writes(row, row + 1)}};
}
SequentialInstruction StoreFrom(std::uint32_t row, std::uint64_t address = 0) {
  isa::Store store;
  store.row = row;
  store.dram_addr = address;
  return {.instruction = store,
          .accesses = {Reads(row, row + 1), Touch(Space::kMemory, true, address, address + 1)}};
}
SequentialInstruction Copy(std::uint32_t from, std::uint32_t to) {
  isa::Vector vector;
  vector.a_row = static_cast<std::int32_t>(from);
  vector.o_row = to;
  vector.y_bound = vector.x_bound = 1;
  return {.instruction = vector,
          .accesses = {Reads(from, from + 1), Writes(to, to + 1),
                       Touch(Space::kParameters, false, 0, 1)}};
}

std::uint32_t Waits(const SequentialInstruction& i) {
  return isa::SemaphoresOf(i.instruction).wait;
}
std::uint32_t Posts(const SequentialInstruction& i) {
  return isa::SemaphoresOf(i.instruction).post;
}

// Semaphores 0-7: input, 8-15: dependence, 16-23: space.
constexpr std::uint32_t kInputs = 0x0000FF;
constexpr std::uint32_t kDependences = 0x00FF00;
constexpr std::uint32_t kSpaces = 0xFF0000;

TEST(Synchronize, AResultIsWaitedForOnceByEachUser) {
  std::vector<SequentialInstruction> program = {LoadTo(0), Copy(0, 1), StoreFrom(1)};
  Synchronize(program);
  EXPECT_EQ(Waits(program[0]), 0U);
  EXPECT_EQ(Waits(program[1]), Posts(program[0]));
  EXPECT_EQ(std::popcount(Posts(program[0]) & kInputs), 1);
  EXPECT_EQ(Waits(program[2]), Posts(program[1]));
  EXPECT_EQ(std::popcount(Posts(program[1]) & kDependences), 1);
}

TEST(Synchronize, OverwritingWaitsForReaders) {
  std::vector<SequentialInstruction> program = {LoadTo(0), Copy(0, 1), LoadTo(0)};
  Synchronize(program);
  EXPECT_EQ(std::popcount(Waits(program[2])), 1);
  EXPECT_NE(Waits(program[2]) & Posts(program[1]) & kSpaces, 0U);
}

TEST(Synchronize, UnrelatedInstructionsAreNotOrdered) {
  std::vector<SequentialInstruction> program = {LoadTo(0), Copy(1, 2), StoreFrom(3)};
  Synchronize(program);
  for (const auto& instruction : program) {
    EXPECT_EQ(Waits(instruction) | Posts(instruction), 0U);
  }
}

TEST(Synchronize, OnlyTheLastOfAUnitIsWaitedFor) {
  std::vector<SequentialInstruction> program = {LoadTo(0), LoadTo(1), Copy(0, 2), Copy(1, 3)};
  program[2].accesses.push_back(Reads(1, 2));
  Synchronize(program);
  EXPECT_EQ(Posts(program[0]), 0U);
  EXPECT_NE(Posts(program[1]), 0U);
  EXPECT_EQ(Waits(program[3]), 0U) << "the wait of the vector instruction before implies it";
}

TEST(Synchronize, WhatAnotherWaitImpliesIsLeftOut) {
  // The store needs both the load (row 0) and the copy, which came after the load.
  std::vector<SequentialInstruction> program = {LoadTo(0), Copy(0, 1), StoreFrom(1)};
  program[2].accesses.push_back(Reads(0, 1));
  Synchronize(program);
  EXPECT_EQ(std::popcount(Waits(program[2])), 1);
  EXPECT_EQ(Waits(program[2]), Posts(program[1]));
}

TEST(Synchronize, VectorReadingItsOwnResultNeedsASemaphore) {
  std::vector<SequentialInstruction> program = {Copy(0, 1), Copy(1, 2), Copy(3, 1)};
  Synchronize(program);
  EXPECT_NE(Waits(program[1]), 0U);
  EXPECT_EQ(Waits(program[1]), Posts(program[0]));
  EXPECT_EQ(Waits(program[2]), 0U) << "overwriting keeps program order within the unit";
}

TEST(Synchronize, ReadingAPartOfWhatSeveralWroteWaitsForTheRightOne) {
  std::vector<SequentialInstruction> program = {LoadTo(0), LoadTo(4), Copy(0, 9)};
  program[0].accesses = {Writes(0, 8)};
  program[2].accesses[0] = Reads(0, 2);
  Synchronize(program);
  EXPECT_NE(Posts(program[0]), 0U);
  EXPECT_EQ(Posts(program[1]), 0U);
}

std::vector<isa::Instruction> InstructionsOf(const std::vector<SequentialInstruction>& program) {
  std::vector<isa::Instruction> instructions;
  for (const auto& instruction : program) instructions.push_back(instruction.instruction);
  return instructions;
}

// More results wait to be read than a semaphore can count: some waits stand for several.
TEST(Synchronize, NoSemaphoreIsPostedAboveWhatItCounts) {
  constexpr std::uint32_t kRows = 3 * isa::kMaxUnmetPosts;
  std::vector<SequentialInstruction> program;
  for (std::uint32_t row = 0; row < kRows; ++row) program.push_back(LoadTo(row));
  for (std::uint32_t row = 0; row < kRows; ++row) program.push_back(StoreFrom(row, 64 + row));
  Synchronize(program);
  const auto instructions = InstructionsOf(program);
  const auto findings = assembly::Verify(instructions, isa::HardwareConfig{},
                                         {.memory_bytes = 1024, .program_address = {}});
  EXPECT_TRUE(findings.empty()) << assembly::ToString(findings.front(), instructions);
  std::size_t waits = 0;
  for (const auto& instruction : program)
    waits += static_cast<std::size_t>(std::popcount(Waits(instruction)));
  EXPECT_EQ(waits, isa::kMaxUnmetPosts) << "posts that fit are made";
}

// Random programs of single rows are found correct by the verifier, and wrong when any wait is
// taken away together with its post.
TEST(Synchronize, RandomProgramsVerify) {
  isa::HardwareConfig config;
  int removed = 0;
  int noticed = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto row = [&] { return static_cast<std::uint32_t>(random() % 6); };
    std::vector<SequentialInstruction> program;
    for (int i = 0; i < 60; ++i) {
      switch (random() % 3) {
        case 0:
          program.push_back(LoadTo(row()));
          std::get<isa::Load>(program.back().instruction).dram_addr = 512;
          break;
        case 1:
          program.push_back(StoreFrom(row(), random() % 4));
          break;
        default: {
          const std::uint32_t from = row();
          program.push_back(Copy(from, (from + 1 + row() % 5) % 6));
        }
      }
    }
    Synchronize(program);
    const auto instructions = InstructionsOf(program);
    const assembly::VerifyOptions options = {.memory_bytes = 1024, .program_address = {}};
    const auto findings = assembly::Verify(instructions, config, options);
    ASSERT_TRUE(findings.empty()) << assembly::ToString(findings.front(), instructions);
    for (unsigned semaphore = 0; semaphore < 32; ++semaphore) {
      auto broken = instructions;
      const std::uint32_t mask = ~(1U << semaphore);
      bool used = false;
      for (isa::Instruction& instruction : broken) {
        used = used || (isa::SemaphoresOf(instruction).wait & ~mask) != 0;
        isa::SemaphoresOf(instruction).wait &= mask;
        isa::SemaphoresOf(instruction).post &= mask;
      }
      if (!used) continue;
      ++removed;
      if (!assembly::Verify(broken, config, options).empty()) ++noticed;
    }
  }
  EXPECT_GT(removed, 50);
  EXPECT_EQ(noticed, removed) << "a semaphore that nothing needs";
}

}  // namespace
}  // namespace tpu::compiler
