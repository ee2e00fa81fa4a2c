// What the tilings of well-known layers look like on the default machine.
#include <gtest/gtest.h>

#include "compiler/conv_tiling.h"
#include "compiler/vector_tiling.h"
#include "isa/encoding.h"
#include "network.h"

namespace tpu::compiler {
namespace {

ConvShape MatrixProduct(std::int64_t m, std::int64_t k, std::int64_t n) {
  ConvShape shape;
  shape.input = {.w = m, .c = k};
  shape.output = {.w = m, .c = n};
  shape.x.input = m;
  shape.input_pixel_bytes = k;
  shape.output_pixel_bytes = n;
  shape.input_scattered = shape.output_scattered = true;
  return shape;
}

std::int64_t Covered(const std::vector<Range>& ranges) {
  std::int64_t end = 0;
  for (const Range& range : ranges) {
    EXPECT_EQ(range.begin, end);
    EXPECT_FALSE(range.Empty());
    end = range.end;
  }
  return end;
}

TEST(ConvTiling, CoversEveryLoopAndFitsTheBuffers) {
  const isa::HardwareConfig config = {.n = 8, .ub_rows = 512, .acc_rows = 64, .param_rows = 16};
  for (const std::int64_t size : {1, 7, 16, 100, 700}) {
    const ConvShape shape = MatrixProduct(size, 3 * size, 2 * size);
    const ConvTiling tiling = ChooseConvTiling(shape, config, config.ub_rows);
    ASSERT_FALSE(tiling.rows.empty()) << size;
    EXPECT_EQ(Covered(tiling.columns), size);
    EXPECT_EQ(Covered(tiling.output_blocks), CeilDiv(2 * size, 8));
    EXPECT_EQ(Covered(tiling.input_blocks), CeilDiv(3 * size, 8));
    EXPECT_LE(LargestSize(tiling.columns) * LargestSize(tiling.output_blocks), 32);
    EXPECT_LE((tiling.input_rows + tiling.output_rows) * (tiling.Loads() > 1 ? 2 : 1), 512);
  }
}

TEST(ConvTiling, LargeProductsLoadEachInputOnce) {
  const isa::HardwareConfig config;
  const ConvTiling tiling = ChooseConvTiling(MatrixProduct(512, 512, 512), config, config.ub_rows);
  EXPECT_EQ(tiling.KGroups(), 1);
  EXPECT_GE(LargestSize(tiling.columns), 4 * config.n);
  EXPECT_LT(tiling.columns.front().Size(), LargestSize(tiling.columns)) << "a short first load";
  EXPECT_LT(tiling.columns.back().Size(), LargestSize(tiling.columns)) << "a short last drain";
  EXPECT_LT(tiling.cycles, 512.0 * 512 * 512 / 256 / 0.95);
}

TEST(ConvTiling, AVectorTimesAMatrixIsFewInstructions) {
  const isa::HardwareConfig config;
  const ConvTiling tiling = ChooseConvTiling(MatrixProduct(1, 1024, 1024), config, config.ub_rows);
  EXPECT_LE(tiling.output_blocks.size(), 4U);
  EXPECT_EQ(tiling.columns.size(), 1U);
}

TEST(ConvTiling, ResidentNeighboursGetTilesOfWholeImageRows) {
  const isa::HardwareConfig config;
  ConvShape shape;
  shape.input = {.h = 14, .w = 14, .c = 64};
  shape.output = {.h = 14, .w = 14, .c = 384};
  shape.x.input = shape.y.input = 14;
  shape.input_resident = shape.output_resident = true;
  const ConvTiling tiling = ChooseConvTiling(shape, config, config.ub_rows);
  EXPECT_EQ(tiling.columns.size(), 1U);
  EXPECT_GT(tiling.rows.size(), 2U);
  EXPECT_EQ(tiling.input_rows + tiling.output_rows, 0);
}

// Tensors that fit stay on chip: only the ends of the network touch memory.
// A depthwise convolution, or a pooling, of 3 x 3 or 1 x 1 windows.
VectorShape Windows(std::int64_t size) {
  VectorShape shape;
  shape.x = shape.y = {.size = size, .pad = size / 2, .input = 32};
  const Placement in_memory = {.images = {.h = 32, .w = 32, .c = 16}};
  shape.inputs = {in_memory};
  shape.output = in_memory;
  return shape;
}

TEST(VectorTiling, CountsTapsWhereTheMachineHasNoWindows) {
  const isa::HardwareConfig full;
  const isa::HardwareConfig without = {.window = 0};
  const double by_column = ChooseVectorTiling(Windows(3), full, full.ub_rows).cycles;
  const double by_tap = ChooseVectorTiling(Windows(3), without, without.ub_rows).cycles;
  EXPECT_GE(by_tap - by_column, 7 * 32 * 32);
}

TEST(VectorTiling, CountsTheRowsThatRequantisersTake) {
  const isa::HardwareConfig full;
  const isa::HardwareConfig shared = {.requant_lanes = 4};
  const double one = ChooseVectorTiling(Windows(1), full, full.ub_rows).cycles;
  const double four = ChooseVectorTiling(Windows(1), shared, shared.ub_rows).cycles;
  EXPECT_GE(four - one, 2 * 32 * 32);
}

TEST(Residency, TensorsBetweenLayersAreNotStored) {
  Network network(1);
  const TensorId x = network.Input({1, 8, 8, 16});
  TensorId y = x;
  for (int i = 0; i < 4; ++i) y = network.Conv(y, 32, {.h = 1, .w = 1}, {});
  network.graph().outputs = {y};
  const isa::HardwareConfig config;
  const isa::Executable executable = Compile(network.graph(), config);
  for (const isa::Instruction& instruction : isa::DecodeProgram(executable.segments.back().bytes)) {
    if (const auto* store = std::get_if<isa::Store>(&instruction)) {
      EXPECT_GE(store->dram_addr, executable.outputs[0].address);
      EXPECT_LT(store->dram_addr, executable.outputs[0].address + 8 * 8 * 32);
    }
  }
}

}  // namespace
}  // namespace tpu::compiler
