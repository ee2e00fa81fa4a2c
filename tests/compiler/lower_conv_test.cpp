// SPDX-License-Identifier: Apache-2.0
// The instructions of convolutions: for tilings by hand, each field; for tilings that are chosen,
// what they are chosen by.
#include "compiler/lower/lower_conv.h"

#include <gtest/gtest.h>

#include "compiler/cost/estimate_cycles.h"
#include "compiler/lower/conv_instructions.h"
#include "compiler/schedule/schedule.h"
#include "lowered.h"

namespace tpu::compiler {
namespace {

// A 3 x 3 convolution with a pixel of padding, from 4 x 4 pixels of eight channels to as many: two
// channel blocks of four lanes on both sides.
struct TwoBlocks {
  std::vector<std::int8_t> weights = std::vector<std::int8_t>(std::size_t{8} * 9 * 8, 1);
  ConvJob job = {.input = {.address = 0x1000, .images = {.h = 4, .w = 4, .c = 8}},
                 .output = {.address = 0x2000, .images = {.h = 4, .w = 4, .c = 8}},
                 .y = {.size = 3, .pad = 1, .input = 4},
                 .x = {.size = 3, .pad = 1, .input = 4},
                 .weights = {.values = weights, .oc = 8, .kh = 3, .kw = 3, .ic = 8},
                 .parameters = std::vector<LaneParameters>(8),
                 .input_zero = 7,
                 .operation = isa::Vector{
                     .requant = isa::VectorRequant::kDouble, .o_zero = -3, .lo = -100, .hi = 100}};

  // The upper and the lower half of the output, each in one go.
  static ConvTiling Halves() {
    return {.rows = {{.begin = 0, .end = 2}, {.begin = 2, .end = 4}},
            .columns = {{.begin = 0, .end = 4}},
            .output_blocks = {{.begin = 0, .end = 2}},
            .input_blocks = {{.begin = 0, .end = 2}},
            .kernel_rows = {{.begin = 0, .end = 3}},
            .first_parts = {{.begin = 0, .end = 2}},
            .last_parts = {{.rows = {.begin = 2, .end = 4},
                            .columns = {.begin = 0, .end = 4},
                            .blocks = {.begin = 0, .end = 2}}},
            .input_rows = 24,
            .output_rows = 16};
  }
  // The whole output at once.
  static ConvTiling Whole() {
    ConvTiling tiling = Halves();
    tiling.rows = {{.begin = 0, .end = 4}};
    tiling.last_parts[0].rows = tiling.rows[0];
    tiling.input_rows = tiling.output_rows = 32;
    return tiling;
  }

