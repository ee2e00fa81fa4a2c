// SPDX-License-Identifier: Apache-2.0
// tpu_float_add alone against the processor's arithmetic.
#include <gtest/gtest.h>

#include "Vtpu_acc_add_float.h"
#include "Vtpu_float_add.h"
#include "float_reference.h"
#include "tb/dut.h"

namespace tpu::float_test {
namespace {

class Checker {
 public:
  Checker() { dut_->en = dut_->finish = 1; }

  std::uint32_t Sum(std::uint32_t a, std::uint32_t b) {
    dut_->a = a;
    dut_->b = b;
    dut_.Tick();
    return dut_->sum;
  }

  void Check(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t sum = Sum(a, b);
    ASSERT_EQ(sum, Add(a, b)) << fmt::format("{:08x} + {:08x} = {:08x}, not {:08x}", a, b,
                                             Add(a, b), sum);
  }

 private:
  tb::Dut<Vtpu_float_add> dut_;
};

TEST(FloatAdd, SpecialValuesWithEachOther) {
  Checker checker;
  for (const std::uint32_t a : SpecialValues()) {
    for (const std::uint32_t b : SpecialValues()) {
      checker.Check(a, b);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(FloatAdd, RandomValues) {
  const std::uint64_t seed = Seed(1);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  Random random(seed);
  Checker checker;
  for (std::uint64_t i = 0; i < Cases(1'000'000); ++i) {
    const std::uint32_t a = random.Value();
    checker.Check(a, random.Near(Exponent(a)));
    if (::testing::Test::HasFatalFailure()) return;
  }
}

// By hand, so that the reference is itself checked.
TEST(FloatAdd, KnownSums) {
  Checker checker;
  // 1 + 2^-24 is halfway: to even; and anything more rounds up.
  EXPECT_EQ(checker.Sum(0x3F800000, 0x33800000), 0x3F800000U);
  EXPECT_EQ(checker.Sum(0x3F800000, 0x33800001), 0x3F800001U);
  EXPECT_EQ(checker.Sum(0x3F800001, 0x33800000), 0x3F800002U);
  // What is below the smallest number is zero of its sign, and what cancels is +0.
  EXPECT_EQ(checker.Sum(0x00800001, 0x80800000), 0x00000000U);
  EXPECT_EQ(checker.Sum(0x80800001, 0x00800000), 0x80000000U);
  EXPECT_EQ(checker.Sum(0xBF800000, 0x3F800000), 0x00000000U);
  EXPECT_EQ(checker.Sum(0x80000000, 0x80000000), 0x80000000U);
  EXPECT_EQ(checker.Sum(0x80000001, 0x00000001), 0x00000000U);
  EXPECT_EQ(checker.Sum(0x7F7FFFFF, 0x73000000), 0x7F800000U);
  EXPECT_EQ(checker.Sum(0x7F800000, 0xFF800000), kNan);
  EXPECT_EQ(checker.Sum(0xFF800001, 0x3F800000), kNan);
}

TEST(FloatAdd, HoldsItsSumWhileNotEnabled) {
  tb::Dut<Vtpu_float_add> dut;
  dut->en = dut->finish = 1;
  dut->a = dut->b = 0x3F800000;
  dut.Tick();
  dut->en = 0;
  dut->a = 0x40000000;
  dut.Tick();
  EXPECT_EQ(dut->sum, 0x40000000U);
  dut->finish = 0;
  dut.Eval();
  EXPECT_EQ(dut->sum, 0U);
}

// Additions of both formats in any order, with cycles without one
TEST(AccAddFloat, FormatsInAnyOrder) {
  const std::uint64_t seed = Seed(14);
  SCOPED_TRACE(fmt::format("TPU_SEED={}", seed));
  Random random(seed);
  tb::Dut<Vtpu_acc_add_float> dut;
  struct Pair {
    bool bf16;
    std::uint32_t a;
    std::uint32_t b;
  };
  Pair before = {};
  for (std::uint64_t i = 0; i < Cases(200'000); ++i) {
    Pair now = {.bf16 = (random.Bits() & 1) != 0, .a = random.Value(), .b = 0};
    now.b = random.Near(Exponent(now.a));
    dut->bf16_in = now.bf16 ? 1 : 0;
    dut->float_en = now.bf16 || before.bf16 || (random.Bits() & 1) != 0;
    dut->addend = now.a;
    dut->psum = now.b;
    dut.Tick();
    ASSERT_EQ(dut->bf16_out != 0, now.bf16);
    // Given a cycle before
    const auto [bf16, a, b] = before;
    // The lowest 20 bits, with their sign
    const auto psum = static_cast<std::uint32_t>(static_cast<std::int32_t>(b << 12) >> 12);
    if (i > 0) {
      ASSERT_EQ(dut->sum, bf16 ? Add(a, b) : a + psum)
          << fmt::format("{} {:08x} {:08x}", bf16 ? "fp32" : "int32", a, b);
    }
    before = now;
  }
}

}  // namespace
}  // namespace tpu::float_test
