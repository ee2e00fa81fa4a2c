// SPDX-License-Identifier: Apache-2.0
// What the tilings of well-known layers look like on the default machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "compiler/tile/conv_tiling.h"
#include "compiler/tile/vector_tiling.h"
#include "executable/executable_file.h"
#include "isa/encoding.h"
#include "network.h"
#include "tests/seeds.h"
#include "timing/estimate.h"

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

std::int64_t Covered(const std::vector<ir::Range>& ranges) {
  std::int64_t end = 0;
  for (const ir::Range& range : ranges) {
    EXPECT_EQ(range.begin, end);
    EXPECT_FALSE(range.Empty());
    end = range.end;
  }
  return end;
}

std::int64_t RowsOf(const OutputPart& part) {
  return part.rows.Size() * part.columns.Size() * part.blocks.Size();
}

// The one that looks best.
ConvTiling BestTiling(const ConvShape& shape, const isa::HardwareConfig& config) {
  const std::vector<ConvTiling> tilings = ConvTilings(shape, config, config.ub_rows);
  return tilings.empty() ? ConvTiling{} : tilings.front();
}

// The parts of the last sum make up the sum, each row once.
void ExpectLastPartsCoverTheLastSum(const ConvTiling& tiling) {
  std::set<std::array<std::int64_t, 3>> covered;
  std::int64_t rows = 0;
  for (const OutputPart& part : tiling.last_parts) {
    rows += RowsOf(part);
    EXPECT_TRUE(tiling.rows.back().Contains(part.rows));
    EXPECT_TRUE(tiling.columns.back().Contains(part.columns));
    EXPECT_TRUE(tiling.output_blocks.back().Contains(part.blocks));
    for (std::int64_t y = part.rows.begin; y < part.rows.end; ++y) {
      for (std::int64_t x = part.columns.begin; x < part.columns.end; ++x) {
        for (std::int64_t b = part.blocks.begin; b < part.blocks.end; ++b) {
          EXPECT_TRUE(covered.insert({y, x, b}).second);
        }
      }
    }
  }
  EXPECT_EQ(rows, RowsOf({.rows = tiling.rows.back(),
                          .columns = tiling.columns.back(),
                          .blocks = tiling.output_blocks.back()}));
}

TEST(ConvTiling, CommonSumsHaveABlockOfAccumulators) {
  const isa::HardwareConfig config;
  ConvShape shape = MatrixProduct(128, 64, 128);
  shape.common_sums = true;
  const std::vector<ConvTiling> tilings = ConvTilings(shape, config, config.ub_rows);
  ASSERT_FALSE(tilings.empty());
  for (const ConvTiling& tiling : tilings) {
    const std::int64_t pixels = ir::LargestSize(tiling.rows) * ir::LargestSize(tiling.columns);
    EXPECT_LE(pixels * (ir::LargestSize(tiling.output_blocks) + 1), config.acc_rows / 2);
  }
  const ConvTiling without = BestTiling(MatrixProduct(128, 64, 128), config);
  EXPECT_LT(without.cycles, tilings.front().cycles);
}

TEST(ConvTiling, CoversEveryLoopAndFitsTheBuffers) {
  const isa::HardwareConfig config = {.n = 8, .ub_rows = 512, .acc_rows = 64, .param_rows = 16};
  for (const std::int64_t size : {1, 7, 16, 100, 700}) {
    const ConvShape shape = MatrixProduct(size, 3 * size, 2 * size);
    const std::vector<ConvTiling> tilings = ConvTilings(shape, config, config.ub_rows);
    ASSERT_FALSE(tilings.empty()) << size;
    for (std::size_t i = 0; i < tilings.size(); ++i) {
      const ConvTiling& tiling = tilings[i];
      SCOPED_TRACE(testing::Message() << size << ", tiling " << i);
      EXPECT_GE(tiling.cycles, tilings[i == 0 ? 0 : i - 1].cycles);
      EXPECT_EQ(Covered(tiling.columns), size);
      EXPECT_EQ(Covered(tiling.output_blocks), ir::CeilDiv(2 * size, 8));
      EXPECT_EQ(Covered(tiling.input_blocks), ir::CeilDiv(3 * size, 8));
      EXPECT_EQ(Covered(tiling.first_parts), ir::CeilDiv(3 * size, 8));
      ExpectLastPartsCoverTheLastSum(tiling);
      EXPECT_LE(ir::LargestSize(tiling.columns) * ir::LargestSize(tiling.output_blocks), 32);
      EXPECT_LE((tiling.input_rows + tiling.output_rows) * (tiling.Loads() > 1 ? 2 : 1), 512);
    }
  }
}

