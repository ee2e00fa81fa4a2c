// SPDX-License-Identifier: Apache-2.0
// The instructions of jobs of the vector unit.
#include "compiler/lower/lower_vector.h"

#include <gtest/gtest.h>

#include "lowered.h"

namespace tpu::compiler {
namespace {

// A copy of one image row of 16 pixels of eight channels, two blocks of four lanes. Of a single row
// the tiling makes one piece when everything is resident.
VectorJob CopyJob() {
  VectorJob job = {.inputs = {{.address = 0x1000, .images = {.w = 16, .c = 8}}},
                   .output = {.address = 0x2000, .images = {.w = 16, .c = 8}},
                   .x = {.input = 16},
                   .parameters = std::vector<LaneParameters>(4, {.bias = 6}),
                   .shared_parameters = true};
  job.operation = isa::Vector{.a_zero = 3, .hi = 99};
  return job;
}

// The same between rows 400 and 600 of the unified buffer.
VectorJob ResidentJob() {
  VectorJob job = CopyJob();
  job.inputs[0].row = 400;
  job.output.row = 600;
  return job;
}

Lowered LowerJob(const VectorJob& job, ir::Range free_rows = {.begin = 0, .end = 4096}) {
  Emitter emitter = MakeEmitter();
  emitter.SetFreeRows(free_rows);
  LowerVector(job, emitter);
  return Lowered(emitter);
}

TEST(LowerVector, AResidentJobIsOneInstruction) {
  const Lowered lowered = LowerJob(ResidentJob());
  ASSERT_EQ(lowered.Kinds(), "load vector");
  EXPECT_EQ(lowered.At<isa::Load>(0).destination, isa::LoadDestination::kParameters);
  EXPECT_EQ(lowered.At<isa::Load>(0).dram_addr, lowered.Constant(0).address);
  EXPECT_EQ(lowered.BiasOf(0, 3), 6);
  isa::Vector copy;
  copy.n_cb = 2;
  copy.n_ow = 16;
  copy.a_row = 400;
  copy.o_row = 600;
  copy.a_cb = copy.o_cb = 16;
  copy.a_oh = copy.o_oh = copy.a_kh = 16;
  copy.a_ow = copy.o_ow = copy.a_kw = 1;
  copy.y_bound = copy.x_bound = 1;
  copy.a_zero = 3;
  copy.hi = 99;
  EXPECT_EQ(lowered.At<isa::Vector>(0), copy);
  // Writes the output, reads the input and the parameters.
  const std::vector<Access>& accesses = lowered.Program()[1].accesses;
  ASSERT_EQ(accesses.size(), 3U);
  EXPECT_TRUE(accesses[0].write);
  EXPECT_EQ(accesses[0].begin, 600U);
  EXPECT_EQ(accesses[0].end, 632U);
  EXPECT_FALSE(accesses[1].write);
  EXPECT_EQ(accesses[1].begin, 400U);
  EXPECT_EQ(accesses[1].end, 432U);
  EXPECT_EQ(accesses[2].space, Space::kParameters);
}

// Sixteen rows hold no more than a part of the 32 of each side.
TEST(LowerVector, TilesComeAndGoThroughTwoBuffers) {
  const Lowered lowered = LowerJob(CopyJob(), {.begin = 0, .end = 16});
  const auto loads = lowered.All<isa::Load>();
  const auto vectors = lowered.All<isa::Vector>();
  const auto stores = lowered.All<isa::Store>();
  ASSERT_GE(vectors.size(), 8U);
  ASSERT_EQ(stores.size(), vectors.size());
  ASSERT_EQ(loads.size(), vectors.size() + 1) << "the parameters, once";
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(vectors[i].a_row, static_cast<std::int32_t>(loads[i + 1].row));
    EXPECT_EQ(stores[i].row, vectors[i].o_row);
    EXPECT_EQ(stores[i].dram_addr - 0x2000, loads[i + 1].dram_addr - 0x1000);
    if (i == 0) continue;
    EXPECT_NE(loads[i + 1].row, loads[i].row);
    EXPECT_NE(stores[i].row, stores[i - 1].row);
  }
  // The next tile is on its way before this one is computed.
  EXPECT_EQ(lowered.Kinds().substr(0, 27), "load load load vector store");
}

TEST(LowerVector, AnInstructionTakesNoMoreThanAThousandCycles) {
  VectorJob job = ResidentJob();
  job.inputs[0].images = job.output.images = {.w = 900, .c = 12};
  job.inputs[0].row = 0;
  job.output.row = 4096;
  job.x.input = 900;
  job.parameters.resize(12);
  job.shared_parameters = false;
  const Lowered lowered = LowerJob(job, {.begin = 8192, .end = 12288});
  // 900 cycles of each block: two of them would keep the unit for more than 1024 cycles.
  ASSERT_EQ(lowered.Kinds(), "load vector vector vector");
  for (std::int32_t block = 0; block < 3; ++block) {
    const auto vector = lowered.At<isa::Vector>(static_cast<std::size_t>(block));
    EXPECT_EQ(vector.n_cb, 1U);
    EXPECT_EQ(vector.a_row, block * 900);
    EXPECT_EQ(vector.o_row, 4096U + static_cast<std::uint32_t>(block) * 900);
    EXPECT_EQ(vector.param_row, static_cast<std::uint32_t>(block));
  }
}

// Windows of 3 x 3 over 3 x 3 pixels see four, six or nine of them.
TEST(LowerVector, ParametersGoByTheTapsInsideTheImage) {
  VectorJob job = ResidentJob();
  job.inputs[0].images = job.output.images = {.h = 3, .w = 3, .c = 4};
  job.y = job.x = {.size = 3, .pad = 1, .input = 3};
  job.parameters.resize(12);
  job.entry_of_taps.assign(10, -1);
  job.entry_of_taps[4] = 0;
  job.entry_of_taps[6] = 1;
  job.entry_of_taps[9] = 2;
  const Lowered lowered = LowerJob(job);
  std::vector<std::uint32_t> entries;
  for (const isa::Vector& vector : lowered.All<isa::Vector>()) {
    EXPECT_EQ(vector.n_oh * vector.n_ow, 1U);
    EXPECT_EQ(vector.param_stride, 0U);
    entries.push_back(vector.param_row);
  }
  EXPECT_EQ(entries, (std::vector<std::uint32_t>{0, 1, 0, 1, 2, 1, 0, 1, 0}));
  const auto first = lowered.At<isa::Vector>(0);
  EXPECT_EQ(first.a_row, 400 - 3 - 1) << "a row and a pixel before the image";
  EXPECT_EQ(first.y0, -1);
  EXPECT_EQ(first.x0, -1);
  EXPECT_EQ(first.y_bound, 3U);
  EXPECT_EQ(first.xs_kw, 1U);
}

TEST(LowerVector, ConstantOperandsLieInBlocksOfTaps) {
  VectorJob job = ResidentJob();
  job.y = {.size = 2, .input = 2};
  job.x = {.size = 3, .input = 18};
  job.inputs[0].images = {.h = 2, .w = 18, .c = 8};
  job.weights.assign(std::size_t{2} * 6 * 4, 1);
  job.parameters.resize(8);
  job.shared_parameters = false;
  const Lowered lowered = LowerJob(job);
  ASSERT_EQ(lowered.Kinds(), "load load vector");
  EXPECT_EQ(lowered.At<isa::Load>(0).dram_addr, lowered.Constant(0).address);
  EXPECT_EQ(lowered.At<isa::Load>(0).row_bytes, 48U);
  EXPECT_EQ(lowered.At<isa::Load>(1).row_bytes, 2U * 9 * 4) << "an entry for each block";
  const auto vector = lowered.At<isa::Vector>(0);
  EXPECT_EQ(vector.b_row, static_cast<std::int32_t>(lowered.At<isa::Load>(0).row));
  EXPECT_EQ(vector.b_cb, 6);
  EXPECT_EQ(vector.b_kh, 3);
  EXPECT_EQ(vector.b_kw, 1);
  EXPECT_EQ(vector.b_oh, 0) << "all outputs take the same weights";
  EXPECT_EQ(vector.param_stride, 1U);
}

TEST(LowerVector, ATableIsLoadedOnce) {
  VectorJob job = ResidentJob();
  job.table.assign(256, 5);
  const Lowered lowered = LowerJob(job);
  ASSERT_EQ(lowered.Kinds(), "load load vector");
  const auto load = lowered.At<isa::Load>(0);
  EXPECT_EQ(load.destination, isa::LoadDestination::kLookup);
  EXPECT_EQ(load.row_bytes, 256U);
  EXPECT_EQ(lowered.At<isa::Vector>(0).lut_enable, 1U);
  EXPECT_EQ(lowered.At<isa::Vector>(0).lut, load.row);
  EXPECT_EQ(lowered.Program()[2].accesses.back().space, Space::kLookup);
}

TEST(LowerVector, SaysWhichLayerDoesNotFit) {
  ExpectError([] { return LowerJob(CopyJob(), {.begin = 0, .end = 1}); },
              "layer: one output pixel's window does not fit the machine's buffers");
}

}  // namespace
}  // namespace tpu::compiler
