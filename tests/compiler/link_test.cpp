// SPDX-License-Identifier: Apache-2.0
// Bytes and places of programs.
#include "compiler/link/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "compiler/schedule/schedule.h"

namespace tpu::compiler {
namespace {

using testing::HasSubstr;

// Sixteen bytes to row 0 and from there to another place in memory.
SequentialProgram CopyRow() {
  isa::Load load;
  load.row_bytes = 16;
  load.pixel_bytes = 16;
  isa::Store store;
  store.dram_addr = 64;
  store.row_bytes = 16;
  store.pixel_bytes = 16;
  const Access row = {.space = Space::kUnifiedBuffer, .begin = 0, .end = 1};
  Access written = row;
  written.write = true;
  return {{.instruction = load, .accesses = {written}}, {.instruction = store, .accesses = {row}}};
}

SequentialNetwork EmptyNetwork() {
  SequentialNetwork network{isa::HardwareConfig()};
  network.layers = {{.name = "op0", .op = "COPY"}};
  network.memory.Allocate(128);
  return network;
}

TEST(Link, StepsKeepTheirOrder) {
  SequentialNetwork network = EmptyNetwork();
  network.steps = {CopyRow(),
                   executable::HostCall{.attributes = host_operators::Softmax{.beta = 2.0F}},
                   CopyRow()};
  ScheduleNetwork(network);
  const executable::Executable executable = Link(std::move(network));
  ASSERT_EQ(executable.steps.size(), 3U);
  const auto& first = std::get<executable::DeviceProgram>(executable.steps[0]);
  const auto& call = std::get<executable::HostCall>(executable.steps[1]);
  EXPECT_EQ(std::get<host_operators::Softmax>(call.attributes).beta, 2.0F);
  const auto& last = std::get<executable::DeviceProgram>(executable.steps[2]);
  EXPECT_EQ(first.address, 128U);
  EXPECT_EQ(last.address, 256U);
  EXPECT_EQ(executable.memory_bytes, 384U);
  EXPECT_EQ(first.first_instruction, 0U);
  EXPECT_EQ(last.first_instruction, 2U);
  EXPECT_EQ(executable.layer_of_instruction.size(), 4U);
}

TEST(Link, InstructionsThatDoNotFitTheirFieldsAreMistakesOfTheCompiler) {
  SequentialNetwork network = EmptyNetwork();
  isa::Load load;
  load.pixel_bytes = 1U << 24;
  network.steps = {SequentialProgram{{.instruction = load}}};
  try {
    Link(std::move(network));
    FAIL() << "a pixel of 2^24 bytes was encoded";
  } catch (const InternalError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("op0 (COPY) became an instruction that does not exist: load: pixel_bytes "
                          "is 16777216, legal are 1 .. 16777215"));
  }
}

TEST(Memory, EndsWhereTheMachineCannotReach) {
  Memory memory(8);
  EXPECT_EQ(memory.Allocate(65), 0U);
  EXPECT_EQ(memory.Allocate(128), 128U);
  EXPECT_EQ(memory.Bytes(), 256U);
  EXPECT_THROW(memory.Allocate(1), Error);
}

}  // namespace
}  // namespace tpu::compiler