TEST(ConvTiling, LargeProductsLoadEachInputOnce) {
  const isa::HardwareConfig config;
  const ConvTiling tiling = BestTiling(MatrixProduct(512, 512, 512), config);
  EXPECT_EQ(tiling.KGroups(), 1);
  EXPECT_GE(ir::LargestSize(tiling.columns), 4 * config.n);
  EXPECT_EQ(tiling.first_parts.front().Size(), 1) << "a short first load";
  EXPECT_LT(RowsOf(tiling.last_parts.back()), ir::LargestSize(tiling.columns))
      << "a short last drain";
  EXPECT_LT(tiling.cycles, 512.0 * 512 * 512 / 256 / 0.95);
}

// Before the array begins, only one block of channels is loaded; when it ends, little is left.
TEST(ConvTiling, ShortProductsBeginAndEndWithSmallParts) {
  const isa::HardwareConfig config;
  const ConvTiling tiling = BestTiling(MatrixProduct(64, 64, 64), config);
  EXPECT_EQ(tiling.first_parts.front().Size(), 1);
  EXPECT_EQ(Covered(tiling.first_parts), 4);
  ASSERT_GT(tiling.output_blocks.size(), 1U);
  EXPECT_EQ(tiling.InputGroups(0), tiling.first_parts);
  EXPECT_EQ(tiling.InputGroups(1), tiling.input_blocks);
  EXPECT_GE(RowsOf(tiling.last_parts.back()), config.n) << "the array waits for weights";
  EXPECT_LT(RowsOf(tiling.last_parts.back()), 2 * config.n);
  ExpectLastPartsCoverTheLastSum(tiling);
}

// While a part is multiplied, the sum before it is drained: a row of each takes a cycle.
TEST(ConvTiling, NoPartOfTheLastSumWaitsForTheDrainBefore) {
  const isa::HardwareConfig config;
  int cut = 0;
  for (std::int64_t pixels = 32; pixels <= 512; pixels += 48) {
    for (std::int64_t in = 16; in <= 256; in *= 2) {
      const ConvTiling tiling = BestTiling(MatrixProduct(pixels, in, 96), config);
      SCOPED_TRACE(testing::Message() << pixels << " pixels, " << in << " channels");
      ExpectLastPartsCoverTheLastSum(tiling);
      if (tiling.last_parts.size() == 1) continue;
      ++cut;
      OutputPart before = tiling.last_parts.front();
      for (const OutputPart& part : tiling.last_parts) {
        EXPECT_LE(RowsOf(before), RowsOf(part) * in / 16);
        before = part;
      }
    }
  }
  EXPECT_GT(cut, 10);
}

// Parts of channels of parts of image rows would be a transfer for each image row.
TEST(ConvTiling, TilesOfPartsOfImageRowsKeepTheirChannelsTogether) {
  const isa::HardwareConfig config = {.acc_rows = 512};
  int found = 0;
  for (const std::int64_t size : {40, 56, 112, 300}) {
    for (const std::int64_t kernel : {1, 3, 7}) {
      ConvShape shape = MatrixProduct(size, 16, 96);
      shape.input.h = shape.output.h = size;
      shape.y = shape.x = {.size = kernel, .pad = kernel / 2, .input = size};
      const ConvTiling tiling = BestTiling(shape, config);
      if (tiling.columns.size() == 1 || tiling.rows.back().Size() == 1) continue;
      ++found;
      for (const OutputPart& part : tiling.last_parts) {
        EXPECT_EQ(part.blocks, tiling.output_blocks.back()) << size << ' ' << kernel;
      }
    }
  }
  EXPECT_GT(found, 0);
}

TEST(ConvTiling, AVectorTimesAMatrixIsFewInstructions) {
  const isa::HardwareConfig config;
  const ConvTiling tiling = BestTiling(MatrixProduct(1, 1024, 1024), config);
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
  const ConvTiling tiling = BestTiling(shape, config);
  EXPECT_EQ(tiling.columns.size(), 1U);
  EXPECT_GT(tiling.rows.size(), 2U);
  EXPECT_EQ(tiling.input_rows + tiling.output_rows, 0);
}

