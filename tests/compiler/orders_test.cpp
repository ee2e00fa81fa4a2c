// SPDX-License-Identifier: Apache-2.0
// Candidates of the scheduler: the same instructions in orders that keep what depends on each
// other.
#include "compiler/schedule/orders.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tpu::compiler {
namespace {

Access BufferRow(bool write, std::uint64_t row) {
  return {.space = Space::kUnifiedBuffer, .write = write, .begin = row, .end = row + 1};
}

// A load of `bytes` bytes to a row. Instructions are told apart by their layer.
SequentialInstruction LongLoad(std::uint32_t bytes, std::uint64_t row, std::uint32_t layer) {
  isa::Load load;
  load.row_bytes = bytes;
  load.pixel_bytes = 16;
  return {.instruction = load, .accesses = {BufferRow(true, row)}, .layer = layer};
}
SequentialInstruction LongVector(std::uint64_t from, std::uint64_t to, std::uint32_t layer) {
  isa::Vector vector;
  vector.n_ow = 1000;
  return {.instruction = vector,
          .accesses = {BufferRow(false, from), BufferRow(true, to)},
          .layer = layer};
}

std::vector<std::vector<std::uint32_t>> LayersOf(const std::vector<SequentialProgram>& programs) {
  std::vector<std::vector<std::uint32_t>> layers;
  for (const SequentialProgram& program : programs) {
    layers.emplace_back();
    for (const auto& instruction : program) layers.back().push_back(instruction.layer);
  }
  return layers;
}

TEST(Orders, AChainHasOneOrder) {
  const SequentialProgram chain = {LongLoad(64, 0, 0), LongVector(0, 1, 1), LongVector(1, 2, 2)};
  EXPECT_EQ(LayersOf(Orders(chain, {})), (std::vector<std::vector<std::uint32_t>>{{0, 1, 2}}));
}

TEST(Orders, HaveAllInstructionsAndNoSemaphores) {
  const SequentialProgram program = {LongLoad(1 << 20, 0, 0), LongVector(0, 1, 1),
                                     LongVector(10, 11, 2), LongVector(12, 13, 3)};
  const std::vector<SequentialProgram> orders = Orders(program, {});
  ASSERT_FALSE(orders.empty());
  for (std::vector<std::uint32_t> layers : LayersOf(orders)) {
    EXPECT_EQ(layers.back(), 1U) << "what waits for the long load comes last";
    std::sort(layers.begin(), layers.end());
    EXPECT_EQ(layers, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  }
  for (const SequentialProgram& order : orders) {
    for (const SequentialInstruction& instruction : order) {
      EXPECT_EQ(isa::SemaphoresOf(instruction.instruction).wait, 0U);
      EXPECT_EQ(isa::SemaphoresOf(instruction.instruction).post, 0U);
    }
  }
}

}  // namespace
}  // namespace tpu::compiler
