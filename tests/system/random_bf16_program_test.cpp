// SPDX-License-Identifier: Apache-2.0
// Random programs that mix int8 and bf16: RTL against golden model, and how failing ones shrink.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/system/run_case.h"
#include "tests/system/shrink.h"

namespace tpu::system_test {
namespace {

class RandomBf16ProgramTest : public testing::TestWithParam<std::uint64_t> {};

// The same as `tpu_soak_bf16 --seed N`.
TEST_P(RandomBf16ProgramTest, DoesWhatTheGoldenModelDoes) {
  EXPECT_EQ(RunCase(DrawCase(GetParam(), kBf16Machines)).failure, "");
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomBf16ProgramTest, testing::Range<std::uint64_t>(1, 31),
                         [](const testing::TestParamInfo<std::uint64_t>& info) {
                           return fmt::format("Seed{}", info.param);
                         });

/// Whether some FVECTOR with an exponential function comes after some MATMUL of bf16.
bool HasThePair(const RandomProgram& program) {
  const auto matmul = std::ranges::find_if(program.body, [](const isa::Instruction& i) {
    const auto* m = std::get_if<isa::Matmul>(&i);
    return m != nullptr && m->format == isa::NumberFormat::kBfloat16;
  });
  return std::any_of(matmul, program.body.end(), [](const isa::Instruction& i) {
    const auto* v = std::get_if<isa::Fvector>(&i);
    return v != nullptr && v->function == isa::FloatFunction::kExp;
  });
}

TEST(ShrinkBf16, LeavesOnlyWhatTheFailureNeeds) {
  int shrunk = 0;
  for (std::uint64_t seed = 1; shrunk < 4; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const RandomProgram program = MakeRandomProgram(devices::kSmallN4Bf16.config, 200, seed);
    if (!HasThePair(program)) continue;
    ++shrunk;
    const RandomProgram small = Shrink(program, HasThePair);
    EXPECT_EQ(WhyIllegal(small), "");
    ASSERT_EQ(small.body.size(), 3U);
    const auto& weights = std::get<isa::Weights>(small.body[0]);
    EXPECT_EQ(weights.tiles, 1U);
    EXPECT_EQ(weights.format, isa::NumberFormat::kBfloat16);
    isa::Matmul matmul;
    matmul.format = isa::NumberFormat::kBfloat16;
    EXPECT_EQ(std::get<isa::Matmul>(small.body[1]), matmul);
    isa::Fvector vector;
    vector.function = isa::FloatFunction::kExp;
    EXPECT_EQ(std::get<isa::Fvector>(small.body[2]), vector);
  }
}

/// Whether some MATMUL adds to the accumulators.
bool Accumulates(const RandomProgram& program) {
  return std::ranges::any_of(program.body, [](const isa::Instruction& i) {
    const auto* m = std::get_if<isa::Matmul>(&i);
    return m != nullptr && m->accumulate != 0;
  });
}

// WEIGHTS follow a MATMUL whose numbers become bytes.
TEST(ShrinkBf16, MakesInt8OfWhatFailsInBothFormats) {
  const RandomProgram small =
      Shrink(MakeRandomProgram(devices::kSmallN4Bf16.config, 100, 1), Accumulates);
  EXPECT_EQ(WhyIllegal(small), "");
  ASSERT_EQ(small.body.size(), 2U);
  EXPECT_EQ(std::get<isa::Weights>(small.body[0]).format, isa::NumberFormat::kInt8);
  isa::Matmul matmul;
  matmul.accumulate = 1;
  EXPECT_EQ(std::get<isa::Matmul>(small.body[1]), matmul);
}

}  // namespace
}  // namespace tpu::system_test
