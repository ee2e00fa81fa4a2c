// SPDX-License-Identifier: Apache-2.0
// The matrix unit (window addresses, tile loader, array, accumulators) against the loops of
// docs/isa.md, sections 6 and 10.3.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "tests/rtl/matrix/matrix_bench.h"

namespace tpu {
namespace {

template <typename Model>
class MatrixTest : public testing::Test {};
TYPED_TEST_SUITE(MatrixTest, Matrices);

TYPED_TEST(MatrixTest, RandomInstructionsMatchTheLoops) {
  for (const double rate : {1.0, 0.3}) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      SCOPED_TRACE(fmt::format("seed {} weight rate {}", seed, rate));
      Bench<TypeParam> b(seed);
      std::size_t count = 0;
      for (int i = 0; i < 4; ++i) {
        isa::Matmul m = RandomMatmul(b);
        b.Add(m);
        ++count;
        if (b.Uniform(0, 1) == 1) {
          m.accumulate = 1;
          b.Add(m);
          ++count;
        }
      }
      b.Run(count, rate);
      ASSERT_FALSE(b.dut->err_valid) << static_cast<int>(b.dut->err_code);
      b.CompareAccumulators();
      if (this->HasFailure()) return;
    }
  }
}

TYPED_TEST(MatrixTest, NoBubbleBetweenTilesAndInstructions) {
  constexpr auto kN = static_cast<std::uint32_t>(Bench<TypeParam>::kN);
  for (const std::uint32_t rows : {kN, kN + 1, 2 * kN - 1}) {
    Bench<TypeParam> b(1);
    for (const int i : {0, 1, 2}) {
      const auto all = InEachFormat<TypeParam>(PlainMatmul<TypeParam>(rows, 10));
      isa::Matmul m = all.at(static_cast<std::size_t>(i) % all.size());
      m.s_cb = 3;
      b.Add(m);
    }
    const auto tile = std::max(rows, static_cast<std::uint32_t>(b.kDistance));
    EXPECT_EQ(b.Run(3, 1.0), 29 * tile + rows) << rows << " rows";
    b.CompareAccumulators();
  }
}

TYPED_TEST(MatrixTest, FewRowsTakeOneTilePerNCycles) {
  constexpr auto kN = static_cast<std::uint32_t>(Bench<TypeParam>::kN);
  for (const std::uint32_t rows : {1U, 2U, kN - 1}) {
    Bench<TypeParam> b(1);
    b.Add(PlainMatmul<TypeParam>(rows, 20));
    const auto tile = std::max(kN, static_cast<std::uint32_t>(b.kDistance));
    EXPECT_EQ(b.Run(1, 1.0), 19 * tile + rows) << rows << " rows";
    b.CompareAccumulators();
  }
}

// The last row of one instruction and the first of the next one add to the same accumulator row
// in consecutive cycles: the sum is not in the memory yet and must be forwarded, or waited for
// where an addition takes several cycles.
TYPED_TEST(MatrixTest, SameAccumulatorRowBackToBack) {
  constexpr auto kN = static_cast<std::uint32_t>(Bench<TypeParam>::kN);
  Bench<TypeParam> b(3);
  b.Add(PlainMatmul<TypeParam>(2 * kN - 1, 1));
  isa::Matmul m = PlainMatmul<TypeParam>(kN, 1);
  m.accumulate = 1;
  b.Add(m);
  m.acc_row = kN - 1;
  b.Add(m);
  EXPECT_EQ(b.Run(3, 1.0), 4 * kN - 1 + b.kDistance - 1);
  b.CompareAccumulators();
}

TYPED_TEST(MatrixTest, ADrainWaitsForItsHalfOnly) {
  constexpr int kHalf = Bench<TypeParam>::kAccRows / 2;
  for (const int accumulating : {0, kHalf}) {
    for (const int drained : {0, kHalf}) {
      SCOPED_TRACE(fmt::format("accumulates in {}, drains {}", accumulating, drained));
      Bench<TypeParam> b(1);
      isa::Matmul m = PlainMatmul<TypeParam>(kHalf, 1);
      m.acc_row = static_cast<std::uint32_t>(accumulating);
      b.Add(m);
      b.Run(1, 1.0);
      m.accumulate = 1;
      b.Add(m);
      b.drain_row = drained;
      b.Run(1, 1.0);
      // A row is read in every column, one after the other.
      EXPECT_EQ(b.drains_refused, accumulating == drained ? kHalf + Bench<TypeParam>::kN - 1 : 0);
      b.drain_row.reset();
      b.CompareAccumulators();
    }
  }
}

TYPED_TEST(MatrixTest, RangeErrorsNameTheInstruction) {
  using B = Bench<TypeParam>;
  for (const isa::Matmul& plain : InEachFormat<TypeParam>(PlainMatmul<TypeParam>(2, 1))) {
    const int numbers = B::Numbers(plain);
    // The address of the first row, of which the second one is two numbers away.
    const auto expect = [&](int address, bool error) {
      SCOPED_TRACE(fmt::format("address {} of {}", address, numbers));
      B b(1);
      b.Add(plain);
      isa::Matmul m = plain;
      m.ub_addr = address;
      m.s_ow = 2;
      b.Add(m);
      b.Run(error ? 3 : 2, 1.0);
      ASSERT_EQ(b.dut->err_valid, error ? 1 : 0);
      if (error) {
        EXPECT_EQ(b.dut->err_code, static_cast<int>(isa::ErrorCode::kUbRange));
        EXPECT_EQ(b.dut->err_index, B::IndexOf(1));
      } else {
        b.CompareAccumulators();
      }
    };
    // The last row ends with the buffer's last number; a number behind the buffer.
    expect(numbers - B::kN - 2, false);
    expect(numbers - B::kN - 1, true);
    expect(numbers, true);
    expect(0, false);
    expect(-1, true);
    expect(-B::kN, true);
    B b(1);
    isa::Matmul m = plain;
    m.acc_row = B::kAccRows - 1;
    b.Add(m);
    b.Run(2, 1.0);
    ASSERT_TRUE(b.dut->err_valid);
    EXPECT_EQ(b.dut->err_code, static_cast<int>(isa::ErrorCode::kAccRange));
    EXPECT_EQ(b.dut->err_index, B::IndexOf(0));
  }
}

TYPED_TEST(MatrixTest, HaltStopsIssuing) {
  Bench<TypeParam> b(1);
  b.Add(PlainMatmul<TypeParam>(4, 1000));
  b.dut->halt = 1;
  b.dut->cmd_valid = 1;
  for (int i = 0; i < 50; ++i) {
    b.dut.Tick();
    EXPECT_FALSE(b.dut->ev_active);
    EXPECT_FALSE(b.dut->cmd_ready);
  }
}

}  // namespace
}  // namespace tpu