// The weights of the first part do not wait; those of each part behind leave the bus to the part
// before it, and those of the sums behind wait for nothing.
TEST(ConvLowering, WeightsWaitWhileTheFirstTileComesInParts) {
  Network network(1);
  const ir::TensorId x = network.Input({1, 1, 64, 64});
  network.graph().outputs = {network.Conv(x, 64, {.h = 1, .w = 1}, {})};
  const executable::Executable executable = Compile(network.graph(), isa::HardwareConfig{});
  std::vector<bool> waits;
  std::size_t parts = 0;
  for (const isa::Instruction& instruction : isa::DecodeProgram(executable.segments.back().bytes)) {
    const auto* weights = std::get_if<isa::Weights>(&instruction);
    if (weights != nullptr) waits.push_back(weights->semaphores.wait != 0);
    const auto* load = std::get_if<isa::Load>(&instruction);
    parts += load != nullptr && load->destination == isa::LoadDestination::kUnifiedBuffer ? 1 : 0;
  }
  EXPECT_GT(parts, 1U);
  ASSERT_GT(waits.size(), parts + 1);
  std::vector<bool> expected(waits.size(), false);
  std::fill_n(expected.begin() + 1, parts, true);
  EXPECT_EQ(waits, expected);
}

// Cycles of the only program by the timing model.
double MeasuredCycles(const executable::Executable& executable) {
  const auto& program = std::get<executable::DeviceProgram>(executable.steps.at(0));
  const std::vector<isa::Instruction> instructions = executable::Instructions(executable, program);
  return static_cast<double>(
      timing::EstimateProgram(instructions, program.address, executable.config).cycles);
}

// What tilings are ranked by keeps to the timing model, on products that keep the machine at work
// for much longer than the memory's latency.
TEST(ConvTiling, EstimatesAsTheTimingModelDoes) {
  const isa::HardwareConfig config;
  for (const unsigned seed : Seeds(20)) {
    Network network(seed);
    const std::int64_t m = network.Uniform(100, 600);
    const std::int64_t k = network.Uniform(100, 600);
    const std::int64_t n = network.Uniform(100, 600);
    const double estimate = BestTiling(MatrixProduct(m, k, n), config).cycles;
    const ir::TensorId x = network.Input({m, k});
    network.graph().outputs = {network.FullyConnect(x, k, n, true)};
    const double measured = MeasuredCycles(Compile(network.graph(), config));
    SCOPED_TRACE(testing::Message()
                 << "TPU_SEED=" << seed << ": " << m << " x " << k << " x " << n);
    EXPECT_GT(estimate, 0.95 * measured);
    EXPECT_LT(estimate, 1.02 * measured);
  }
}

// A depthwise convolution, or a pooling, of 3 x 3 or 1 x 1 windows.
VectorShape Windows(std::int64_t size) {
  VectorShape shape;
  shape.x = shape.y = {.size = size, .pad = size / 2, .input = 32};
  const Placement in_memory = {.images = {.h = 32, .w = 32, .c = 16}};
  shape.inputs = {in_memory};
  shape.output = in_memory;
  return shape;
}

TEST(VectorTiling, EstimatesAsTheTimingModelDoes) {
  const isa::HardwareConfig config;
  for (const unsigned seed : Seeds(20)) {
    Network network(seed);
    const std::int64_t size = network.Uniform(20, 100);
    const std::int64_t channels = 16 * network.Uniform(1, 8);
    VectorShape shape;
    shape.x = shape.y = {.size = 3, .pad = 1, .input = size};
    const Placement in_memory = {.images = {.h = size, .w = size, .c = channels}};
    shape.inputs = {in_memory};
    shape.output = in_memory;
    const double estimate = ChooseVectorTiling(shape, config, config.ub_rows).cycles;
    const ir::TensorId x = network.Input({1, size, size, channels});
    network.graph().outputs = {network.Pool(
        x,
        {.filter = {.h = 3, .w = 3}, .padding = {.top = 1, .left = 1, .bottom = 1, .right = 1}})};
    const double measured = MeasuredCycles(Compile(network.graph(), config));
    SCOPED_TRACE(testing::Message()
                 << "TPU_SEED=" << seed << ": " << size << " x " << size << " x " << channels);
    EXPECT_GT(estimate, 0.85 * measured);
    EXPECT_LT(estimate, 1.1 * measured);
  }
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

// Tensors that fit stay on chip: only the ends of the network touch memory.
TEST(Residency, TensorsBetweenLayersAreNotStored) {
  Network network(1);
  const ir::TensorId x = network.Input({1, 8, 8, 16});
  ir::TensorId y = x;
  for (int i = 0; i < 4; ++i) y = network.Conv(y, 32, {.h = 1, .w = 1}, {});
  network.graph().outputs = {y};
  const isa::HardwareConfig config;
  const executable::Executable executable = Compile(network.graph(), config);
  for (const isa::Instruction& instruction : isa::DecodeProgram(executable.segments.back().bytes)) {
    if (const auto* store = std::get_if<isa::Store>(&instruction)) {
      EXPECT_GE(store->dram_addr, executable.outputs[0].address);
      EXPECT_LT(store->dram_addr, executable.outputs[0].address + 8 * 8 * 32);
    }
  }
}

}  // namespace
}  // namespace tpu::compiler
