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
constexpr isa::HardwareConfig kWithBf16 = {.bf16 = 1};

TEST(DurationOf, KeepsToTheTimingModelInTransfersOfBf16) {
  for (const std::uint32_t pixel_bytes : {16U, 32U}) {
    SCOPED_TRACE(pixel_bytes);  // Eight numbers of 16: both of their rows are written.
    isa::Load load;
    load.format = kBf16;
    load.rows = 4;
    load.row_bytes = load.row_stride = 1024;
    load.pixel_bytes = pixel_bytes;
    ExpectCost({load}, 0.02, kWithBf16);
  }
}

TEST(DurationOf, KeepsToTheTimingModelInProductsOfBf16) {
  for (const std::uint32_t tiles : {1U, 4U, 9U}) {
    for (const std::uint32_t rows : {1U, 16U, 100U, 500U}) {
      SCOPED_TRACE(testing::Message() << rows << " rows, " << tiles << " tiles");
      Instructions product = Product(rows, tiles);
      std::get<isa::Weights>(product[0]).format = kBf16;
      std::get<isa::Matmul>(product[1]).format = kBf16;
      ExpectCost(product, 0.001, kWithBf16);
    }
  }
}

TEST(DurationOf, KeepsToTheTimingModelInVectorsOfFloats) {
  isa::Fvector rows;
  rows.a_format = kBf16;
  rows.o_format = isa::NumberFormat::kFloat32;
  rows.n_ow = 1000;
  rows.y_bound = rows.x_bound = 1000;
  ExpectCost({rows}, 0.01, kWithBf16);
  isa::Fvector sums = rows;
  sums.n_kw = 5;
  ExpectCost({sums}, 0.01, kWithBf16);
  sums.map = isa::FloatMap::kAdd;
  sums.operand = isa::FloatOperand::kConstant;
  ExpectCost({sums}, 0.01, kWithBf16);
  isa::Fvector function = rows;
  function.function = isa::FloatFunction::kTanh;
  ExpectCost({function}, 0.01, kWithBf16);
}

TEST(EstimateCycles, OfBf16IsTheTimingModelsWord) {
  isa::Fvector fvector;
  fvector.n_ow = 100;
  const SequentialProgram program = {{.instruction = fvector}, {.instruction = fvector}};
  const Instructions instructions = {fvector, fvector};
  EXPECT_EQ(EstimateCycles(program, kWithBf16),
            timing::EstimateProgram(instructions, 0, kWithBf16).cycles);
}

}  // namespace
}  // namespace tpu::compiler