  [[nodiscard]] Lowered Emit(const ConvTiling& tiling) const {
    Emitter emitter = MakeEmitter();
    EmitConvInstructions(job, false, tiling, {.weights = {.address = 0x8000}, .parameters = 0x9000},
                         emitter);
    return Lowered(emitter);
  }
};

TEST(EmitConvInstructions, LoadsTheNextTileAheadOfTheProduct) {
  const Lowered lowered = TwoBlocks().Emit(TwoBlocks::Halves());
  EXPECT_EQ(lowered.Kinds(),
            "load load load weights matmul vector store weights matmul vector store");
  const auto loads = lowered.All<isa::Load>();
  // Rows 0 to 2 of the image, for output rows 0 and 1: 3 x 4 pixels of eight bytes.
  EXPECT_EQ(loads[0].dram_addr, 0x1000U);
  EXPECT_EQ(loads[0].row_bytes, 96U);
  EXPECT_EQ(loads[0].pixel_bytes, 8U);
  EXPECT_EQ(loads[0].plane_stride, 12U);
  EXPECT_EQ(loads[0].row, 0U);
  EXPECT_EQ(loads[1].destination, isa::LoadDestination::kParameters);
  EXPECT_EQ(loads[1].dram_addr, 0x9000U);
  EXPECT_EQ(loads[1].row_bytes, 2U * 9 * 4) << "two entries of four lanes";
  // Rows 1 to 3, behind the first tile.
  EXPECT_EQ(loads[2].dram_addr, 0x1000U + 1 * 4 * 8);
  EXPECT_EQ(loads[2].row, 24U);
}

TEST(EmitConvInstructions, AProductWalksItsTile) {
  const Lowered lowered = TwoBlocks().Emit(TwoBlocks::Halves());
  const auto weights = lowered.At<isa::Weights>(0);
  EXPECT_EQ(weights.dram_addr, 0x8000U);
  EXPECT_EQ(weights.tiles, 2U * 2 * 3 * 3);
  EXPECT_EQ(lowered.At<isa::Weights>(1).dram_addr, 0x8000U) << "the same ones once more";
  isa::Matmul upper;
  upper.zero_point = 7;
  upper.n_ob = 2;
  upper.n_cb = 2;
  upper.n_kh = upper.n_kw = 3;
  upper.n_oh = 2;
  upper.n_ow = 4;
  upper.ub_addr = -5 * 4;  // A row of four pixels and a pixel before the tile.
  upper.s_cb = 12 * 4;
  upper.s_kh = upper.s_oh = 4 * 4;
  upper.s_kw = upper.s_ow = 4;
  upper.y0 = -1;
  upper.x0 = -4;
  upper.y_bound = 3;
  upper.x_bound = 4 * 4;
  upper.ys_kh = upper.ys_oh = 1;
  upper.xs_kw = upper.xs_ow = 4;
  upper.acc_row = 1024;
  upper.acc_ob_stride = 2 * 4;
  EXPECT_EQ(lowered.At<isa::Matmul>(0), upper);
  isa::Matmul lower = upper;
  lower.ub_addr = (24 - 1) * 4;  // Its tile begins with image row 1, which the window needs.
  lower.y0 = 0;
  lower.acc_row = 0;  // The other half of the accumulators.
  EXPECT_EQ(lowered.At<isa::Matmul>(1), lower);
}

TEST(EmitConvInstructions, ADrainTakesTheSumsToTheOutput) {
  const Lowered lowered = TwoBlocks().Emit(TwoBlocks::Halves());
  isa::Vector drain;
  drain.source = isa::VectorSource::kAccumulators;
  drain.requant = isa::VectorRequant::kDouble;
  drain.n_cb = 2;
  drain.n_oh = 2;
  drain.n_ow = 4;
  drain.param_stride = 1;
  drain.a_row = 1024;
  drain.a_cb = 2 * 4;
  drain.a_oh = 4;
  drain.a_ow = 1;
  drain.o_row = 48;  // Behind two input tiles of 24 rows.
  drain.o_cb = 2 * 4;
  drain.o_oh = 4;
  drain.o_ow = 1;
  drain.y_bound = drain.x_bound = 1;
  drain.o_zero = -3;
  drain.lo = -100;
  drain.hi = 100;
  EXPECT_EQ(lowered.At<isa::Vector>(0), drain);
  const auto store = lowered.At<isa::Store>(1);
  EXPECT_EQ(store.dram_addr, 0x2000U + 2 * 4 * 8) << "output row 2";
  EXPECT_EQ(store.row_bytes, 2U * 4 * 8);
  EXPECT_EQ(store.row, 48U + 16);
}

TEST(EmitConvInstructions, GroupsOfInputBlocksAddUp) {
  ConvTiling tiling = TwoBlocks::Whole();
  tiling.input_blocks = tiling.first_parts = {{.begin = 0, .end = 1}, {.begin = 1, .end = 2}};
  tiling.input_rows = 16;
  const Lowered lowered = TwoBlocks().Emit(tiling);
  EXPECT_EQ(lowered.Kinds(), "load load load weights matmul weights matmul vector store");
  EXPECT_EQ(lowered.At<isa::Load>(2).dram_addr, 0x1000U + 4) << "channels 4 to 7";
  EXPECT_EQ(lowered.At<isa::Load>(2).rows, 16U) << "each pixel by itself";
  EXPECT_EQ(lowered.At<isa::Weights>(0).tiles, 2U * 1 * 3 * 3);
  EXPECT_EQ(lowered.At<isa::Weights>(1).dram_addr, 0x8000U + 18 * 16);
  EXPECT_EQ(lowered.At<isa::Matmul>(0).accumulate, 0U);
  EXPECT_EQ(lowered.At<isa::Matmul>(1).accumulate, 1U);
  EXPECT_EQ(lowered.At<isa::Matmul>(1).acc_row, lowered.At<isa::Matmul>(0).acc_row);
}

// The first tile comes block by block; the second block's weights leave the bus to the first block.
TEST(EmitConvInstructions, WeightsOfALaterPartWaitForThePartBefore) {
  ConvTiling tiling = TwoBlocks::Whole();
  tiling.first_parts = {{.begin = 0, .end = 1}, {.begin = 1, .end = 2}};
  const Lowered lowered = TwoBlocks().Emit(tiling);
  ASSERT_EQ(lowered.Kinds(), "load load load weights matmul weights matmul vector store");
  EXPECT_TRUE(lowered.Program()[3].accesses.empty());
  const std::vector<Access>& awaited = lowered.Program()[5].accesses;
  ASSERT_EQ(awaited.size(), 1U);
  EXPECT_EQ(awaited[0].space, Space::kUnifiedBuffer);
  EXPECT_FALSE(awaited[0].write);
  EXPECT_EQ(awaited[0].begin, 0U);
  EXPECT_EQ(awaited[0].end, 16U) << "one block of 4 x 4 pixels";
}

TEST(EmitConvInstructions, ResidentTensorsAreNeitherLoadedNorStored) {
  TwoBlocks conv;
  conv.job.input.row = 400;
  conv.job.output.row = 600;
  const Lowered lowered = conv.Emit(TwoBlocks::Whole());
  EXPECT_EQ(lowered.Kinds(), "load weights matmul vector");
  EXPECT_EQ(lowered.At<isa::Load>(0).destination, isa::LoadDestination::kParameters);
  EXPECT_EQ(lowered.At<isa::Matmul>(0).ub_addr, (400 - 5) * 4);
  EXPECT_EQ(lowered.At<isa::Vector>(0).o_row, 600U);
}

TEST(EmitConvInstructions, WindowsInsideTheTileNeedNoBounds) {
  TwoBlocks conv;
  conv.job.y.pad = conv.job.x.pad = 0;
  conv.job.output.images = {.h = 2, .w = 2, .c = 8};
  ConvTiling tiling = TwoBlocks::Whole();
  tiling.rows = tiling.columns = {{.begin = 0, .end = 2}};
  tiling.last_parts[0].rows = tiling.last_parts[0].columns = tiling.rows[0];
  const auto matmul = conv.Emit(tiling).At<isa::Matmul>(0);
  EXPECT_EQ(matmul.ub_addr, 0);
  EXPECT_EQ(matmul.y_bound, 1U);
  EXPECT_EQ(matmul.x_bound, 4U);
  EXPECT_EQ(matmul.ys_oh, 0U);
  EXPECT_EQ(matmul.xs_ow, 0U);
}

// A 3 x 3 kernel over one channel: three columns share the four lanes.
struct OneChannel {
  std::vector<std::int8_t> weights = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  ConvJob job = {.input = {.address = 0x1000, .images = {.h = 6, .w = 6, .c = 1}},
                 .output = {.address = 0x2000, .images = {.h = 4, .w = 4, .c = 1}},
                 .y = {.size = 3, .input = 6},
                 .x = {.size = 3, .input = 6},
                 .weights = {.values = weights, .oc = 1, .kh = 3, .kw = 3, .ic = 1},
                 .parameters = {{.bias = 11}}};

