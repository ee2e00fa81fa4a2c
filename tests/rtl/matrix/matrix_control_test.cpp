// SPDX-License-Identifier: Apache-2.0
// The matrix unit when something stops it: resets, halts and errors in any cycle; and what it says
// that it waits for.
#include <gtest/gtest.h>

#include <cstdint>

#include "tests/rtl/matrix/matrix_bench.h"

namespace tpu {
namespace {

template <typename Model>
class MatrixControlTest : public testing::Test {};
TYPED_TEST_SUITE(MatrixControlTest, Matrices);

/// Adds `count` random instructions; returns how many they are with their repetitions.
template <typename Model>
std::size_t AddRandom(Bench<Model>& b, int count) {
  std::size_t added = 0;
  for (int i = 0; i < count; ++i) {
    isa::Matmul m = RandomMatmul(b);
    b.Add(m);
    m.accumulate = 1;
    b.Add(m);
    added += 2;
  }
  return added;
}

TYPED_TEST(MatrixControlTest, AResetInAnyCycleLeavesNothing) {
  constexpr int kN = Bench<TypeParam>::kN;
  for (std::uint64_t seed = 1; seed <= Bench<TypeParam>::Runs(4); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Bench<TypeParam> b(seed);
    for (int round = 0; round < (kN < 32 ? 25 : 5); ++round) {
      SCOPED_TRACE(fmt::format("round {}", round));
      b.stop_after = b.Uniform(0, 15 * kN);
      b.Run(AddRandom(b, 3), 1.0);
      b.ResetNow();
      if (b.Uniform(0, 1) == 0) b.ExpectQuiet(4 * kN);
      b.stop_after = -1;
      b.Run(AddRandom(b, 1), 1.0);
      b.CompareAccumulators();
      if (this->HasFailure()) return;
    }
  }
}

TYPED_TEST(MatrixControlTest, AResetInAnyCycleForgetsAnError) {
  using B = Bench<TypeParam>;
  constexpr int kN = B::kN;
  B b(1);
  for (int cycles = 0; cycles < 2 * kN + 12; cycles += kN < 32 ? 1 : 3) {
    for (const bool in_buffer : {false, true}) {
      SCOPED_TRACE(fmt::format("reset after {} cycles", cycles));
      isa::Matmul m = PlainMatmul<TypeParam>(2, 1);
      if (in_buffer) {
        m.ub_addr = -1;
      } else {
        m.acc_row = B::kAccRows - 1;
      }
      b.Add(m);
      b.stop_after = cycles;
      b.Run(1, 1.0);
      b.ResetNow();
      b.ExpectQuiet(6);
      b.stop_after = -1;
      b.Add(PlainMatmul<TypeParam>(2, 1));
      b.Run(1, 1.0);
      b.CompareAccumulators();
      if (this->HasFailure()) return;
    }
  }
}

TYPED_TEST(MatrixControlTest, AHaltInAnyCycleStopsTheRowsBehindTheNextOne) {
  constexpr int kN = Bench<TypeParam>::kN;
  for (std::uint64_t seed = 1; seed <= Bench<TypeParam>::Runs(30); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Bench<TypeParam> b(seed);
    b.stop_after = b.Uniform(0, 10 * kN);
    const std::size_t count = AddRandom(b, 3);
    b.Run(count, 1.0);
    b.dut->halt = 1;
    b.dut->cmd_valid = 1;
    b.dut->wt_valid = 1;
    b.dut.Tick();
    EXPECT_EQ(b.dut->cmd_ready, 0);
    for (int i = 0; i < 4 * kN; ++i) {
      b.dut.Tick();
      ASSERT_EQ(b.dut->cmd_ready, 0);
      ASSERT_EQ(b.dut->ev_active, 0) << "a row " << i + 2 << " cycles after the halt";
      ASSERT_EQ(b.dut->err_valid, 0);
    }
  }
}

TYPED_TEST(MatrixControlTest, NoErrorComesAfterAHalt) {
  using B = Bench<TypeParam>;
  B b(1);
  for (const bool in_buffer : {false, true}) {
    isa::Matmul m = PlainMatmul<TypeParam>(1, 1);
    if (in_buffer) {
      m.ub_addr = -1;
    } else {
      m.acc_row = B::kAccRows;
    }
    int cycles = 0;
    for (bool failed = false; !failed; b.ResetNow()) {
      b.Add(m);
      b.stop_after = ++cycles;
      b.Run(1, 1.0);
      failed = b.dut->err_valid != 0;
    }
    // An error is seen up to two cycles before it is reported.
    for (int halt = 0; halt + 2 < cycles; ++halt) {
      b.Add(m);
      b.stop_after = halt;
      b.Run(1, 1.0);
      b.dut->halt = 1;
      for (int i = 0; i < 8; ++i) {
        b.dut.Tick();
        ASSERT_EQ(b.dut->err_valid, 0) << "halt after " << halt << " of " << cycles << " cycles";
      }
      b.dut->halt = 0;
      b.ResetNow();
    }
  }
}

/// Runs until an error comes and checks it; then nothing more may be issued or accepted.
template <typename Model>
void ExpectError(Bench<Model>& b, isa::ErrorCode code, std::size_t instruction) {
  b.Run(100, 1.0);
  ASSERT_TRUE(b.dut->err_valid);
  b.dut->cmd_valid = 1;
  b.dut->wt_valid = 1;
  for (int i = 0; i < 4 * Bench<Model>::kN; ++i) {
    ASSERT_EQ(b.dut->err_valid, 1);
    ASSERT_EQ(b.dut->err_code, static_cast<int>(code)) << i << " cycles later";
    ASSERT_EQ(b.dut->err_index, Bench<Model>::IndexOf(instruction)) << i << " cycles later";
    ASSERT_EQ(b.dut->cmd_ready, 0);
    ASSERT_EQ(b.dut->ev_active, 0);
    b.dut.Tick();
  }
  b.dut->cmd_valid = 0;
  b.dut->wt_valid = 0;
}

/// An instruction whose last row alone lies outside of the accumulators.
template <typename Model>
isa::Matmul LastRowOutside(std::uint32_t rows) {
  isa::Matmul m = PlainMatmul<Model>(rows, 1);
  m.acc_row = Bench<Model>::kAccRows - rows + 1;
  return m;
}

TYPED_TEST(MatrixControlTest, ARowOutsideTheAccumulatorsWritesNothing) {
  using B = Bench<TypeParam>;
  constexpr auto kN = static_cast<std::uint32_t>(B::kN);
  B b(1);
  b.Add(PlainMatmul<TypeParam>(2 * kN, 1));
  isa::Matmul m = PlainMatmul<TypeParam>(kN, 1);
  m.acc_row = B::kAccRows - 2;
  b.Add(m);
  ExpectError(b, isa::ErrorCode::kAccRange, 1);
  b.CompareAccumulators();
}

TYPED_TEST(MatrixControlTest, TheFirstOfErrorsInConsecutiveRowsIsReported) {
  using B = Bench<TypeParam>;
  constexpr auto kN = static_cast<std::uint32_t>(B::kN);
  const isa::Matmul plain = PlainMatmul<TypeParam>(kN, 1);
  isa::Matmul outside = plain;
  outside.acc_row = B::kAccRows;
  isa::Matmul off_buffer = plain;
  off_buffer.ub_addr = -1;
  const auto expect = [](std::initializer_list<isa::Matmul> program, isa::ErrorCode code,
                         std::size_t instruction) {
    B b(1);
    for (const isa::Matmul& m : program) b.Add(m);
    ExpectError(b, code, instruction);
  };
  // The row before and the row behind are another instruction's.
  expect({plain, outside, plain}, isa::ErrorCode::kAccRange, 1);
  expect({plain, off_buffer, plain}, isa::ErrorCode::kUbRange, 1);
  expect({LastRowOutside<TypeParam>(kN), plain}, isa::ErrorCode::kAccRange, 0);
  expect({LastRowOutside<TypeParam>(kN), outside}, isa::ErrorCode::kAccRange, 0);
  expect({LastRowOutside<TypeParam>(kN), off_buffer}, isa::ErrorCode::kAccRange, 0);
  isa::Matmul last_off_buffer = plain;
  last_off_buffer.ub_addr = B::kUbBytes - B::kN * static_cast<int>(kN) + 1;
  expect({last_off_buffer, plain}, isa::ErrorCode::kUbRange, 0);
  expect({last_off_buffer, off_buffer}, isa::ErrorCode::kUbRange, 0);
}

TYPED_TEST(MatrixControlTest, SaysWhatAnInstructionWaitsFor) {
  constexpr int kN = Bench<TypeParam>::kN;
  enum : std::uint8_t { kNothing, kRow, kWeights, kShift };
  Bench<TypeParam> b(1);
  const auto cycle = [&b] {
    b.dut.Eval();
    EXPECT_LE(b.dut->ev_active + b.dut->ev_wait_weights + b.dut->ev_weight_shift, 1);
    const int now = b.dut->ev_active         ? kRow
                    : b.dut->ev_wait_weights ? kWeights
                    : b.dut->ev_weight_shift ? kShift
                                             : kNothing;
    b.dut.Tick();
    return now;
  };
  const auto push_row = [&] {
    b.dut->wt_valid = 1;
    const int now = cycle();
    b.dut->wt_valid = 0;
    return now;
  };
  std::vector<std::uint8_t> command;
  isa::Encode(PlainMatmul<TypeParam>(1, 2), command);
  SetBytes(b.dut->cmd, command.data(), 64);
  b.dut->cmd_valid = 1;
  EXPECT_EQ(cycle(), kNothing);
  b.dut->cmd_valid = 0;
  for (int tile = 0; tile < 2; ++tile) {
    for (int row = 0; row < kN; ++row) {
      EXPECT_EQ(cycle(), kWeights) << "row " << row;
      EXPECT_EQ(push_row(), kWeights) << "row " << row;
    }
    // The tile is taken two cycles before its last row is in the array.
    for (int i = 0; i < kN - 1; ++i) EXPECT_EQ(cycle(), kShift) << "cycle " << i;
    EXPECT_EQ(cycle(), kRow);
  }
  // Two tiles that nobody waits for: one shifts, one stays in the FIFO.
  for (int row = 0; row < 2 * kN; ++row) EXPECT_EQ(push_row(), kNothing);
  for (int i = 0; i < 3 * kN; ++i) EXPECT_EQ(cycle(), kNothing);
}

}  // namespace
}  // namespace tpu
