// SPDX-License-Identifier: Apache-2.0
// Random programs with all units at work: RTL against golden model, and how failing ones shrink.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/system/run_case.h"
#include "tests/system/shrink.h"

namespace tpu::system_test {
namespace {

class RandomProgramTest : public testing::TestWithParam<std::uint64_t> {};

// The same as `tpu_soak --seed N`.
TEST_P(RandomProgramTest, DoesWhatTheGoldenModelDoes) {
  EXPECT_EQ(RunCase(DrawCase(GetParam(), kTestMachines)).failure, "");
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomProgramTest, testing::Range<std::uint64_t>(1, 41),
                         [](const testing::TestParamInfo<std::uint64_t>& info) {
                           return fmt::format("Seed{}", info.param);
                         });

TEST(RandomPrograms, KeepSeveralUnitsAtWork) {
  std::array<std::uint64_t, 6> cycles{};
  for (std::uint64_t seed = 100; seed < 124; ++seed) {
    if (seed % 4 == 2) continue;  // The largest machine takes the longest.
    const CaseResult result = RunCase(DrawCase(seed, kTestMachines));
    for (std::size_t units = 0; units < cycles.size(); ++units) {
      cycles[units] += result.cycles_by_units[units];
    }
  }
  EXPECT_GT(cycles[4], 0U);
  EXPECT_GT(cycles[5], 0U);
  EXPECT_GT(cycles[2] + cycles[3] + cycles[4] + cycles[5], 2 * (cycles[0] + cycles[1]));
}

/// Whether some VECTOR with a lookup table comes after some MATMUL with a zero point.
bool HasThePair(const RandomProgram& program) {
  const auto matmul = std::ranges::find_if(program.body, [](const isa::Instruction& i) {
    const auto* m = std::get_if<isa::Matmul>(&i);
    return m != nullptr && m->zero_point > 0;
  });
  return std::any_of(matmul, program.body.end(), [](const isa::Instruction& i) {
    const auto* v = std::get_if<isa::Vector>(&i);
    return v != nullptr && v->lut_enable != 0;
  });
}

TEST(Shrink, LeavesOnlyWhatTheFailureNeeds) {
  int shrunk = 0;
  for (std::uint64_t seed = 1; shrunk < 4; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const RandomProgram program = MakeRandomProgram(devices::kSmallN4.config, 200, seed);
    if (!HasThePair(program)) continue;
    ++shrunk;
    const RandomProgram small = Shrink(program, HasThePair);
    EXPECT_EQ(WhyIllegal(small), "");
    ASSERT_EQ(small.body.size(), 3U);
    EXPECT_EQ(std::get<isa::Weights>(small.body[0]).tiles, 1U);
    isa::Matmul matmul;
    matmul.zero_point = 1;
    EXPECT_EQ(std::get<isa::Matmul>(small.body[1]), matmul);
    isa::Vector vector;
    vector.lut_enable = 1;
    EXPECT_EQ(std::get<isa::Vector>(small.body[2]), vector);
  }
}

}  // namespace
}  // namespace tpu::system_test