  [[nodiscard]] Lowered Lower() const {
    Emitter emitter = MakeEmitter();
    LowerConv(job, emitter);
    return Lowered(emitter);
  }
};

TEST(LowerConv, FewChannelsShareTheLanesWithKernelColumns) {
  const Lowered lowered = OneChannel().Lower();
  EXPECT_EQ(lowered.At<isa::Matmul>(0).n_kw, 1U);
  EXPECT_EQ(lowered.At<isa::Matmul>(0).s_ow, 1) << "a pixel is one byte";
  // One tile for each kernel row; input lane k is kernel column k, output lane 0 the channel.
  std::vector<std::uint8_t> tiles(48);
  for (std::size_t i = 0; i < 9; ++i) {
    tiles[i / 3 * 16 + i % 3 * 4] = static_cast<std::uint8_t>(i + 1);
  }
  EXPECT_EQ(lowered.Constant(0).bytes, tiles);
}

TEST(LowerConv, TensorsInBlocksHaveARowForEachPixel) {
  OneChannel blocked;
  blocked.job.input.layout = Layout::kBlocked;
  EXPECT_EQ(blocked.Lower().At<isa::Matmul>(0).n_kw, 3U);
  OneChannel resident;
  resident.job.input.row = 400;
  EXPECT_EQ(resident.Lower().At<isa::Matmul>(0).n_kw, 3U);
}

TEST(LowerConv, ConstantsAreWhatTheInstructionsRead) {
  const Lowered lowered = OneChannel().Lower();
  EXPECT_EQ(lowered.Constant(0).address, lowered.At<isa::Weights>(0).dram_addr);
  EXPECT_EQ(lowered.BiasOf(1, 0), 11);
  for (const isa::Load& load : lowered.All<isa::Load>()) {
    if (load.destination == isa::LoadDestination::kParameters) {
      EXPECT_EQ(load.dram_addr, lowered.Constant(1).address);
    }
  }
}

TEST(LowerConv, SaysWhichLayerDoesNotFit) {
  Emitter emitter = MakeEmitter();
  emitter.SetFreeRows({.begin = 0, .end = 2});
  ExpectError([&] { LowerConv(TwoBlocks().job, emitter); },
              "layer: one output pixel's window does not fit the machine's buffers");
}

// Cycles by the timing model, with and without a try of each tiling.
timing::Cycle CyclesOf(const ConvJob& job, bool tries) {
  Emitter emitter = MakeEmitter({.n = 16}, tries);
  LowerConv(job, emitter);
  return Schedule(emitter.LastProgram(), emitter.Config()).cycles;
}

TEST(LowerConv, ATryTakesTheTilingThatTheTimingModelFindsFastest) {
  bool faster = false;
  for (const std::int64_t size : {16, 24, 32, 48}) {
    for (const std::int64_t channels : {16, 32, 64}) {
      SCOPED_TRACE(fmt::format("{} pixels, {} channels", size, channels));
      const std::vector<std::int8_t> weights(static_cast<std::size_t>(channels * channels), 1);
      const ConvJob job = {
          .input = {.address = 0x1000, .images = {.h = size, .w = size, .c = channels}},
          .output = {.address = 0x80000, .images = {.h = size, .w = size, .c = channels}},
          .y = {.input = size},
          .x = {.input = size},
          .weights = {.values = weights, .oc = channels, .kh = 1, .kw = 1, .ic = channels},
          .parameters = std::vector<LaneParameters>(static_cast<std::size_t>(channels))};
      const timing::Cycle tried = CyclesOf(job, true);
      const timing::Cycle untried = CyclesOf(job, false);
      EXPECT_LE(tried, untried);
      faster = faster || tried < untried;
    }
  }
  EXPECT_TRUE(faster) << "no try changed anything";
}

}  // namespace
}  // namespace tpu::compiler
