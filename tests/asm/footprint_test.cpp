// SPDX-License-Identifier: Apache-2.0
// Footprints are exact: they agree with the loops of docs/isa.md, place by place.
#include "asm/footprint.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/asm/naive_footprint.h"
#include "tests/asm/small_instruction.h"

namespace tpu::assembly {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Rows = assembly::Run;  // Within a test, Run is a member of testing::Test.

constexpr std::uint64_t kMemoryBytes = 1024;

isa::HardwareConfig SmallConfig() {
  isa::HardwareConfig config;
  config.n = 4;
  config.ub_rows = 64;
  config.acc_rows = 32;
  config.param_rows = 16;
  return config;
}

std::uint64_t SizeOf(Space space, const isa::HardwareConfig& config) {
  switch (space) {
    case Space::kUnifiedBuffer:
      return config.ub_rows;
    case Space::kAccumulators:
      return config.acc_rows;
    case Space::kParameters:
      return config.param_rows;
    case Space::kLookup:
      return config.lut_tables;
    case Space::kMemory:
      return kMemoryBytes;
  }
  return 0;
}

/// All of the footprint, or nothing where the instruction touches a place that does not exist.
void ExpectSame(const Footprint& footprint, const NaiveFootprint& naive,
                const isa::HardwareConfig& config) {
  std::size_t errors = naive.reads_own_output ? 1 : 0;
  std::map<std::tuple<Space, bool>, std::set<std::uint64_t>> expected;
  for (const auto& [key, places] : naive.places) {
    const bool outside = !places.empty() && *places.rbegin() >= SizeOf(std::get<0>(key), config);
    if (outside) {
      ++errors;
    } else {
      expected[key] = places;
    }
  }
  if (errors > 1 && naive.reads_own_output) --errors;  // Looked for only when all is in range.
  EXPECT_EQ(footprint.errors.size(), errors)
      << (footprint.errors.empty() ? "" : footprint.errors.front());
  std::map<std::tuple<Space, bool>, std::set<std::uint64_t>> found;
  for (const Access& access : footprint.accesses) {
    auto& places = found[{access.space, access.write}];
    std::uint64_t end = 0;
    for (const Rows& run : access.runs) {
      EXPECT_GE(run.first, end);
      EXPECT_GT(run.count, 0U);
      end = run.first + run.count;
      for (std::uint64_t p = run.first; p < end; ++p) places.insert(p);
    }
  }
  EXPECT_EQ(found, expected);
}

TEST(Footprint, EqualsTheLoopsOfTheSpecification) {
  const isa::HardwareConfig config = SmallConfig();
  FootprintCalculator calculator(config, kMemoryBytes);
  std::size_t own_output = 0;
  std::size_t outside = 0;
  for (std::uint64_t seed = 0; seed < 10000; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const isa::Instruction instruction = SmallInstructions(seed, 60, 5).Next();
    const NaiveFootprint naive = ComputeNaively(instruction, config.n);
    const Footprint footprint = calculator.Of(instruction);
    ExpectSame(footprint, naive, config);
    own_output += naive.reads_own_output ? 1 : 0;
    outside += footprint.errors.empty() ? 0 : 1;
    if (HasFailure()) return;
  }
  EXPECT_GT(own_output, 50U);
  EXPECT_GT(outside, 1000U);
  EXPECT_LT(outside, 7500U);
}

std::vector<Rows> UbRuns(const isa::Instruction& instruction) {
  for (const Access& access :
       FootprintCalculator(SmallConfig(), kMemoryBytes).Of(instruction).accesses) {
    if (access.space == Space::kUnifiedBuffer) return access.runs;
  }
  return {};
}

std::vector<std::string> Errors(const isa::Instruction& instruction) {
  return FootprintCalculator(SmallConfig(), kMemoryBytes).Of(instruction).errors;
}

// 2 pixels of 10 bytes in bf16: chunks of 8 bytes in two rows, the last has 2.
template <typename Transfer>
Transfer ChunksOfTwoRows() {
  Transfer transfer;
  transfer.format = isa::NumberFormat::kBfloat16;
  transfer.row_bytes = 20;
  transfer.row = 20;
  transfer.pixel_bytes = 10;
  transfer.plane_stride = 10;
  transfer.pixel_stride = 3;
  return transfer;
}

TEST(Footprint, OfChunksOfSeveralRows) {
  EXPECT_THAT(UbRuns(ChunksOfTwoRows<isa::Load>()),
              ElementsAre(Rows{20, 2}, Rows{23, 2}, Rows{30, 2}, Rows{33, 2}));
  // A STORE does not read what the last chunk lacks.
  EXPECT_THAT(UbRuns(ChunksOfTwoRows<isa::Store>()),
              ElementsAre(Rows{20, 2}, Rows{23, 2}, Rows{30, 1}, Rows{33, 1}));
}

TEST(Footprint, OfALoadInPlanesIsExact) {
  isa::Load load;  // 3 pixels of 6 bytes: 2 chunks each, planes 10 rows apart.
  load.row_bytes = 18;
  load.row = 20;
  load.pixel_bytes = 6;
  load.plane_stride = 10;
  load.pixel_stride = 2;
  EXPECT_THAT(UbRuns(load), ElementsAre(Rows{20, 1}, Rows{22, 1}, Rows{24, 1}, Rows{30, 1},
                                        Rows{32, 1}, Rows{34, 1}));
  load.pixel_stride = 1;
  EXPECT_THAT(UbRuns(load), ElementsAre(Rows{20, 3}, Rows{30, 3}));
  load.row_bytes = 14;  // The last pixel has one chunk only.
  EXPECT_THAT(UbRuns(load), ElementsAre(Rows{20, 3}, Rows{30, 2}));
}

TEST(Footprint, OfAnUnalignedWindowStopsAtItsBounds) {
  isa::Matmul m;  // Image row of 10 bytes at byte 6; lanes 0-3 from x = -1 and x = 7.
  m.ub_addr = 5;
  m.x0 = -1;
  m.y_bound = 1;
  m.x_bound = 10;
  EXPECT_THAT(UbRuns(m), ElementsAre(Rows{1, 2}));  // Bytes 6 .. 8.
  m.ub_addr = 13;
  m.x0 = 7;
  EXPECT_THAT(UbRuns(m), ElementsAre(Rows{3, 1}));  // Bytes 13 .. 15.
}

TEST(Footprint, TakesAddressesOfNumbersModulo) {
  isa::Matmul m;  // 4 numbers of bf16: 8 bytes.
  m.format = isa::NumberFormat::kBfloat16;
  m.y_bound = 1;
  m.x_bound = 4;
  m.ub_addr = 4;
  EXPECT_THAT(UbRuns(m), ElementsAre(Rows{2, 2}));
  m.ub_addr = 5;
  EXPECT_THAT(UbRuns(m), ElementsAre(Rows{2, 3}));
  m.ub_addr = -(1 << 25);  // Number 2^25, byte 2^26, which is not byte 0.
  EXPECT_THAT(Errors(m), ElementsAre(HasSubstr("reads UB row")));
}

TEST(Footprint, ReportsEachMemorysLimit) {
  isa::Load load;
  load.row = 64;
  EXPECT_THAT(Errors(load), ElementsAre(HasSubstr("writes UB row 64, but there are 64")));
  load.destination = isa::LoadDestination::kParameters;
  load.row = 15;
  load.row_bytes = 9 * 4;
  EXPECT_THAT(Errors(load), IsEmpty());
  load.row_bytes = 9 * 4 + 1;
  EXPECT_THAT(Errors(load), ElementsAre(HasSubstr("PARAM entry 16")));
  load.destination = isa::LoadDestination::kLookup;
  load.row = 7;
  load.row_bytes = 256;
  EXPECT_THAT(Errors(load), IsEmpty());
  load.row_bytes = 257;
  EXPECT_THAT(Errors(load), ElementsAre(HasSubstr("LUT 8")));

  isa::Store store;
  store.dram_addr = 1000;
  store.row_bytes = 24;
  EXPECT_THAT(Errors(store), IsEmpty());
  store.row_bytes = 25;
  EXPECT_THAT(Errors(store), ElementsAre(HasSubstr("memory")));
  store.row_bytes = 1;
  store.dram_addr = ~std::uint64_t{0};
  EXPECT_THAT(Errors(store), ElementsAre(HasSubstr("memory")));

  isa::Weights weights;
  weights.tiles = 64;
  EXPECT_THAT(Errors(weights), IsEmpty());
  weights.tiles = 65;
  EXPECT_THAT(Errors(weights), ElementsAre(HasSubstr("memory")));

  isa::Matmul matmul;
  matmul.acc_row = 30;
  matmul.n_ow = 2;
  EXPECT_THAT(Errors(matmul), IsEmpty());
  matmul.n_ow = 3;
  EXPECT_THAT(Errors(matmul), ElementsAre(HasSubstr("writes ACC row 32")));
  matmul.n_ow = 1;
  matmul.y_bound = 1;
  matmul.x_bound = 4;
  matmul.ub_addr = 4 * 64 - 3;
  EXPECT_THAT(Errors(matmul), ElementsAre(HasSubstr("reads UB row 64")));
  matmul.x_bound = 3;  // The lane beyond the buffer is not inside.
  EXPECT_THAT(Errors(matmul), IsEmpty());
  matmul.ub_addr = -1;
  EXPECT_THAT(Errors(matmul), ElementsAre(HasSubstr("reads UB row")));

  isa::Vector vector;
  vector.y_bound = 1;
  vector.x_bound = 1;
  EXPECT_THAT(Errors(vector), IsEmpty());
  vector.a_row = -1;
  EXPECT_THAT(Errors(vector), ElementsAre(HasSubstr("reads UB row")));
  vector.source = isa::VectorSource::kAccumulators;
  vector.a_row = 32;
  EXPECT_THAT(Errors(vector), ElementsAre(HasSubstr("reads ACC row 32")));
  vector.y_bound = 0;  // Not read, but parameters always are.
  vector.param_row = 16;
  EXPECT_THAT(Errors(vector), ElementsAre(HasSubstr("reads PARAM entry 16")));
}

TEST(Footprint, HugeLoopsEndSoon) {
  isa::Load load;
  load.row_bytes = 0xFFFFFFFF;
  load.rows = 0xFFFFFFFF;
  load.pixel_stride = 1;
  EXPECT_THAT(Errors(load), ElementsAre(HasSubstr("memory"), HasSubstr("UB row")));
  isa::Matmul matmul;
  matmul.n_cb = matmul.n_kh = matmul.n_kw = matmul.n_oh = 0xFFFF;
  EXPECT_THAT(Errors(matmul), ElementsAre(HasSubstr("too long")));
}

}  // namespace
}  // namespace tpu::assembly
