// SPDX-License-Identifier: Apache-2.0
// Candidates of the scheduler: the same instructions in orders that keep what depends on each
// other.
#include "compiler/schedule/orders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <variant>

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

constexpr std::uint64_t kHalfRows = 32;

Access Accumulators(bool write, std::uint64_t half) {
  return {.space = Space::kAccumulators,
          .write = write,
          .begin = half * kHalfRows,
          .end = half * kHalfRows + 16};
}

// Two layers of four sums each, which take the halves of the accumulators in turns: the first layer
// waits for its drains, the second one for the array.
SequentialProgram TwoLayersOfSums() {
  SequentialProgram program;
  for (std::uint64_t sum = 0; sum < 8; ++sum) {
    const std::uint32_t layer = sum < 4 ? 0 : 1;
    const std::uint64_t half = sum % 2;
    isa::Matmul matmul;
    matmul.acc_row = static_cast<std::uint32_t>(half * kHalfRows);
    matmul.n_ow = layer == 0 ? 100 : 3000;
    program.push_back({.instruction = isa::Weights{}, .accesses = {}, .layer = layer});
    program.push_back({.instruction = matmul,
                       .accesses = {BufferRow(false, 100), Accumulators(true, half)},
                       .layer = layer});
    isa::Vector drain;
    drain.source = isa::VectorSource::kAccumulators;
    drain.a_row = static_cast<std::int32_t>(half * kHalfRows);
    drain.n_ow = layer == 0 ? 3000 : 100;
    program.push_back({.instruction = drain,
                       .accesses = {Accumulators(false, half), BufferRow(true, sum)},
                       .layer = layer});
  }
  return program;
}

bool LayersMix(const SequentialProgram& order) {
  bool second = false;
  for (const SequentialInstruction& instruction : order) {
    if (!std::holds_alternative<isa::Matmul>(instruction.instruction)) continue;
    if (second && instruction.layer == 0) return true;
    second = instruction.layer == 1;
  }
  return false;
}

TEST(Orders, SumsOfLayersSideBySideMayMix) {
  const isa::HardwareConfig config = {.acc_rows = 2 * kHalfRows};
  const auto mixed = [&](Overlap overlap) {
    const std::vector<SequentialProgram> orders = Orders(TwoLayersOfSums(), config, overlap);
    return std::any_of(orders.begin(), orders.end(), LayersMix);
  };
  EXPECT_FALSE(mixed(Overlap::kEnds));
  EXPECT_TRUE(mixed(Overlap::kTwoSideBySide));
}

TEST(Orders, ASumIsDrainedBeforeTheNextOneTakesItsHalf) {
  const isa::HardwareConfig config = {.acc_rows = 2 * kHalfRows};
  for (const SequentialProgram& order :
       Orders(TwoLayersOfSums(), config, Overlap::kTwoSideBySide)) {
    std::array<bool, 2> full = {};
    for (const SequentialInstruction& instruction : order) {
      if (const auto* matmul = std::get_if<isa::Matmul>(&instruction.instruction)) {
        const std::size_t half = matmul->acc_row / kHalfRows;
        EXPECT_EQ(instruction.accesses[1].begin, half * kHalfRows);
        EXPECT_FALSE(full.at(half));
        full.at(half) = true;
      } else if (const auto* drain = std::get_if<isa::Vector>(&instruction.instruction)) {
        const auto half = static_cast<std::size_t>(drain->a_row) / kHalfRows;
        EXPECT_EQ(instruction.accesses[0].begin, half * kHalfRows);
        EXPECT_TRUE(full.at(half));
        full.at(half) = false;
      }
    }
  }
}

// The second product's input is there long before that of the first one.
TEST(Orders, TheFirstProductOfASumTakesTheHalf) {
  const auto product = [](std::uint64_t input, std::uint32_t accumulator) {
    isa::Matmul matmul;
    matmul.acc_row = accumulator;
    return SequentialInstruction{.instruction = matmul,
                                 .accesses = {BufferRow(false, input),
                                              {.space = Space::kAccumulators,
                                               .write = true,
                                               .begin = accumulator,
                                               .end = accumulator + 1}}};
  };
  isa::Vector drain;
  drain.source = isa::VectorSource::kAccumulators;
  const SequentialProgram program = {
      LongLoad(1 << 20, 0, 0),
      {.instruction = isa::Weights{}, .accesses = {}},
      product(0, 0),
      {.instruction = isa::Weights{}, .accesses = {}},
      product(1, 16),
      {.instruction = drain, .accesses = {Accumulators(false, 0), BufferRow(true, 2)}}};
  for (const SequentialProgram& order :
       Orders(program, {.acc_rows = 2 * kHalfRows}, Overlap::kTwoSideBySide)) {
    EXPECT_EQ(std::get<isa::Matmul>(order[2].instruction).acc_row % kHalfRows, 0U);
    EXPECT_EQ(std::get<isa::Matmul>(order[4].instruction).acc_row % kHalfRows, 16U);
  }
}

}  // namespace
}  // namespace tpu::compiler
