// SPDX-License-Identifier: Apache-2.0
// What an instruction costs by itself keeps to the timing model: the cycles that one more of the
// same kind adds to a program.
#include <gtest/gtest.h>

#include "compiler/cost/duration.h"
#include "compiler/cost/estimate_cycles.h"
#include "timing/estimate.h"

namespace tpu::compiler {
namespace {

using Instructions = std::vector<isa::Instruction>;

// Cycles that each of 40 more repetitions adds. The front end fetches 32 granules ahead, and what
// follows pays for their way over the bus: the first repetitions do not count.
double MeasuredCost(const Instructions& repeated, const isa::HardwareConfig& config) {
  const auto cycles = [&](int times) {
    Instructions program;
    for (int i = 0; i < times; ++i) {
      program.insert(program.end(), repeated.begin(), repeated.end());
    }
    return timing::EstimateProgram(program, 0, config).cycles;
  };
  return static_cast<double>(cycles(60) - cycles(20)) / 40;
}

// `error` is the share by which the estimate may be wrong.
void ExpectCost(const Instructions& repeated, double error,
                const isa::HardwareConfig& config = {}) {
  const double measured = MeasuredCost(repeated, config);
  const auto estimated = static_cast<double>(DurationOf(repeated.back(), config).busy);
  EXPECT_GT(estimated, (1 - error) * measured);
  EXPECT_LT(estimated, (1 + error) * measured);
}

// `rows` rows meet each of `tiles` tiles.
Instructions Product(std::uint32_t rows, std::uint32_t tiles) {
  isa::Weights weights;
  weights.tiles = tiles;
  isa::Matmul matmul;
  matmul.n_kw = tiles;
  matmul.n_ow = rows;
  matmul.x_bound = 16 * rows;
  return {weights, matmul};
}

TEST(DurationOf, KeepsToTheTimingModelInTransfers) {
  for (const std::uint32_t bytes : {1024U, 4096U}) {
    SCOPED_TRACE(bytes);
    isa::Load load;
    load.rows = 4;
    load.row_stride = load.row_bytes = bytes;
    load.pixel_bytes = 16;
    ExpectCost({load}, 0.02);
    isa::Store store;
    store.rows = 4;
    store.row_stride = store.row_bytes = bytes;
    store.pixel_bytes = 16;
    ExpectCost({store}, 0.02);
  }
}

// With few rows a product waits for the bus, with many rows for the array.
TEST(DurationOf, KeepsToTheTimingModelInProducts) {
  for (const std::uint32_t tiles : {1U, 4U, 9U}) {
    for (const std::uint32_t rows : {1U, 8U, 16U, 32U, 100U, 500U}) {
      SCOPED_TRACE(testing::Message() << rows << " rows, " << tiles << " tiles");
      ExpectCost(Product(rows, tiles), 0.001);
    }
  }
}

// A tile that is late for the array keeps the array from the tiles behind it.
TEST(DurationOf, IsNearTheTimingModelWhereBusAndArrayAreEquallyBusy) {
  for (const std::uint32_t rows : {17U, 20U, 24U, 28U}) {
    SCOPED_TRACE(rows);
    ExpectCost(Product(rows, 1), 0.11);
    ExpectCost(Product(rows, 4), 0.04);
  }
}

TEST(DurationOf, KeepsToTheTimingModelInProductsOnANarrowBus) {
  for (const std::uint32_t rows : {1U, 16U, 32U}) {
    SCOPED_TRACE(rows);
    ExpectCost(Product(rows, 1), 0.001, {.axi_data_width = 64});
  }
}

TEST(DurationOf, KeepsToTheTimingModelInVectors) {
  for (const std::uint32_t columns : {100U, 1000U}) {
    SCOPED_TRACE(columns);
    isa::Vector vector;
    vector.n_ow = columns;
    vector.y_bound = 1;
    vector.x_bound = columns;
    ExpectCost({vector}, 0.001);
  }
}

TEST(EstimateCycles, IsTheTimingModelsWord) {
  isa::Vector vector;
  vector.n_ow = 100;
  const SequentialProgram program = {{.instruction = vector}, {.instruction = vector}};
  const Instructions instructions = {vector, vector};
  EXPECT_EQ(EstimateCycles(program, {}), timing::EstimateProgram(instructions, 0, {}).cycles);
}

constexpr isa::NumberFormat kBf16 = isa::NumberFormat::kBfloat16;

// No model knows it: rows and bytes as docs/isa.md has them.
TEST(DurationOf, OfBf16CountsTheRowsAndBytesOfItsNumbers) {
  isa::Load load;
  load.format = kBf16;
  load.rows = 4;
  load.row_bytes = load.row_stride = 1024;
  load.pixel_bytes = 16;  // Eight numbers of 16, but both of their rows are written.
  const timing::Cycle bytes =
      DurationOf(isa::Load{.row_bytes = 1024, .rows = 4, .pixel_bytes = 16}, isa::HardwareConfig{})
          .busy;
  EXPECT_EQ(DurationOf(load, {}).busy, bytes + 4 * 1024 / 16);
  isa::Matmul matmul;
  matmul.n_ow = 1;
  matmul.n_kw = 4;
  const timing::Cycle narrow = DurationOf(matmul, {}).busy;
  matmul.format = kBf16;
  EXPECT_EQ(DurationOf(matmul, {}).busy, narrow + 4 * 16 * 16 / 16) << "a byte more a weight";
  EXPECT_EQ(
      DurationOf(isa::Fvector{.n_cb = 2, .n_oh = 3, .n_ow = 5, .n_kh = 7, .n_kw = 11}, {}).busy,
      2U * 3 * 5 * 7 * 11);
}

// Beside each other, one after the other, one after the other by a semaphore, and a product whose
// weights have to wait.
TEST(EstimateCycles, OfBf16FollowsSemaphoresAndUnits) {
  constexpr isa::HardwareConfig kWithBf16 = {.bf16 = 1};
  isa::Fvector vector;
  vector.n_ow = 1000;
  isa::Load load;
  load.format = kBf16;
  load.row_bytes = 16 * 1000;
  load.pixel_bytes = 32;
  const timing::Cycle loaded = DurationOf(load, {}).busy + DurationOf(load, {}).latency;
  const timing::Cycle computed = 1000 + DurationOf(vector, {}).latency;
  const auto cycles = [&](isa::Instruction first, isa::Instruction second) {
    const SequentialProgram program = {{.instruction = first}, {.instruction = second}};
    return EstimateCycles(program, kWithBf16);
  };
  EXPECT_EQ(cycles(load, vector), std::max(loaded, computed));
  EXPECT_EQ(cycles(vector, vector), 1000 + computed);
  load.semaphores.post = 2;
  vector.semaphores.wait = 2;
  EXPECT_EQ(cycles(load, vector), loaded + computed);
  isa::Weights weights;
  weights.format = kBf16;
  weights.semaphores.wait = 2;
  isa::Matmul matmul;
  matmul.format = kBf16;
  const SequentialProgram product = {
      {.instruction = load}, {.instruction = weights}, {.instruction = matmul}};
  EXPECT_EQ(EstimateCycles(product, kWithBf16),
            loaded + DurationOf(matmul, {}).busy + DurationOf(matmul, {}).latency);
}

}  // namespace
}  // namespace tpu::compiler
