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

// Cycles that each of eight more repetitions adds.
double MeasuredCost(const Instructions& repeated) {
  const auto cycles = [&](int times) {
    Instructions program;
    for (int i = 0; i < times; ++i) {
      program.insert(program.end(), repeated.begin(), repeated.end());
    }
    return timing::EstimateProgram(program, 0, {}).cycles;
  };
  return static_cast<double>(cycles(12) - cycles(4)) / 8;
}

void ExpectCost(const Instructions& repeated) {
  const double measured = MeasuredCost(repeated);
  const auto estimated = static_cast<double>(DurationOf(repeated.back(), {}).busy);
  EXPECT_GT(estimated, 0.9 * measured);
  EXPECT_LT(estimated, 1.1 * measured);
}

TEST(DurationOf, KeepsToTheTimingModelInTransfers) {
  for (const std::uint32_t bytes : {1024U, 4096U}) {
    SCOPED_TRACE(bytes);
    isa::Load load;
    load.rows = 4;
    load.row_stride = load.row_bytes = bytes;
    load.pixel_bytes = 16;
    ExpectCost({load});
    isa::Store store;
    store.rows = 4;
    store.row_stride = store.row_bytes = bytes;
    store.pixel_bytes = 16;
    ExpectCost({store});
  }
}

// The array is what products of so many rows wait for. With fewer rows they wait for the bus, which
// brings the instructions, too: of these the estimate knows nothing.
TEST(DurationOf, KeepsToTheTimingModelInProducts) {
  for (const std::uint32_t rows : {32U, 100U, 500U}) {
    SCOPED_TRACE(rows);
    isa::Matmul matmul;
    matmul.n_ow = rows;
    matmul.x_bound = 16 * rows;
    ExpectCost({isa::Weights{}, matmul});
  }
}

TEST(DurationOf, KeepsToTheTimingModelInVectors) {
  for (const std::uint32_t columns : {100U, 1000U}) {
    SCOPED_TRACE(columns);
    isa::Vector vector;
    vector.n_ow = columns;
    vector.y_bound = 1;
    vector.x_bound = columns;
    ExpectCost({vector});
  }
}

TEST(EstimateCycles, IsTheTimingModelsWord) {
  isa::Vector vector;
  vector.n_ow = 100;
  const SequentialProgram program = {{.instruction = vector}, {.instruction = vector}};
  const Instructions instructions = {vector, vector};
  EXPECT_EQ(EstimateCycles(program, {}), timing::EstimateProgram(instructions, 0, {}).cycles);
}

}  // namespace
}  // namespace tpu::compiler
