// SPDX-License-Identifier: Apache-2.0
// The vector unit with bf16: ADAM against the golden model. fvector_test.cpp has it among others.
#include <gtest/gtest.h>

#include <array>

#include "float_bench.h"

namespace tpu::vector_test {
namespace {

template <typename BenchT>
class AdamUnit : public ::testing::Test {};
using Sizes = ::testing::Types<BenchN4, BenchN8>;
TYPED_TEST_SUITE(AdamUnit, Sizes);

isa::Adam InPlace(std::uint32_t rows) {
  isa::Adam adam;
  adam.rows = rows;
  adam.squares = 1;
  adam.to_moments = static_cast<std::int32_t>(4 * rows);
  adam.gradients = 1 + 8 * rows;
  adam.to_weights = static_cast<std::int32_t>(4 * rows);
  adam.output = 1 + 12 * rows;
  adam.param_row = kFloatEntries + 1;
  adam.moment_factor = 0x41100000;  // 9
  adam.square_scale = 0x3F7FBE77;   // 0.999
  adam.moment_scale = 0x3DCCCCCD;   // 0.1
  return adam;
}

TYPED_TEST(AdamUnit, RowsInPlaceMatchTheGoldenModel) {
  const std::uint64_t first = Seed(81);
  for (std::uint64_t seed = first; seed < first + kRates.size(); ++seed) {
    SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
    FloatPair<TypeParam> pair(seed);
    pair.bench().set_rates(kRates[seed - first]);
    pair.bench().set_banked(seed % 2 == 0);
    pair.ExpectLikeGolden({InPlace(60)});
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(AdamUnit, ShortInstructionsMatchTheGoldenModel) {
  const std::uint64_t seed = Seed(82);
  FloatPair<TypeParam> pair(seed);
  Generator generator(seed);
  std::vector<Any> program(200);
  for (auto& instruction : program) instruction = generator.NextAdam();
  pair.ExpectLikeGolden(program);
}

TYPED_TEST(AdamUnit, ErrorsAreThoseOfTheGoldenModel) {
  const std::uint64_t seed = Seed(83);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  FloatPair<TypeParam> pair(seed);
  Generator generator(seed);
  std::array<int, 16> codes{};
  for (int round = 0; round < 200;) {
    SCOPED_TRACE(fmt::format("round {}", round));
    isa::Adam bad = generator.NextAdam();
    generator.Spoil(bad);
    if (!pair.Fails(bad)) continue;
    ++round;
    pair.bench().ResetNow();
    std::vector<Any> program;
    if (generator.Pick(3) != 0) program.push_back(generator.Next());
    program.emplace_back(bad);
    pair.ExpectErrorOfLast(program, generator.Pick(1000000));
    ++codes[pair.bench().dut()->err_code];
    if (this->HasFailure()) return;
  }
  EXPECT_GT(codes[static_cast<std::size_t>(isa::ErrorCode::kUbRange)], 80);
  EXPECT_GT(codes[static_cast<std::size_t>(isa::ErrorCode::kParamRange)], 20);
}

TYPED_TEST(AdamUnit, ARowTakes16Cycles) {
  constexpr std::uint32_t kRows = 30;
  FloatPair<TypeParam> pair(84);
  pair.bench().set_banked(true);
  pair.ExpectLikeGolden({InPlace(kRows)});
  const Log& log = pair.bench().log();
  // From acceptance to the first tap's first line 4 cycles, 7 to the second tap; from there to the
  // last line 125.
  EXPECT_LE(log.done_cycles[0] - log.accept_cycles[0], 4 + 7 + 125 + 16 * (kRows - 1) + 16);
}

}  // namespace
}  // namespace tpu::vector_test
